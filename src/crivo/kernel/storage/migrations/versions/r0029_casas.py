"""An organisation can be suspended, and has quotas of its own."""

from __future__ import annotations

from typing import Final

from alembic import op

revision = "0029"
down_revision = "0028"

_MARK: Final = r"'\x00637331'::bytea"
_TENANT: Final = "tenant_id text not null constraint {table}_do_inquilino references tenants (id)"

_SUSPENSION: Final = ("alter table tenants add column suspensa_em timestamptz",)

# Why whoever looks after the installation did something to an organisation: people's own words, sealed.
_ACTS: Final = (
    f"""
    create table organizacao_atos (
        {_TENANT.format(table="organizacao_atos")},
        id uuid not null,
        acao text not null check (acao in ('criada', 'renomeada', 'suspensa', 'reativada', 'cotas')),
        motivo bytea not null check (substring(motivo for 4) = {_MARK}),
        feito_por text not null,
        feito_em timestamptz not null,
        primary key (tenant_id, id)
    )""",
)

# What is null is as the installation has it, or not limited.
_QUOTAS: Final = (
    f"""
    create table cotas (
        {_TENANT.format(table="cotas")},
        decisoes_por_dia bigint check (decisoes_por_dia >= 0),
        editais bigint check (editais >= 0),
        projetos bigint check (projetos >= 0),
        bytes_documentos bigint check (bytes_documentos >= 0),
        pessoas bigint check (pessoas >= 0),
        chaves bigint check (chaves >= 0),
        custo_mes numeric(12, 2) check (custo_mes >= 0),
        conversas bigint check (conversas >= 0),
        pedidos_por_minuto bigint check (pedidos_por_minuto >= 0),
        versao bigint not null check (versao > 0),
        primary key (tenant_id)
    )""",
    # Of a day that is over (`fechada`), how many there were, so that nobody counts them again; of today, only under a quota, and since
    # which version of the quotas. One hot row: room on its page keeps its updates out of the index. `aceitas` is how many of the last that
    # asked had room.
    """
    create table decisoes_do_dia (
        tenant_id text not null,
        dia date not null,
        decisoes bigint not null check (decisoes >= 0),
        aceitas integer not null default 0 check (aceitas >= 0),
        versao_das_cotas bigint,
        fechada boolean not null default false,
        primary key (tenant_id, dia)
    ) with (fillfactor = 10)""",
)

# Of each organisation by itself, as row-level security has it; all of them are listed by this alone.
_ORGANISATIONS: Final = (
    "drop function organizacoes_da_instalacao()",
    """
    create function organizacoes_da_instalacao() returns table (id text, nome text, criado_em timestamptz, suspensa_em timestamptz)
    language sql stable security definer set search_path = public
    as 'select t.id, t.nome, t.criado_em, t.suspensa_em from tenants t order by t.id'""",
    "revoke all on function organizacoes_da_instalacao() from public",
    "grant execute on function organizacoes_da_instalacao() to crivo_app",
)

_GRANTS: Final = (
    "grant update (suspensa_em) on tenants to crivo_app",
    "grant select, insert on organizacao_atos to crivo_app",
    "grant select, insert, update on cotas to crivo_app",
    "grant select, insert, update (decisoes, aceitas, versao_das_cotas, fechada) on decisoes_do_dia to crivo_app",
)

_CURRENT_TENANT: Final = "(select nullif(current_setting('app.tenant_id', true), ''))"


def upgrade() -> None:
    """From organisations that are there for good and take what they want to organisations that are looked after."""
    for statement in (*_SUSPENSION, *_ACTS, *_QUOTAS, *_ORGANISATIONS, *_GRANTS):
        op.execute(statement)
    mine = f"tenant_id = {_CURRENT_TENANT}"
    for table in ("organizacao_atos", "cotas", "decisoes_do_dia"):
        op.execute(f"alter table {table} enable row level security")
        op.execute(f"alter table {table} force row level security")
        op.execute(f"create policy inquilino on {table} using ({mine}) with check ({mine})")
