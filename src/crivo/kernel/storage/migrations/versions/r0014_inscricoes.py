"""The secret of a second factor that is not on yet is kept with the session that enrols; what keys did for people is found at once."""

from __future__ import annotations

from typing import Final

from alembic import op

revision = "0014"
down_revision = "0013"

_STATEMENTS: Final = (
    "alter table sessoes add column inscricao bytea",
    "grant update (inscricao) on sessoes to crivo_app",
    """
    create index auditoria_por_chave on auditoria (tenant_id, alvo)
        where acao = 'autorizacao.revista' and strpos(dados, '"chave":') > 0""",
)


def upgrade() -> None:
    """From a secret that every session of a person was shown to one for each enrolment."""
    for statement in _STATEMENTS:
        op.execute(statement)
