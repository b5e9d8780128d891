"""How each call to a model went: its end, its time, its prompt, the model that answered; figures and searches by indexes alone."""

from __future__ import annotations

from typing import Final

from alembic import op

revision = "0043"
down_revision = "0042"

_TRACES: Final = (
    # Of calls of before nobody knows: null, and told as such.
    """
    alter table modelo_chamadas
        add column respondeu text check (respondeu <> ''),
        add column prompt_versao text,
        add column duracao_ms integer check (duracao_ms >= 0),
        add column desfecho text check (desfecho <> '')""",
    "drop index modelo_chamadas_por_data",
    # All that is ever shown of a call, and not its answer: months are summed and searched without reading a single sealed one.
    """
    create index modelo_chamadas_por_data on modelo_chamadas (tenant_id, created_at)
        include (custo, modelo, respondeu, agente, origem, tokens_entrada, tokens_saida, prompt_versao, duracao_ms, desfecho)""",
    "drop index modelo_chamadas_por_origem",
    "create index modelo_chamadas_por_origem on modelo_chamadas (tenant_id, origem, created_at) include (custo)",
)


def upgrade() -> None:
    """From what calls cost to how they went."""
    for statement in _TRACES:
        op.execute(statement)
