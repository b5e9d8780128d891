"""Lotes of questions that a service answers within a day, and execuções that were asked for that way."""

from __future__ import annotations

from typing import Final

from alembic import op

revision = "0042"
down_revision = "0041"

_LOTES: Final = (
    """
    create table modelo_lotes (
        tenant_id text not null constraint modelo_lotes_do_inquilino references tenants (id),
        id uuid not null,
        origem text not null check (origem <> ''),
        sobre jsonb not null check (jsonb_typeof(sobre) = 'array'),
        modelo text not null check (modelo <> ''),
        estado text not null default 'por_enviar'
            check (estado in ('por_enviar', 'enviando', 'enviado', 'recolhido', 'vencido', 'cancelado', 'recusado')),
        enviando_desde timestamptz,
        provedor_id text,
        enviado_em timestamptz,
        perguntas integer not null default 0 check (perguntas >= 0),
        respondidas integer not null default 0 check (respondidas >= 0),
        recolhidas integer not null default 0 check (recolhidas >= 0),
        custo_previsto numeric not null default 0 check (custo_previsto >= 0),
        created_at timestamptz not null,
        encerrado_em timestamptz,
        primary key (tenant_id, id),
        constraint modelo_lotes_enviado check (estado <> 'enviado' or provedor_id is not null),
        constraint modelo_lotes_fim check ((encerrado_em is null) = (estado in ('por_enviar', 'enviando', 'enviado')))
    )""",
    "create index modelo_lotes_da_origem on modelo_lotes (tenant_id, origem)",
    "create index modelo_lotes_abertos on modelo_lotes (tenant_id) where encerrado_em is null",
    "grant select, insert on modelo_lotes to crivo_app",
    """
    grant update (estado, enviando_desde, provedor_id, enviado_em, perguntas, respondidas, recolhidas, custo_previsto, encerrado_em)
    on modelo_lotes to crivo_app""",
    "alter table triagem_ia_execucoes add column em_lote boolean not null default false",
)

_CURRENT_TENANT: Final = "(select nullif(current_setting('app.tenant_id', true), ''))"


def upgrade() -> None:
    """From questions that are asked one by one to questions that may be asked many at once."""
    for statement in _LOTES:
        op.execute(statement)
    op.execute("alter table modelo_lotes enable row level security")
    op.execute("alter table modelo_lotes force row level security")
    mine = f"tenant_id = {_CURRENT_TENANT}"
    op.execute(f"create policy inquilino on modelo_lotes using ({mine}) with check ({mine})")
