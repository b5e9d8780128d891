"""The ends of all chains may be noted at once, and what was refused is counted, so that nobody fills the disk with it."""

from __future__ import annotations

from alembic import op

revision = "0008"
down_revision = "0007"

# Ids of organizations and digests, of which nothing can be read back: whoever notes the ends of chains says so in their transaction.
_NOTARY = """
    create policy ancoragem on auditoria_cabecas for select
        using ((select current_setting('app.ancoragem', true)) = 'todas')"""
# A row counts what was refused to one account from one address within an hour, or to a whole organization.
_REFUSED = (
    """
    create table recusas (
        tenant_id text not null constraint recusas_do_inquilino references tenants (id),
        chave bytea not null,
        desde timestamptz not null,
        vezes integer not null check (vezes > 0),
        primary key (tenant_id, chave)
    )""",
    "create index recusas_por_inicio on recusas (tenant_id, desde)",
    "grant select, insert, update (desde, vezes), delete on recusas to crivo_app",
    "alter table recusas enable row level security",
    "alter table recusas force row level security",
    """
    create policy inquilino on recusas
        using (tenant_id = (select nullif(current_setting('app.tenant_id', true), '')))
        with check (tenant_id = (select nullif(current_setting('app.tenant_id', true), '')))""",
)


def upgrade() -> None:
    """From a chain that vouches for itself to one that is noted elsewhere."""
    for statement in (_NOTARY, *_REFUSED):
        op.execute(statement)
