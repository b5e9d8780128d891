"""A política keeps its test cases beside it, and a publication in spite of errors keeps why."""

from __future__ import annotations

from typing import Final

from alembic import op

revision = "0034"
down_revision = "0033"

_TABLES: Final = (
    # Made up, or without whoever they were about: a case holds no person.
    """
    create table politica_casos (
        tenant_id text not null,
        politica_id uuid not null,
        nome text not null check (nome <> ''),
        pedido jsonb not null,
        esperado jsonb not null,
        com_publicadas boolean not null,
        recebido_em date,
        gravado_em timestamptz not null,
        gravado_por text not null,
        primary key (tenant_id, politica_id, nome),
        foreign key (tenant_id, politica_id) references politicas (tenant_id, id)
    )""",
    """
    create table politica_ressalvas (
        tenant_id text not null,
        politica_id uuid not null,
        motivo text not null check (motivo <> ''),
        erros integer not null check (erros >= 0),
        casos_falhos integer not null check (casos_falhos >= 0),
        publicada_em timestamptz not null,
        publicada_por text not null,
        primary key (tenant_id, politica_id),
        foreign key (tenant_id, politica_id) references politicas (tenant_id, id),
        check (erros + casos_falhos > 0)
    )""",
)
_GRANTS: Final = (
    "grant select, insert, delete on politica_casos to crivo_app",
    "grant update (pedido, esperado, com_publicadas, recebido_em, gravado_em, gravado_por) on politica_casos to crivo_app",
    "grant select, insert on politica_ressalvas to crivo_app",
)
_CURRENT_TENANT: Final = "(select nullif(current_setting('app.tenant_id', true), ''))"


def upgrade() -> None:
    """From políticas whose cases stand in their authors' folders alone to those that are tested before they are published."""
    for statement in (*_TABLES, *_GRANTS):
        op.execute(statement)
    mine = f"tenant_id = {_CURRENT_TENANT}"
    for table in ("politica_casos", "politica_ressalvas"):
        op.execute(f"alter table {table} enable row level security")
        op.execute(f"alter table {table} force row level security")
        op.execute(f"create policy inquilino on {table} using ({mine}) with check ({mine})")
