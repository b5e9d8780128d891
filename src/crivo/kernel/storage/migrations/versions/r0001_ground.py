"""Tenants, policies, authorizations, the audit chain and who may enter."""

from __future__ import annotations

from typing import Final

from alembic import op

revision = "0001"
down_revision = None

_TENANT: Final = "tenant_id text not null constraint {table}_do_inquilino references tenants (id)"

_TABLES: Final = (
    """
    create table tenants (
        id text primary key,
        nome text not null,
        criado_em timestamptz not null
    )""",
    f"""
    create table catalogos (
        {_TENANT.format(table="catalogos")},
        versao bigint not null,
        primary key (tenant_id)
    )""",
    f"""
    create table politicas (
        {_TENANT.format(table="politicas")},
        id uuid not null,
        administradora_id text not null,
        documento text not null,
        versao text not null,
        vigencia_inicio date not null,
        vigencia_fim date,
        status text not null check (status in ('rascunho', 'publicada', 'revogada')),
        regras_total integer not null check (regras_total >= 0),
        conteudo bytea not null,
        digest bytea not null,
        criada_em timestamptz not null,
        criada_por text not null,
        publicada_em timestamptz,
        publicada_na bigint,
        revogada_em timestamptz,
        revogada_na bigint,
        primary key (tenant_id, id),
        unique (tenant_id, administradora_id, documento, versao),
        check (vigencia_fim is null or vigencia_fim >= vigencia_inicio),
        check ((publicada_em is null) = (publicada_na is null)),
        check ((revogada_em is null) = (revogada_na is null)),
        check ((status = 'rascunho') = (publicada_na is null)),
        check ((status = 'revogada') = (revogada_na is not null))
    )""",
    f"""
    create table campos_equivalentes (
        {_TENANT.format(table="campos_equivalentes")},
        administradora_id text not null,
        catalogo_versao bigint not null,
        tabela jsonb not null,
        criada_em timestamptz not null,
        criada_por text not null,
        primary key (tenant_id, administradora_id, catalogo_versao)
    )""",
    # Written thousands of times a second, always beside an audit entry whose head already refuses an unknown tenant.
    """
    create table autorizacoes (
        tenant_id text not null,
        id uuid not null,
        pedido_id text,
        administradora_id text,
        decisao_final text not null,
        recebida_em timestamptz not null,
        data_recebimento date not null,
        catalogo_versao bigint not null,
        pedido bytea not null,
        decisao bytea not null,
        trilha bytea not null,
        digest bytea not null,
        primary key (tenant_id, id)
    )""",
    "create index autorizacoes_por_decisao on autorizacoes (tenant_id, decisao_final, id)",
    "create index autorizacoes_por_pedido on autorizacoes (tenant_id, pedido_id)",
    # Deferred, so that the key may be claimed before the decision is written.
    """
    create table idempotencia (
        tenant_id text not null,
        chave text not null,
        corpo_digest bytea not null,
        autorizacao_id uuid not null,
        criada_em timestamptz not null,
        primary key (tenant_id, chave),
        foreign key (tenant_id, autorizacao_id) references autorizacoes (tenant_id, id) deferrable initially deferred
    )""",
    f"""
    create table auditoria_cabecas (
        {_TENANT.format(table="auditoria_cabecas")},
        seq bigint not null check (seq >= 0),
        digest bytea not null,
        primary key (tenant_id)
    ) with (fillfactor = 10)""",  # one hot row: room on its page keeps its updates out of the index
    """
    create table auditoria (
        tenant_id text not null,
        seq bigint not null check (seq > 0),
        em timestamptz not null,
        ator text not null,
        acao text not null,
        alvo text not null,
        dados text not null,
        digest_anterior bytea not null,
        digest bytea not null,
        primary key (tenant_id, seq)
    )""",
    f"""
    create table chaves_api (
        {_TENANT.format(table="chaves_api")},
        id text not null,
        nome text not null,
        segredo_digest bytea not null,
        escopos text[] not null,
        criada_em timestamptz not null,
        expira_em timestamptz not null,
        revogada_em timestamptz,
        primary key (tenant_id, id)
    )""",
    f"""
    create table sessoes (
        {_TENANT.format(table="sessoes")},
        id_digest bytea not null,
        tipo text not null check (tipo in ('link', 'sessao')),
        ator text not null,
        criada_em timestamptz not null,
        expira_em timestamptz not null,
        primary key (tenant_id, id_digest)
    )""",
)

# What the runtime role may do, and no more: no table that keeps history can be rewritten or emptied by it.
_GRANTS: Final = (
    ("tenants", "select"),
    ("catalogos", "select, insert, update (versao)"),
    (
        "politicas",
        (
            "select, insert, update (vigencia_inicio, vigencia_fim, status, regras_total, conteudo, digest, "
            "criada_em, criada_por, publicada_em, publicada_na, revogada_em, revogada_na)"
        ),
    ),
    ("campos_equivalentes", "select, insert"),
    ("autorizacoes", "select, insert"),
    ("idempotencia", "select, insert"),
    ("auditoria_cabecas", "select, insert, update (seq, digest)"),
    ("auditoria", "select, insert"),
    ("chaves_api", "select, insert, update (revogada_em)"),
    ("sessoes", "select, insert, delete"),
    ("alembic_version", "select"),
)

_GUARDS: Final = (
    """
    create function auditoria_imutavel() returns trigger language plpgsql as $$
    begin
        raise exception 'auditoria: % is refused, entries are only ever added', tg_op using errcode = 'restrict_violation';
    end $$""",
    """
    create trigger auditoria_imutavel before update or delete or truncate on auditoria
    for each statement execute function auditoria_imutavel()""",
    """
    create function politica_publicada_imutavel() returns trigger language plpgsql as $$
    begin
        raise exception 'politicas: what was published is not rewritten' using errcode = 'restrict_violation';
    end $$""",
    """
    create trigger politica_publicada_imutavel before update on politicas for each row
    when (old.status <> 'rascunho' and (
        new.status = 'rascunho' or (old.status = 'revogada' and new.status <> 'revogada')
        or (old.vigencia_inicio, old.conteudo, old.digest, old.regras_total, old.publicada_em, old.publicada_na)
            is distinct from (new.vigencia_inicio, new.conteudo, new.digest, new.regras_total, new.publicada_em, new.publicada_na)
    )) execute function politica_publicada_imutavel()""",
)

# Each large value is read whole and by its key: lz4 packs it in a fraction of pglz's time. Not every PostgreSQL is built with it.
_COMPRESSION: Final = """
    do $$
    declare wide record;
    begin
        if (select 'lz4' = any (enumvals) from pg_settings where name = 'default_toast_compression') then
            for wide in
                select c.table_name, c.column_name from information_schema.columns c
                where c.table_schema = 'public' and c.data_type = 'bytea' and c.column_name in ('pedido', 'decisao', 'trilha', 'conteudo')
            loop
                execute format('alter table %I alter column %I set compression lz4', wide.table_name, wide.column_name);
            end loop;
        end if;
    end $$"""

_CURRENT_TENANT: Final = "(select nullif(current_setting('app.tenant_id', true), ''))"


def upgrade() -> None:
    """From an empty schema to the first one, with the tenant that every installation has."""
    op.execute("grant usage on schema public to crivo_app")
    for statement in _TABLES:
        op.execute(statement)
    op.execute(_COMPRESSION)
    for table, allowed in _GRANTS:
        op.execute(f"grant {allowed} on {table} to crivo_app")
        if table != "alembic_version":
            _keep_tenants_apart(table, key="id" if table == "tenants" else "tenant_id")
    for statement in _GUARDS:
        op.execute(statement)
    op.execute("select set_config('app.tenant_id', 'local', true)")  # the policies bind the owner too
    op.execute("insert into tenants (id, nome, criado_em) values ('local', 'Esta instalação', now())")


def _keep_tenants_apart(table: str, key: str) -> None:
    """Row-level security that binds the owner too; its settings are read once a statement, not once a row."""
    op.execute(f"alter table {table} enable row level security")
    op.execute(f"alter table {table} force row level security")
    op.execute(f"create policy inquilino on {table} using ({key} = {_CURRENT_TENANT}) with check ({key} = {_CURRENT_TENANT})")
