"""What each column of an administradora's spreadsheet is, so that next month's file needs no question."""

from __future__ import annotations

from typing import Final

from alembic import op

revision = "0039"
down_revision = "0036"

_MAPS: Final = (
    """
    create table planilha_mapas (
        tenant_id text not null constraint planilha_mapas_do_inquilino references tenants (id),
        administradora_id text not null check (administradora_id <> ''),
        mapa jsonb not null,
        guardado_em timestamptz not null,
        guardado_por text not null,
        primary key (tenant_id, administradora_id)
    )""",
    "grant select, insert on planilha_mapas to crivo_app",
    "grant update (mapa, guardado_em, guardado_por) on planilha_mapas to crivo_app",
)

_CURRENT_TENANT: Final = "(select nullif(current_setting('app.tenant_id', true), ''))"


def upgrade() -> None:
    """From spreadsheets whose columns are asked for each time to spreadsheets that are known by their administradora."""
    for statement in _MAPS:
        op.execute(statement)
    op.execute("alter table planilha_mapas enable row level security")
    op.execute("alter table planilha_mapas force row level security")
    mine = f"tenant_id = {_CURRENT_TENANT}"
    op.execute(f"create policy inquilino on planilha_mapas using ({mine}) with check ({mine})")
