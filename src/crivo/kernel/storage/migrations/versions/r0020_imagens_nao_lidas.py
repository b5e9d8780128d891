"""Which files are images that nothing here read, so that a call says how many, and what would mend it, without opening one of them."""

from __future__ import annotations

from typing import Final

from alembic import op

revision = "0020"
down_revision = "0019"

_STATEMENTS: Final = (
    "alter table documentos_lidos add column sem_leitor boolean not null default false",
    "alter table arquivos add column parece_imagem boolean not null default false",
    "create index documentos_lidos_sem_leitor on documentos_lidos (tenant_id, sha256) where sem_leitor",
    "create index arquivos_parece_imagem on arquivos (tenant_id, sha256) where parece_imagem",
)


def upgrade() -> None:
    """From a pendência without a why. What was read before is read anew by a reader of another version, and then says so."""
    for statement in _STATEMENTS:
        op.execute(statement)
