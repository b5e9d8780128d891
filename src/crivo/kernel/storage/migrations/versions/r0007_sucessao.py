"""A published version closes the earlier ones of its document, unless it was said that both are meant."""

from __future__ import annotations

from alembic import op

revision = "0007"
down_revision = "0006"

# False for all that was published before: what was decided under those catalogues is decided alike again.
_COLUMN = "alter table politicas add column encerra_anteriores boolean not null default false"
_GRANT = "grant update (encerra_anteriores) on politicas to crivo_app"


def upgrade() -> None:
    """From versions that stand side by side to versions that succeed each other."""
    op.execute(_COLUMN)
    op.execute(_GRANT)
