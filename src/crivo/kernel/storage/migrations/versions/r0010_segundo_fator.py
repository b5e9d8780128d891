"""Second factors, their secrets sealed, and the digests of recovery codes."""

from __future__ import annotations

from typing import Final

from alembic import op

revision = "0010"
down_revision = "0009"

_CURRENT_TENANT: Final = "(select nullif(current_setting('app.tenant_id', true), ''))"
_TABLES: Final = (
    """
    create table segundos_fatores (
        tenant_id text not null,
        usuario_id uuid not null,
        segredo bytea not null,
        ultimo_passo bigint not null default -1,
        criado_em timestamptz not null,
        ligado_em timestamptz,
        primary key (tenant_id, usuario_id),
        foreign key (tenant_id, usuario_id) references usuarios (tenant_id, id)
    )""",
    """
    create table codigos_de_recuperacao (
        tenant_id text not null,
        usuario_id uuid not null,
        resumo bytea not null,
        usado_em timestamptz,
        primary key (tenant_id, usuario_id, resumo),
        foreign key (tenant_id, usuario_id) references usuarios (tenant_id, id)
    )""",
)
_GRANTS: Final = (
    ("segundos_fatores", "select, insert, update (ultimo_passo, ligado_em), delete"),
    ("codigos_de_recuperacao", "select, insert, update (usado_em), delete"),
)


def upgrade() -> None:
    """From one factor to two."""
    for statement in _TABLES:
        op.execute(statement)
    for table, allowed in _GRANTS:
        op.execute(f"grant {allowed} on {table} to crivo_app")
        op.execute(f"alter table {table} enable row level security")
        op.execute(f"alter table {table} force row level security")
        op.execute(f"create policy inquilino on {table} using (tenant_id = {_CURRENT_TENANT}) with check (tenant_id = {_CURRENT_TENANT})")
