"""The planner samples no wrapped key: a sample of one that is destroyed would outlive it."""

from __future__ import annotations

from typing import Final

from alembic import op

revision = "0016"
down_revision = "0015"

_NO_SAMPLES: Final = "alter table chaves_de_pessoas alter column embrulhada set statistics 0"


def upgrade() -> None:
    """From statistics of every column to those of what is looked for; what was sampled before goes with the first erasure."""
    op.execute(_NO_SAMPLES)
