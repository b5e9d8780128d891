"""Decisions belong to an act, which may hold many of them and can be undone; what each took the place of is named.

A seal leaves out columns that are null, so that those of decisions from before hold.
"""

from __future__ import annotations

from typing import Final

from alembic import op

revision = "0018"
down_revision = "0017"

_ACTS: Final = (
    """
    create table habilitacao_atos (
        tenant_id text not null,
        id uuid not null,
        edital_id uuid not null,
        decisao text not null check (decisao in ('habilitado', 'inabilitado', 'pendencia')),
        quantos integer not null check (quantos > 0),
        feito_por uuid not null,
        feito_em timestamptz not null,
        primary key (tenant_id, id),
        foreign key (tenant_id, edital_id) references editais (tenant_id, id),
        foreign key (tenant_id, feito_por) references usuarios (tenant_id, id)
    )""",
    "create index atos_por_edital on habilitacao_atos (tenant_id, edital_id, feito_em)",
    """
    alter table habilitacao_decisoes_anteriores
        add column ato_id uuid,
        add column anterior_id uuid,
        add column desfeita_por uuid,
        add column desfeita_em timestamptz,
        add foreign key (tenant_id, ato_id) references habilitacao_atos (tenant_id, id),
        add foreign key (tenant_id, anterior_id) references habilitacao_decisoes_anteriores (tenant_id, id),
        add foreign key (tenant_id, desfeita_por) references usuarios (tenant_id, id),
        add check ((desfeita_por is null) = (desfeita_em is null))""",
    """
    alter table habilitacao_decisoes
        add column ato_id uuid,
        add column anterior_id uuid,
        add foreign key (tenant_id, ato_id) references habilitacao_atos (tenant_id, id),
        add foreign key (tenant_id, anterior_id) references habilitacao_decisoes_anteriores (tenant_id, id)""",
    "create index decisoes_por_ato on habilitacao_decisoes (tenant_id, ato_id) where ato_id is not null",
    "create index decisoes_anteriores_por_ato on habilitacao_decisoes_anteriores (tenant_id, ato_id) where ato_id is not null",
)
# An undone decision that took the place of none leaves none: its row goes, after it was set aside whole.
_GRANTS: Final = (
    "grant select, insert on habilitacao_atos to crivo_app",
    "grant update (ato_id, anterior_id), delete on habilitacao_decisoes to crivo_app",
)

_CURRENT_TENANT: Final = "(select nullif(current_setting('app.tenant_id', true), ''))"


def upgrade() -> None:
    """From decisions that stand alone to decisions of acts."""
    for statement in (*_ACTS, *_GRANTS):
        op.execute(statement)
    op.execute("alter table habilitacao_atos enable row level security")
    op.execute("alter table habilitacao_atos force row level security")
    mine = f"tenant_id = {_CURRENT_TENANT}"
    op.execute(f"create policy inquilino on habilitacao_atos using ({mine}) with check ({mine})")
