"""What models write: prices that nobody knows, notas of a screening with their author, and how far a model agrees with the code."""

from __future__ import annotations

from typing import Final

from alembic import op

revision = "0003"
down_revision = "0002"

_TENANT: Final = "tenant_id text not null constraint {table}_do_inquilino references tenants (id)"

_CALLS: Final = (
    "alter table modelo_chamadas alter column custo drop not null, add column agente text not null default ''",
    "create index modelo_chamadas_por_data on modelo_chamadas (tenant_id, created_at) include (custo)",
)

# A model that abstains suggests no nota, and the reason is kept with the critério all the same.
_NOTAS: Final = (
    """
    alter table triagem_ia_notas
        alter column nota_sugerida drop not null,
        add column situacao text not null default 'sugerida' check (situacao in ('sugerida', 'sem_evidencia', 'abstencao', 'falhou')),
        add column modelo text not null default '',
        add column simulado boolean not null default false,
        add column amostras jsonb not null default '[]',
        add column observacao text not null default ''""",
)

# The signs that are in one project alone, found with the rest of its judging; null where they were not looked for.
_SINAIS: Final = ("alter table triagem_ia_resultados add column sinais jsonb",)

_AUTORIZACOES: Final = (
    f"""
    create table autorizacao_concordancias (
        {_TENANT.format(table="autorizacao_concordancias")},
        autorizacao_id uuid not null,
        agente text not null,
        campo text not null,
        modelo text not null,
        igual boolean not null,
        falha text,
        created_at timestamptz not null,
        primary key (tenant_id, autorizacao_id, agente, campo, modelo),
        foreign key (tenant_id, autorizacao_id) references autorizacoes (tenant_id, id)
    )""",
    f"""
    create table mapeamentos_propostos (
        {_TENANT.format(table="mapeamentos_propostos")},
        id uuid not null,
        administradora_id text not null,
        origem text not null,
        destino text not null,
        modelo text not null,
        situacao text not null check (situacao in ('proposto', 'confirmado', 'recusado')),
        autorizacao_id uuid,
        proposto_em timestamptz not null,
        decidido_em timestamptz,
        decidido_por text,
        motivo text,
        primary key (tenant_id, id),
        unique (tenant_id, administradora_id, origem),
        foreign key (tenant_id, autorizacao_id) references autorizacoes (tenant_id, id)
    )""",
)

_GRANTS: Final = (
    ("autorizacao_concordancias", "select, insert, delete"),
    ("mapeamentos_propostos", "select, insert, update (destino, situacao, decidido_em, decidido_por, motivo)"),
)

_CURRENT_TENANT: Final = "(select nullif(current_setting('app.tenant_id', true), ''))"


def upgrade() -> None:
    """From code alone to code that is helped by a model."""
    for statement in (*_CALLS, *_NOTAS, *_SINAIS, *_AUTORIZACOES):
        op.execute(statement)
    op.execute("grant delete on triagem_ia_notas to crivo_app")
    op.execute("grant update (sinais) on triagem_ia_resultados to crivo_app")
    for table, allowed in _GRANTS:
        op.execute(f"grant {allowed} on {table} to crivo_app")
        op.execute(f"alter table {table} enable row level security")
        op.execute(f"alter table {table} force row level security")
        op.execute(f"create policy inquilino on {table} using (tenant_id = {_CURRENT_TENANT}) with check (tenant_id = {_CURRENT_TENANT})")
