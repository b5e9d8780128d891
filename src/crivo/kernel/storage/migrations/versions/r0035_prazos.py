"""What waits for a person has an owner, is found by what it is about, and is counted by the days of its place."""

from __future__ import annotations

from typing import Final

from alembic import op

revision = "0035"
down_revision = "0034"

_OF_DECISION: Final = "foreign key (tenant_id, autorizacao_id) references autorizacoes (tenant_id, id)"
_TABLES: Final = (
    # What the queue is filtered by; `assunto` (beneficiário, procedure) is sealed under the decision's own key.
    f"""
    create table autorizacao_fichas (
        tenant_id text not null,
        autorizacao_id uuid not null,
        tipo text,
        plano_id text,
        regra_id text,
        motivos text[] not null,
        assunto bytea not null,
        primary key (tenant_id, autorizacao_id),
        {_OF_DECISION}
    )""",
    # `responsavel` null is nobody's; `antes` and `lote` are what undoes the last act on it.
    f"""
    create table autorizacao_responsaveis (
        tenant_id text not null,
        autorizacao_id uuid not null,
        responsavel text,
        antes text,
        lote uuid not null,
        por text not null,
        desde timestamptz not null,
        primary key (tenant_id, autorizacao_id),
        {_OF_DECISION}
    )""",
    "create index responsaveis_por_lote on autorizacao_responsaveis (tenant_id, lote)",
    # Of an administradora, or of all others where it is empty.
    """
    create table autorizacao_calendarios (
        tenant_id text not null,
        administradora_id text not null,
        uf text not null,
        cidade text not null,
        folgas text not null,
        definido_por text not null,
        definido_em timestamptz not null,
        primary key (tenant_id, administradora_id)
    )""",
    # Somebody was told that the end is near, or past: once of each.
    f"""
    create table autorizacao_avisos (
        tenant_id text not null,
        autorizacao_id uuid not null,
        aviso text not null check (aviso in ('perto', 'vencido')),
        em timestamptz not null,
        primary key (tenant_id, autorizacao_id, aviso),
        {_OF_DECISION}
    )""",
)
_GRANTS: Final = (
    ("autorizacao_fichas", "select, insert"),
    ("autorizacao_responsaveis", "select, insert, update (responsavel, antes, lote, por, desde), delete"),
    ("autorizacao_calendarios", "select, insert, update (uf, cidade, folgas, definido_por, definido_em), delete"),
    ("autorizacao_avisos", "select, insert"),
)
_CURRENT_TENANT: Final = "(select nullif(current_setting('app.tenant_id', true), ''))"


def upgrade() -> None:
    """From a queue of claims for half an hour to one that people share out among them."""
    for statement in _TABLES:
        op.execute(statement)
    for table, allowed in _GRANTS:
        op.execute(f"grant {allowed} on {table} to crivo_app")
        op.execute(f"alter table {table} enable row level security")
        op.execute(f"alter table {table} force row level security")
        op.execute(f"create policy inquilino on {table} using (tenant_id = {_CURRENT_TENANT}) with check (tenant_id = {_CURRENT_TENANT})")
