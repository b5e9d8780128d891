"""Keys of people: what is kept of a person is sealed under a key of that record, and erasing is destroying the key."""

from __future__ import annotations

from typing import Final

from alembic import op

revision = "0011"
down_revision = "0010"

# Written beside every record that tells of a person, in the same transaction. A key has the id of its record. CPF, e-mail and number are
# keyed digests. Whoever a destroyed key belonged to is still told apart, so that an erasure can be confirmed and never undone.
_KEYS: Final = (
    """
    create table chaves_de_pessoas (
        tenant_id text not null,
        id uuid not null,
        aplicacao text not null check (aplicacao in ('autorizacoes', 'triagem', 'pessoas')),
        cpf bytea,
        email bytea,
        numero bytea,
        embrulhada bytea,
        criada_em timestamptz not null,
        destruida_em timestamptz,
        primary key (tenant_id, id),
        check ((embrulhada is null) = (destruida_em is not null))
    )""",
    "create index chaves_por_cpf on chaves_de_pessoas (tenant_id, cpf) where cpf is not null",
    "create index chaves_por_email on chaves_de_pessoas (tenant_id, email) where email is not null",
    "create index chaves_por_numero on chaves_de_pessoas (tenant_id, numero) where numero is not null",
    """
    create function chave_destruida_nao_volta() returns trigger language plpgsql as $$
    begin
        raise exception 'chaves_de_pessoas: a key is destroyed once, and nothing else is done to it' using errcode = 'restrict_violation';
    end $$""",
    """
    create trigger chave_destruida_nao_volta before update on chaves_de_pessoas for each row
    when (old.destruida_em is not null or new.embrulhada is not null)
    execute function chave_destruida_nao_volta()""",
)

# What was stored before there were keys is sealed once; nothing that is sealed is written again.
_SEALING: Final = (
    """
    create function selado_nao_se_reescreve() returns trigger language plpgsql as $$
    begin
        raise exception '%: what is stored is sealed once, and not rewritten', tg_table_name using errcode = 'restrict_violation';
    end $$""",
    r"""
    create trigger autorizacao_selada_uma_vez before update on autorizacoes for each row
    when (current_user = 'crivo_app'
        and (substring(old.pedido for 4) = '\x00637331'::bytea or substring(new.pedido for 4) <> '\x00637331'::bytea))
    execute function selado_nao_se_reescreve()""",
    """
    create trigger revisao_selada_uma_vez before update on autorizacao_revisoes for each row
    when (current_user = 'crivo_app' and (starts_with(old.motivo, 'cs1:') or not starts_with(new.motivo, 'cs1:')))
    execute function selado_nao_se_reescreve()""",
)

# What is sealed cannot be packed, and costs time to try.
_STORAGE: Final = (
    "alter table autorizacoes alter column pedido set storage external, alter column decisao set storage external, "
    "alter column trilha set storage external"
)

# Retention goes through every organisation, and row-level security shows one at a time: their names alone are told, to whoever
# looks after all of them.
_ORGANISATIONS: Final = (
    """
    do $$ begin
        execute format('create policy lista_do_dono on tenants for select to %I using (true)', current_user);
    end $$""",
    """
    create function organizacoes_da_instalacao() returns setof text language sql stable security definer set search_path = public
    as 'select id from tenants order by id'""",
    "revoke all on function organizacoes_da_instalacao() from public",
    "grant execute on function organizacoes_da_instalacao() to crivo_app",
)

_GRANTS: Final = (
    "grant select, insert, update (embrulhada, destruida_em) on chaves_de_pessoas to crivo_app",
    "grant update (pedido, decisao, trilha, digest) on autorizacoes to crivo_app",
    "grant update (motivo, mensagens) on autorizacao_revisoes to crivo_app",
    "grant insert on segredos to crivo_app",
    "grant update (justificativa, evidencias, observacao) on triagem_ia_notas to crivo_app",
)

_CURRENT_TENANT: Final = "(select nullif(current_setting('app.tenant_id', true), ''))"


def upgrade() -> None:
    """From documents in the clear to documents under keys that can be destroyed."""
    for statement in (*_KEYS, *_SEALING, _STORAGE, *_ORGANISATIONS, *_GRANTS):
        op.execute(statement)
    op.execute("alter table chaves_de_pessoas enable row level security")
    op.execute("alter table chaves_de_pessoas force row level security")
    mine = f"tenant_id = {_CURRENT_TENANT}"
    op.execute(f"create policy inquilino on chaves_de_pessoas using ({mine}) with check ({mine})")
