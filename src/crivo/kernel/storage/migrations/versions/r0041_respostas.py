"""Which answers of a model in a screening are no good yet: notas that stand until it is asked again, documents it said nothing of."""

from __future__ import annotations

from typing import Final

from alembic import op

revision = "0041"
down_revision = "0039"

_ANSWERS: Final = (
    "alter table triagem_ia_notas add column provisoria boolean not null default false",
    "alter table triagem_ia_resultados add column habilitacao_inteira boolean not null default true",
    "grant update (habilitacao_inteira) on triagem_ia_resultados to crivo_app",
)


def upgrade() -> None:
    """From critérios that were answered or not to ones that may be answered better, and habilitações that may be read further."""
    for statement in _ANSWERS:
        op.execute(statement)
