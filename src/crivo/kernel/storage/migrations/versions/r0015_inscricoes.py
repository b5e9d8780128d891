"""The secret of a second factor that is not on yet is kept with the session that enrols, sealed for it."""

from __future__ import annotations

from typing import Final

from alembic import op

revision = "0015"
down_revision = "0012"

_STATEMENTS: Final = (
    "alter table sessoes add column inscricao bytea",
    "grant update (inscricao) on sessoes to crivo_app",
)


def upgrade() -> None:
    """From a secret that every session of a person was shown to one for each enrolment."""
    for statement in _STATEMENTS:
        op.execute(statement)
