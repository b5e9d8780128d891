"""An answer to a recurso that is taken back keeps why, under the key of the project."""

from __future__ import annotations

from alembic import op

revision = "0027"
down_revision = "0026"


def upgrade() -> None:
    """From answers that were taken back without a word to those that say why; of the earlier ones nobody knows."""
    op.execute("alter table recurso_respostas add column desfeita_selado bytea")
    op.execute("grant update (desfeita_selado) on recurso_respostas to crivo_app")
