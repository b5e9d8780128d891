"""When the installation was last copied, and by whom, where every machine of it may see."""

from __future__ import annotations

from alembic import op

revision = "0030"
down_revision = "0029"

# Of the whole installation, and of nobody in it. What came back is noted by the owner of the schema, who brings it back.
_COPIES = (
    """
    create table copias (
        id uuid primary key,
        feita_em timestamptz not null,
        feita_por text not null,
        bytes bigint not null check (bytes > 0),
        sha256 text not null,
        esquema text not null,
        cifrada boolean not null,
        restaurada_em timestamptz,
        restaurada_por text,
        check ((restaurada_em is null) = (restaurada_por is null))
    )""",
    "create index copias_por_data on copias (feita_em)",
    "grant select, insert on copias to crivo_app",
)


def upgrade() -> None:
    """From copies that only whoever made them knows of to copies that `crivo doutor` counts the days of."""
    for statement in _COPIES:
        op.execute(statement)
