"""Names and e-mails of accounts are sealed under a key of each account; an organisation is made and renamed by the program."""

from __future__ import annotations

from typing import Final

from alembic import op

revision = "0015"
down_revision = "0014"

_MARK: Final = r"'\x00637331'::bytea"

# What was in the clear is sealed at the start that follows, which has the keys; until then no row gets such a text any more.
_ACCOUNTS: Final = (
    f"""
    alter table usuarios
        add column selado bytea check (selado is null or substring(selado for 4) = {_MARK}),
        add column email_resumo bytea,
        alter column nome set default '',
        alter column email set default '',
        add constraint conta_sem_texto_legivel check (nome = '' and email = '') not valid""",
    # Where no account stands in the clear there is nothing to seal. Whether one does, the check sees past row-level security.
    """
    do $$ begin
        alter table usuarios validate constraint conta_sem_texto_legivel;
    exception when check_violation then null;
    end $$""",
    "create unique index usuarios_por_resumo on usuarios (tenant_id, email_resumo) where email_resumo is not null",
    "revoke update (nome, email) on usuarios from crivo_app",
    "grant update (selado, email_resumo) on usuarios to crivo_app",
    # Whose a key was is noted with its end: an account is found by its own row as long as it lives.
    "grant update (cpf, email) on chaves_de_pessoas to crivo_app",
)

# Of each tenant by itself, as row-level security has it; who may is asked of the table of acts.
_ORGANISATIONS: Final = (
    "grant insert, update (nome) on tenants to crivo_app",
    "drop function organizacoes_da_instalacao()",
    """
    create function organizacoes_da_instalacao() returns table (id text, nome text, criado_em timestamptz)
    language sql stable security definer set search_path = public
    as 'select t.id, t.nome, t.criado_em from tenants t order by t.id'""",
    "revoke all on function organizacoes_da_instalacao() from public",
    "grant execute on function organizacoes_da_instalacao() to crivo_app",
)


def upgrade() -> None:
    """From accounts that were written over to accounts whose keys are destroyed."""
    for statement in (*_ACCOUNTS, *_ORGANISATIONS):
        op.execute(statement)
