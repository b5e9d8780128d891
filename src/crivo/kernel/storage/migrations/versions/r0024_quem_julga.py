"""Who judges is drawn, kept from what they must not judge, calibrated, and given a day until which notas are taken.

What people wrote of people stands under keys: why somebody must not judge a project under the project's, why somebody may send later
under that of their account. A draw is kept whole, by ids, so that it can be made again.
"""

from __future__ import annotations

from typing import Final

from alembic import op

revision = "0024"
down_revision = "0023"

_SORTEIOS: Final = """
    create table sorteios (
        tenant_id text not null,
        ato_id uuid not null,
        alvo text not null check (alvo in ('edital', 'outra')),
        por_projeto integer not null check (por_projeto > 0),
        semente text not null,
        entrada text not null,
        entrada_resumo text not null,
        pares_resumo text not null,
        primary key (tenant_id, ato_id),
        foreign key (tenant_id, ato_id) references atribuicao_atos (tenant_id, id)
    )"""
# `dito` is why, and what had been sent when it was recorded: that counts no more, and stays readable.
_IMPEDIMENTOS: Final = (
    """
    create table impedimentos (
        tenant_id text not null,
        id uuid not null,
        projeto_id uuid not null,
        avaliador_id uuid not null,
        dito text not null,
        tirada_id uuid,
        registrado_por uuid not null,
        registrado_em timestamptz not null,
        desfeito_por uuid,
        desfeito_em timestamptz,
        primary key (tenant_id, id),
        check ((desfeito_por is null) = (desfeito_em is null)),
        foreign key (tenant_id, projeto_id) references projetos (tenant_id, id),
        foreign key (tenant_id, avaliador_id) references usuarios (tenant_id, id),
        foreign key (tenant_id, tirada_id) references atribuicoes_tiradas (tenant_id, id),
        foreign key (tenant_id, registrado_por) references usuarios (tenant_id, id),
        foreign key (tenant_id, desfeito_por) references usuarios (tenant_id, id)
    )""",
    "create unique index impedimentos_em_vigor on impedimentos (tenant_id, projeto_id, avaliador_id) where desfeito_em is null",
)
# One round at a time in an edital; `aberta_por` is nobody where the last nota opened the rest.
_CALIBRACOES: Final = (
    """
    create table calibracoes (
        tenant_id text not null,
        id uuid not null,
        edital_id uuid not null,
        ato_id uuid,
        projetos uuid[] not null check (cardinality(projetos) > 0),
        feita_por uuid not null,
        feita_em timestamptz not null,
        aberta_por uuid,
        aberta_em timestamptz,
        motivo text not null,
        desfeita_por uuid,
        desfeita_em timestamptz,
        primary key (tenant_id, id),
        check (aberta_por is null or aberta_em is not null),
        check ((desfeita_por is null) = (desfeita_em is null)),
        foreign key (tenant_id, edital_id) references editais (tenant_id, id),
        foreign key (tenant_id, ato_id) references atribuicao_atos (tenant_id, id),
        foreign key (tenant_id, feita_por) references usuarios (tenant_id, id),
        foreign key (tenant_id, aberta_por) references usuarios (tenant_id, id),
        foreign key (tenant_id, desfeita_por) references usuarios (tenant_id, id)
    )""",
    "create unique index calibracoes_em_curso on calibracoes (tenant_id, edital_id) where aberta_em is null and desfeita_em is null",
    "create index calibracoes_por_edital on calibracoes (tenant_id, edital_id, feita_em)",
)
_PRAZOS: Final = (
    """
    create table avaliacao_prazos (
        tenant_id text not null,
        id uuid not null,
        edital_id uuid not null,
        avaliador_id uuid not null,
        ate date not null,
        motivo text not null,
        feito_por uuid not null,
        feito_em timestamptz not null,
        desfeito_por uuid,
        desfeito_em timestamptz,
        primary key (tenant_id, id),
        check ((desfeito_por is null) = (desfeito_em is null)),
        foreign key (tenant_id, edital_id) references editais (tenant_id, id),
        foreign key (tenant_id, avaliador_id) references usuarios (tenant_id, id),
        foreign key (tenant_id, feito_por) references usuarios (tenant_id, id),
        foreign key (tenant_id, desfeito_por) references usuarios (tenant_id, id)
    )""",
    "create index avaliacao_prazos_por_edital on avaliacao_prazos (tenant_id, edital_id, avaliador_id)",
)

_GRANTS: Final = (
    "grant select, insert on sorteios to crivo_app",
    "grant select, insert, update (dito, desfeito_por, desfeito_em) on impedimentos to crivo_app",
    "grant select, insert, update (aberta_por, aberta_em, motivo, desfeita_por, desfeita_em) on calibracoes to crivo_app",
    "grant select, insert, update (motivo, desfeito_por, desfeito_em) on avaliacao_prazos to crivo_app",
)

_CURRENT_TENANT: Final = "(select nullif(current_setting('app.tenant_id', true), ''))"


def upgrade() -> None:
    """From projects given by hand to projects drawn, with what keeps people from them."""
    for statement in (_SORTEIOS, *_IMPEDIMENTOS, *_CALIBRACOES, *_PRAZOS, *_GRANTS):
        op.execute(statement)
    mine = f"tenant_id = {_CURRENT_TENANT}"
    for table in ("sorteios", "impedimentos", "calibracoes", "avaliacao_prazos"):
        op.execute(f"alter table {table} enable row level security")
        op.execute(f"alter table {table} force row level security")
        op.execute(f"create policy inquilino on {table} using ({mine}) with check ({mine})")
