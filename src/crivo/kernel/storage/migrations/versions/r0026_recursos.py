"""Applicants answer results and decisions: their codes, what they ask, what is answered, and notas that give way to revised ones."""

from __future__ import annotations

from typing import Final

from alembic import op

revision = "0026"
down_revision = "0025"

# A code is made again from the key of the installation whenever it is shown: here is only by what it is found. The last generation counts.
_CODES: Final = """
    create table recurso_codigos (
        tenant_id text not null,
        projeto_id uuid not null,
        geracao integer not null check (geracao > 0),
        resumo bytea not null check (octet_length(resumo) = 32),
        feito_em timestamptz not null,
        primary key (tenant_id, projeto_id, geracao),
        unique (tenant_id, resumo),
        foreign key (tenant_id, projeto_id) references projetos (tenant_id, id)
    )"""
_RECURSOS: Final = (
    """
    create table recursos (
        tenant_id text not null,
        id uuid not null,
        edital_id uuid not null,
        numero integer not null check (numero > 0),
        projeto_id uuid not null,
        contra text not null check (contra in ('resultado', 'habilitacao')),
        entrada text not null check (entrada in ('link', 'papel')),
        versao integer,
        apresentado_em timestamptz not null,
        recebido_em timestamptz not null,
        registrado_por uuid,
        tardio boolean not null,
        chave uuid not null,
        selado bytea not null,
        resumo bytea not null check (octet_length(resumo) = 32),
        primary key (tenant_id, id),
        unique (tenant_id, edital_id, numero),
        foreign key (tenant_id, edital_id) references editais (tenant_id, id),
        foreign key (tenant_id, projeto_id) references projetos (tenant_id, id),
        foreign key (tenant_id, registrado_por) references usuarios (tenant_id, id),
        check ((entrada = 'papel') = (registrado_por is not null)),
        check (entrada = 'papel' or not tardio)
    )""",
    "create index recursos_por_projeto on recursos (tenant_id, projeto_id)",
    """
    create table recurso_papeis (
        tenant_id text not null,
        recurso_id uuid not null,
        ordem integer not null check (ordem > 0),
        chave uuid not null,
        conteudo bytea not null,
        primary key (tenant_id, recurso_id, ordem),
        foreign key (tenant_id, recurso_id) references recursos (tenant_id, id)
    )""",
)
_ANSWERS: Final = (
    """
    create table recurso_respostas (
        tenant_id text not null,
        id uuid not null,
        recurso_id uuid not null,
        desfecho text not null check (desfecho in ('provido', 'parcialmente_provido', 'nao_provido', 'nao_conhecido')),
        ato_id uuid,
        corrige_campo boolean not null,
        versao integer not null check (versao >= 0),
        chave uuid not null,
        selado bytea not null,
        respondido_por uuid not null,
        respondido_em timestamptz not null,
        desfeita_por uuid,
        desfeita_em timestamptz,
        primary key (tenant_id, id),
        foreign key (tenant_id, recurso_id) references recursos (tenant_id, id),
        foreign key (tenant_id, ato_id) references habilitacao_atos (tenant_id, id),
        foreign key (tenant_id, respondido_por) references usuarios (tenant_id, id),
        foreign key (tenant_id, desfeita_por) references usuarios (tenant_id, id),
        check ((desfeita_por is null) = (desfeita_em is null))
    )""",
    "create unique index recurso_respostas_em_vigor on recurso_respostas (tenant_id, recurso_id) where desfeita_em is null",
    "create index recurso_respostas_por_recurso on recurso_respostas (tenant_id, recurso_id)",
    # The nota that stood stays here; the one in its place names this row for as long as it stands.
    """
    create table nota_revisoes (
        tenant_id text not null,
        id uuid not null,
        resposta_id uuid not null,
        projeto_id uuid not null,
        criterio_id uuid not null,
        avaliador_id uuid not null,
        de numeric not null,
        para numeric not null,
        anterior_id uuid,
        revista_por uuid not null,
        revista_em timestamptz not null,
        primary key (tenant_id, id),
        foreign key (tenant_id, resposta_id) references recurso_respostas (tenant_id, id),
        foreign key (tenant_id, projeto_id) references projetos (tenant_id, id),
        foreign key (tenant_id, criterio_id) references criterios (tenant_id, id),
        foreign key (tenant_id, avaliador_id) references usuarios (tenant_id, id),
        foreign key (tenant_id, anterior_id) references nota_revisoes (tenant_id, id),
        foreign key (tenant_id, revista_por) references usuarios (tenant_id, id)
    )""",
    "create index nota_revisoes_por_projeto on nota_revisoes (tenant_id, projeto_id)",
    """
    alter table avaliacoes
        add column revisao_id uuid,
        add foreign key (tenant_id, revisao_id) references nota_revisoes (tenant_id, id)""",
)
_GRANTS: Final = (
    "grant select, insert on recurso_codigos to crivo_app",
    "grant select, insert on recursos to crivo_app",
    "grant select, insert, update (conteudo) on recurso_papeis to crivo_app",
    "grant select, insert, update (desfeita_por, desfeita_em) on recurso_respostas to crivo_app",
    "grant select, insert on nota_revisoes to crivo_app",
    "grant update (revisao_id) on avaliacoes to crivo_app",
)
_TABLES: Final = ("recurso_codigos", "recursos", "recurso_papeis", "recurso_respostas", "nota_revisoes")
_CURRENT_TENANT: Final = "(select nullif(current_setting('app.tenant_id', true), ''))"


def upgrade() -> None:
    """From results that nobody can answer to recursos and their answers."""
    for statement in (_CODES, *_RECURSOS, *_ANSWERS, *_GRANTS):
        op.execute(statement)
    mine = f"tenant_id = {_CURRENT_TENANT}"
    for table in _TABLES:
        op.execute(f"alter table {table} enable row level security")
        op.execute(f"alter table {table} force row level security")
        op.execute(f"create policy inquilino on {table} using ({mine}) with check ({mine})")
