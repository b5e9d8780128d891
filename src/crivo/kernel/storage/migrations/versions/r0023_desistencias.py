"""A project withdraws from a call, and what was recorded of it can be taken back; why it did is sealed under the project's key."""

from __future__ import annotations

from typing import Final

from alembic import op

revision = "0023"
down_revision = "0022"

_TABLE: Final = (
    """
    create table desistencias (
        tenant_id text not null,
        id uuid not null,
        projeto_id uuid not null,
        desistiu_em date not null,
        chave uuid not null,
        selado bytea not null,
        registrada_por uuid not null,
        registrada_em timestamptz not null,
        desfeita_por uuid,
        desfeita_em timestamptz,
        primary key (tenant_id, id),
        foreign key (tenant_id, projeto_id) references projetos (tenant_id, id),
        foreign key (tenant_id, registrada_por) references usuarios (tenant_id, id),
        foreign key (tenant_id, desfeita_por) references usuarios (tenant_id, id),
        check ((desfeita_por is null) = (desfeita_em is null))
    )""",
    # A project withdraws once; that it did not after all leaves room for when it does.
    "create unique index desistencias_em_vigor on desistencias (tenant_id, projeto_id) where desfeita_em is null",
    "create index desistencias_por_projeto on desistencias (tenant_id, projeto_id, registrada_em)",
)
_GRANTS: Final = (
    "grant select, insert on desistencias to crivo_app",
    "grant update (desfeita_por, desfeita_em) on desistencias to crivo_app",
)
_CURRENT_TENANT: Final = "(select nullif(current_setting('app.tenant_id', true), ''))"


def upgrade() -> None:
    """From calls that nobody leaves to calls that a project may withdraw from."""
    for statement in (*_TABLE, *_GRANTS):
        op.execute(statement)
    mine = f"tenant_id = {_CURRENT_TENANT}"
    op.execute("alter table desistencias enable row level security")
    op.execute("alter table desistencias force row level security")
    op.execute(f"create policy inquilino on desistencias using ({mine}) with check ({mine})")
