"""Results are published as versions, which nobody changes or takes away."""

from __future__ import annotations

from typing import Final

from alembic import op

revision = "0022"
down_revision = "0021"

_PUBLISHED: Final = """
    create table resultados_publicados (
        tenant_id text not null,
        edital_id uuid not null,
        versao integer not null check (versao > 0),
        fase text not null check (fase in ('preliminar', 'final')),
        codigo text not null,
        sha256 text not null check (length(sha256) = 64),
        escrito bytea not null,
        semente text not null,
        motivo text not null,
        recursos_ate date,
        publicado_por uuid not null,
        publicado_em timestamptz not null,
        primary key (tenant_id, edital_id, versao),
        unique (tenant_id, codigo),
        foreign key (tenant_id, edital_id) references editais (tenant_id, id),
        foreign key (tenant_id, publicado_por) references usuarios (tenant_id, id)
    )"""
_CURRENT_TENANT: Final = "(select nullif(current_setting('app.tenant_id', true), ''))"


def upgrade() -> None:
    """From results that are counted anew each time to results that were published."""
    op.execute(_PUBLISHED)
    op.execute("grant select, insert on resultados_publicados to crivo_app")
    op.execute("alter table resultados_publicados enable row level security")
    op.execute("alter table resultados_publicados force row level security")
    mine = f"tenant_id = {_CURRENT_TENANT}"
    op.execute(f"create policy inquilino on resultados_publicados using ({mine}) with check ({mine})")
