"""What a decision rests on stands beside it, packed and under its own key, so that a simulation reads no pedido and no trail."""

from __future__ import annotations

from typing import Final

from alembic import op

revision = "0033"
down_revision = "0032"

_CURRENT_TENANT: Final = "(select nullif(current_setting('app.tenant_id', true), ''))"

# Written thousands of times a second, always in the unit of work of its decision; once, and never again. Older decisions get theirs at
# the first simulation that meets them.
_PARAMETROS: Final = (
    """
    create table autorizacao_parametros (
        tenant_id text not null,
        id uuid not null,
        selados bytea not null,
        primary key (tenant_id, id)
    )""",
    # What is sealed cannot be packed, and costs time to try.
    "alter table autorizacao_parametros alter column selados set storage external",
    "alter table autorizacao_parametros enable row level security",
    "alter table autorizacao_parametros force row level security",
    f"create policy inquilino on autorizacao_parametros using (tenant_id = {_CURRENT_TENANT}) with check (tenant_id = {_CURRENT_TENANT})",
    "grant select, insert on autorizacao_parametros to crivo_app",
)


def upgrade() -> None:
    """From decisions that only their own texts tell of to decisions that thousands can be decided anew of at once."""
    for statement in _PARAMETROS:
        op.execute(statement)
