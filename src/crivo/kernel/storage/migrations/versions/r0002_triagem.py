"""Public calls and their screening, the people who judge, files by their content, calls of a model, and the queue of durable jobs."""

from __future__ import annotations

from typing import Final

from alembic import op

from crivo.kernel.jobs.schema import queue_schema, queue_version

revision = "0002"
down_revision = "0001"

_TENANT: Final = "tenant_id text not null constraint {table}_do_inquilino references tenants (id)"

_PEOPLE: Final = (
    f"""
    create table usuarios (
        {_TENANT.format(table="usuarios")},
        id uuid not null,
        nome text not null,
        email text not null,
        papel text not null check (papel in ('gestor', 'admin', 'super_admin', 'avaliador', 'revisor', 'operador')),
        criado_em timestamptz not null,
        desativado_em timestamptz,
        primary key (tenant_id, id)
    )""",
    "create unique index usuarios_por_email on usuarios (tenant_id, lower(email)) where email <> ''",
    # A key may act for a person, and then may do no more than they may.
    """
    alter table chaves_api
        add column usuario_id uuid,
        add foreign key (tenant_id, usuario_id) references usuarios (tenant_id, id)""",
    f"""
    create table logs_auditoria (
        {_TENANT.format(table="logs_auditoria")},
        id uuid not null,
        ator text not null,
        acao text not null,
        entidade text not null,
        entidade_id text not null,
        dados jsonb not null,
        created_at timestamptz not null,
        primary key (tenant_id, id)
    )""",
)

# What is no longer in the edital is withdrawn, not deleted: execuções of the past speak of it.
_CALLS: Final = (
    f"""
    create table editais (
        {_TENANT.format(table="editais")},
        id uuid not null,
        codigo text not null,
        nome text not null,
        dados jsonb not null,
        importacao integer not null check (importacao > 0),
        importado_em timestamptz not null,
        importado_por text not null,
        primary key (tenant_id, id),
        unique (tenant_id, codigo)
    )""",
    """
    create table edital_requisitos (
        tenant_id text not null,
        edital_id uuid not null,
        ordem integer not null,
        codigo text not null,
        tipo text not null check (tipo in ('documento', 'condicao')),
        dados jsonb not null,
        primary key (tenant_id, edital_id, ordem),
        unique (tenant_id, edital_id, codigo),
        foreign key (tenant_id, edital_id) references editais (tenant_id, id)
    )""",
    """
    create table criterios (
        tenant_id text not null,
        id uuid not null,
        edital_id uuid not null,
        codigo text not null,
        ordem integer not null,
        nome text not null,
        descricao text not null,
        peso numeric not null,
        nota_min numeric not null,
        nota_max numeric not null,
        niveis jsonb not null,
        retirado_em timestamptz,
        primary key (tenant_id, id),
        unique (tenant_id, edital_id, codigo),
        foreign key (tenant_id, edital_id) references editais (tenant_id, id)
    )""",
    """
    create table projetos (
        tenant_id text not null,
        id uuid not null,
        edital_id uuid not null,
        codigo text not null,
        ordem integer not null,
        titulo text not null,
        categoria text not null,
        enviado_em timestamptz,
        resumo text not null,
        descricao_tecnica text not null,
        proponente jsonb not null,
        campos jsonb not null,
        retirado_em timestamptz,
        primary key (tenant_id, id),
        unique (tenant_id, edital_id, codigo),
        foreign key (tenant_id, edital_id) references editais (tenant_id, id)
    )""",
    """
    create table orcamento_itens (
        tenant_id text not null,
        projeto_id uuid not null,
        ordem integer not null,
        descricao text not null,
        quantidade numeric not null,
        valor_unitario numeric not null,
        primary key (tenant_id, projeto_id, ordem),
        foreign key (tenant_id, projeto_id) references projetos (tenant_id, id)
    )""",
    """
    create table cronograma_etapas (
        tenant_id text not null,
        projeto_id uuid not null,
        ordem integer not null,
        nome text not null,
        inicio date,
        fim date,
        primary key (tenant_id, projeto_id, ordem),
        foreign key (tenant_id, projeto_id) references projetos (tenant_id, id)
    )""",
    f"""
    create table arquivos (
        {_TENANT.format(table="arquivos")},
        sha256 bytea not null check (length(sha256) = 32),
        conteudo bytea not null,
        primary key (tenant_id, sha256)
    )""",
    "alter table arquivos alter column conteudo set storage external",  # PDF, DOCX and images are packed already
    """
    create table projeto_documentos (
        tenant_id text not null,
        projeto_id uuid not null,
        ordem integer not null,
        requisito text,
        arquivo text not null,
        sha256 bytea not null,
        tamanho_bytes bigint not null,
        primary key (tenant_id, projeto_id, ordem),
        foreign key (tenant_id, projeto_id) references projetos (tenant_id, id),
        foreign key (tenant_id, sha256) references arquivos (tenant_id, sha256)
    )""",
    "create index projeto_documentos_por_conteudo on projeto_documentos (tenant_id, sha256)",
    """
    create table edital_avaliadores (
        tenant_id text not null,
        edital_id uuid not null,
        ordem integer not null,
        usuario_id uuid not null,
        dados jsonb not null,
        primary key (tenant_id, edital_id, ordem),
        unique (tenant_id, edital_id, usuario_id),
        foreign key (tenant_id, edital_id) references editais (tenant_id, id),
        foreign key (tenant_id, usuario_id) references usuarios (tenant_id, id)
    )""",
    """
    create table atribuicoes (
        tenant_id text not null,
        avaliador_id uuid not null,
        projeto_id uuid not null,
        primary key (tenant_id, avaliador_id, projeto_id),
        foreign key (tenant_id, avaliador_id) references usuarios (tenant_id, id),
        foreign key (tenant_id, projeto_id) references projetos (tenant_id, id)
    )""",
    "create index atribuicoes_por_projeto on atribuicoes (tenant_id, projeto_id)",
    """
    create table avaliacoes (
        tenant_id text not null,
        projeto_id uuid not null,
        criterio_id uuid not null,
        avaliador_id uuid not null,
        nota numeric not null,
        texto text not null,
        created_at timestamptz not null,
        atualizada_em timestamptz not null,
        primary key (tenant_id, projeto_id, criterio_id, avaliador_id),
        foreign key (tenant_id, projeto_id) references projetos (tenant_id, id),
        foreign key (tenant_id, criterio_id) references criterios (tenant_id, id),
        foreign key (tenant_id, avaliador_id) references usuarios (tenant_id, id)
    )""",
)

_SCREENING: Final = (
    """
    create table triagem_ia_execucoes (
        tenant_id text not null,
        id uuid not null,
        edital_id uuid not null,
        executado_por uuid,
        tipo text not null check (tipo in ('habilitacao', 'avaliacao', 'irregularidades', 'completa')),
        status text not null check (status in ('em_andamento', 'concluida', 'erro', 'cancelada')),
        total_projetos integer not null check (total_projetos >= 0),
        projetos_analisados integer not null default 0 check (projetos_analisados between 0 and total_projetos),
        erro_mensagem text,
        created_at timestamptz not null,
        concluida_em timestamptz,
        iniciada_por text not null,
        importacao integer not null,
        retomada_em timestamptz,
        analisados_antes integer not null default 0,
        irregularidades_digest bytea,
        irregularidades_reaproveitadas boolean not null default false,
        primary key (tenant_id, id),
        foreign key (tenant_id, edital_id) references editais (tenant_id, id),
        foreign key (tenant_id, executado_por) references usuarios (tenant_id, id),
        check ((status = 'em_andamento') = (concluida_em is null))
    )""",
    "create unique index uma_execucao_em_andamento on triagem_ia_execucoes (tenant_id, edital_id) where status = 'em_andamento'",
    "create index execucoes_por_edital on triagem_ia_execucoes (tenant_id, edital_id, created_at)",
    """
    create table triagem_ia_resultados (
        tenant_id text not null,
        id uuid not null,
        execucao_id uuid not null,
        projeto_id uuid not null,
        habilitacao_sugerida text check (habilitacao_sugerida in ('habilitado', 'inabilitado', 'pendencia')),
        habilitacao_motivo text,
        docs_completos boolean,
        docs_problemas jsonb,
        irregularidades_flags jsonb,
        similaridade_max decimal(5, 4),
        projeto_similar_id uuid,
        created_at timestamptz not null,
        itens jsonb not null default '[]',
        leitura jsonb not null default '[]',
        erro text,
        lido_em timestamptz,
        concluido_em timestamptz,
        conteudo_digest bytea,
        reaproveitado boolean not null default false,
        primary key (tenant_id, id),
        unique (tenant_id, execucao_id, projeto_id),
        foreign key (tenant_id, execucao_id) references triagem_ia_execucoes (tenant_id, id),
        foreign key (tenant_id, projeto_id) references projetos (tenant_id, id),
        foreign key (tenant_id, projeto_similar_id) references projetos (tenant_id, id)
    )""",
    "create index resultados_por_conteudo on triagem_ia_resultados (tenant_id, projeto_id, conteudo_digest)",
    """
    create table triagem_ia_notas (
        tenant_id text not null,
        id uuid not null,
        resultado_id uuid not null,
        criterio_id uuid not null,
        nota_sugerida decimal(5, 2) not null,
        justificativa text not null,
        confianca decimal(3, 2) not null check (confianca between 0 and 1),
        created_at timestamptz not null,
        evidencias jsonb not null default '[]',
        primary key (tenant_id, id),
        unique (tenant_id, resultado_id, criterio_id),
        foreign key (tenant_id, resultado_id) references triagem_ia_resultados (tenant_id, id),
        foreign key (tenant_id, criterio_id) references criterios (tenant_id, id)
    )""",
    """
    create table triagem_ia_irregularidades (
        tenant_id text not null,
        execucao_id uuid not null,
        ordem integer not null,
        tipo text not null,
        dados jsonb not null,
        primary key (tenant_id, execucao_id, ordem),
        foreign key (tenant_id, execucao_id) references triagem_ia_execucoes (tenant_id, id)
    )""",
)

# Work that is not done twice: each is found again by what it was made from.
_KEPT: Final = (
    f"""
    create table documentos_lidos (
        {_TENANT.format(table="documentos_lidos")},
        sha256 bytea not null,
        versao text not null,
        lido bytea not null,
        paginas integer not null,
        created_at timestamptz not null,
        primary key (tenant_id, sha256, versao)
    )""",
    f"""
    create table vetores (
        {_TENANT.format(table="vetores")},
        embedder text not null,
        sha256 bytea not null,
        vetor bytea not null,
        primary key (tenant_id, embedder, sha256)
    )""",
    f"""
    create table modelo_chamadas (
        {_TENANT.format(table="modelo_chamadas")},
        modelo text not null,
        prompt_digest bytea not null,
        conteudo_digest bytea not null,
        amostra integer not null check (amostra >= 0),
        resposta bytea not null,
        tokens_entrada integer not null check (tokens_entrada >= 0),
        tokens_saida integer not null check (tokens_saida >= 0),
        custo numeric not null check (custo >= 0),
        origem text not null,
        created_at timestamptz not null,
        primary key (tenant_id, modelo, prompt_digest, conteudo_digest, amostra)
    )""",
    "create index modelo_chamadas_por_origem on modelo_chamadas (tenant_id, origem) include (custo)",
)

# What the runtime role may do, and no more: answers that were paid for and what was noted of people are never rewritten.
_GRANTS: Final = (
    ("usuarios", "select, insert, update (nome, email, papel, desativado_em)"),
    ("logs_auditoria", "select, insert"),
    ("editais", "select, insert, update (nome, dados, importacao, importado_em, importado_por)"),
    ("edital_requisitos", "select, insert, delete"),
    ("criterios", "select, insert, update (ordem, nome, descricao, peso, nota_min, nota_max, niveis, retirado_em)"),
    (
        "projetos",
        "select, insert, update (ordem, titulo, categoria, enviado_em, resumo, descricao_tecnica, proponente, campos, retirado_em)",
    ),
    ("orcamento_itens", "select, insert, delete"),
    ("cronograma_etapas", "select, insert, delete"),
    ("arquivos", "select, insert, delete"),
    ("projeto_documentos", "select, insert, delete"),
    ("edital_avaliadores", "select, insert, delete"),
    ("atribuicoes", "select, insert, delete"),
    ("avaliacoes", "select, insert, update (nota, texto, atualizada_em)"),
    (
        "triagem_ia_execucoes",
        (
            "select, insert, update (status, projetos_analisados, erro_mensagem, concluida_em, retomada_em, analisados_antes, "
            "irregularidades_digest, irregularidades_reaproveitadas)"
        ),
    ),
    (
        "triagem_ia_resultados",
        (
            "select, insert, update (habilitacao_sugerida, habilitacao_motivo, docs_completos, docs_problemas, irregularidades_flags, "
            "similaridade_max, projeto_similar_id, itens, leitura, erro, lido_em, concluido_em, conteudo_digest, reaproveitado)"
        ),
    ),
    ("triagem_ia_notas", "select, insert"),
    ("triagem_ia_irregularidades", "select, insert, delete"),
    ("documentos_lidos", "select, insert, delete"),
    ("vetores", "select, insert"),
    ("modelo_chamadas", "select, insert"),
)
# Jobs know no tenant: their arguments name one, and ids, and nothing else.
_QUEUE_GRANTS: Final = (
    "grant select, insert, update, delete on procrastinate_jobs, procrastinate_workers to crivo_app",
    "grant select, insert, update, delete on procrastinate_periodic_defers, procrastinate_events to crivo_app",
    "grant usage on all sequences in schema public to crivo_app",
)

# Each large value is read whole and by its key: lz4 packs it in a fraction of pglz's time. Not every PostgreSQL is built with it.
_COMPRESSION: Final = """
    do $$
    begin
        if (select 'lz4' = any (enumvals) from pg_settings where name = 'default_toast_compression') then
            alter table documentos_lidos alter column lido set compression lz4;
            alter table projetos alter column descricao_tecnica set compression lz4;
        end if;
    end $$"""

_CURRENT_TENANT: Final = "(select nullif(current_setting('app.tenant_id', true), ''))"


def upgrade() -> None:
    """From authorizations alone to both applications, and the queue that their workers share."""
    for statement in (*_PEOPLE, *_CALLS, *_SCREENING, *_KEPT, _COMPRESSION):
        op.execute(statement)
    for table, allowed in _GRANTS:
        op.execute(f"grant {allowed} on {table} to crivo_app")
        op.execute(f"alter table {table} enable row level security")
        op.execute(f"alter table {table} force row level security")
        op.execute(f"create policy inquilino on {table} using (tenant_id = {_CURRENT_TENANT}) with check (tenant_id = {_CURRENT_TENANT})")
    op.get_bind().connection.cursor().execute(queue_schema())  # many statements in one text, which only the driver takes
    for statement in _QUEUE_GRANTS:
        op.execute(statement)
    # Which of the library's migrations a later revision has to go on from, whatever version of it is installed today.
    op.execute(f"comment on table procrastinate_jobs is '{queue_version()}'")
