"""Projects are given to people who judge in acts that can be undone, are taken from them with a reason, and people are reminded of them."""

from __future__ import annotations

from typing import Final

from alembic import op

revision = "0021"
down_revision = "0020"

_ACTS: Final = (
    """
    create table atribuicao_atos (
        tenant_id text not null,
        id uuid not null,
        edital_id uuid not null,
        projetos integer not null check (projetos > 0),
        dadas integer not null check (dadas >= projetos),
        feito_por uuid not null,
        feito_em timestamptz not null,
        primary key (tenant_id, id),
        foreign key (tenant_id, edital_id) references editais (tenant_id, id),
        foreign key (tenant_id, feito_por) references usuarios (tenant_id, id)
    )""",
    "create index atribuicao_atos_por_edital on atribuicao_atos (tenant_id, edital_id, feito_em)",
    # What came with an import has no act; a reminder is of one project, and goes where the project goes.
    """
    alter table atribuicoes
        add column ato_id uuid,
        add column lembrado_por uuid,
        add column lembrado_em timestamptz,
        add foreign key (tenant_id, ato_id) references atribuicao_atos (tenant_id, id),
        add foreign key (tenant_id, lembrado_por) references usuarios (tenant_id, id),
        add check ((lembrado_por is null) = (lembrado_em is null))""",
    "create index atribuicoes_por_ato on atribuicoes (tenant_id, ato_id) where ato_id is not null",
)

# What somebody had written of it stays where it is; whether it goes on counting was said here.
_TAKEN: Final = (
    """
    create table atribuicoes_tiradas (
        tenant_id text not null,
        id uuid not null,
        projeto_id uuid not null,
        avaliador_id uuid not null,
        motivo text not null,
        notas text not null check (notas in ('nenhuma', 'contam', 'nao_contam')),
        tirada_por uuid not null,
        tirada_em timestamptz not null,
        primary key (tenant_id, id),
        foreign key (tenant_id, projeto_id) references projetos (tenant_id, id),
        foreign key (tenant_id, avaliador_id) references usuarios (tenant_id, id),
        foreign key (tenant_id, tirada_por) references usuarios (tenant_id, id)
    )""",
    "create index atribuicoes_tiradas_por_projeto on atribuicoes_tiradas (tenant_id, projeto_id)",
)

_GRANTS: Final = (
    "grant select, insert on atribuicao_atos to crivo_app",
    "grant select, insert on atribuicoes_tiradas to crivo_app",
    "grant update (lembrado_por, lembrado_em) on atribuicoes to crivo_app",
)

_CURRENT_TENANT: Final = "(select nullif(current_setting('app.tenant_id', true), ''))"


def upgrade() -> None:
    """From projects that only an import gives to projects that people give."""
    for statement in (*_ACTS, *_TAKEN, *_GRANTS):
        op.execute(statement)
    mine = f"tenant_id = {_CURRENT_TENANT}"
    for table in ("atribuicao_atos", "atribuicoes_tiradas"):
        op.execute(f"alter table {table} enable row level security")
        op.execute(f"alter table {table} force row level security")
        op.execute(f"create policy inquilino on {table} using ({mine}) with check ({mine})")
