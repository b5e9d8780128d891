"""An invitation from outside is an act on an organisation like the others, and an act on quotas says from what to what."""

from __future__ import annotations

from typing import Final

from alembic import op

revision = "0031"
down_revision = "0030"

_ACTS: Final = (
    "alter table organizacao_atos drop constraint organizacao_atos_acao_check",
    """
    alter table organizacao_atos add constraint organizacao_atos_acao_check
        check (acao in ('criada', 'renomeada', 'suspensa', 'reativada', 'cotas', 'convidada'))""",
    # Of each quota that an act changed, its code, what it was and what it became; empty for other acts, and for those of before.
    "alter table organizacao_atos add column mudou jsonb not null default '{}'",
)


def upgrade() -> None:
    """From invitations that only the organisation's own audit tells of to invitations that whoever looks after it answers for."""
    for statement in _ACTS:
        op.execute(statement)
