"""People who sign in with a password, invitations, sessions that end by themselves, and a person's decision over that of the code."""

from __future__ import annotations

from typing import Final

from alembic import op

revision = "0004"
down_revision = "0003"

_TENANT: Final = "tenant_id text not null constraint {table}_do_inquilino references tenants (id)"
_ROLES: Final = "'gestor', 'admin', 'super_admin', 'avaliador', 'revisor', 'operador', 'paciente'"

_PEOPLE: Final = (
    "alter table usuarios drop constraint usuarios_papel_check",
    f"alter table usuarios add constraint usuarios_papel_check check (papel in ({_ROLES}))",
    """
    create table senhas (
        tenant_id text not null,
        usuario_id uuid not null,
        resumo text not null,
        mudada_em timestamptz not null,
        primary key (tenant_id, usuario_id),
        foreign key (tenant_id, usuario_id) references usuarios (tenant_id, id)
    )""",
    """
    alter table sessoes
        drop constraint sessoes_tipo_check,
        add constraint sessoes_tipo_check check (tipo in ('link', 'convite', 'sessao')),
        add column vista_em timestamptz""",
    "create index sessoes_por_ator on sessoes (tenant_id, ator)",
)

# What a person decided stands beside what the code decided, which is never rewritten.
_REVIEW: Final = (
    "alter table autorizacoes add column urgente boolean not null default false",
    """
    create index autorizacoes_por_rever on autorizacoes (tenant_id, urgente, id)
        where decisao_final in ('PENDENTE_AJUSTES', 'NEGADO')""",
    """
    create table autorizacao_revisoes (
        tenant_id text not null,
        id uuid not null,
        autorizacao_id uuid not null,
        decisao_anterior text not null,
        decisao_final text not null,
        quantidade_aprovada numeric,
        motivo text not null,
        mensagens jsonb,
        revisor text not null,
        decidida_em timestamptz not null,
        primary key (tenant_id, id),
        foreign key (tenant_id, autorizacao_id) references autorizacoes (tenant_id, id)
    )""",
    "create index revisoes_por_autorizacao on autorizacao_revisoes (tenant_id, autorizacao_id, decidida_em)",
    """
    create table autorizacao_reservas (
        tenant_id text not null,
        autorizacao_id uuid not null,
        revisor text not null,
        ate timestamptz not null,
        primary key (tenant_id, autorizacao_id),
        foreign key (tenant_id, autorizacao_id) references autorizacoes (tenant_id, id)
    )""",
    f"""
    create table habilitacao_decisoes (
        {_TENANT.format(table="habilitacao_decisoes")},
        projeto_id uuid not null,
        decisao text not null check (decisao in ('habilitado', 'inabilitado', 'pendencia')),
        sugestao text,
        motivo text not null,
        decidido_por uuid not null,
        decidido_em timestamptz not null,
        primary key (tenant_id, projeto_id),
        foreign key (tenant_id, projeto_id) references projetos (tenant_id, id),
        foreign key (tenant_id, decidido_por) references usuarios (tenant_id, id)
    )""",
    # A draft is its author's alone until it is sent; what was given before there were drafts had been given for good.
    "alter table avaliacoes add column enviada_em timestamptz default now()",
    "alter table avaliacoes alter column enviada_em drop default",
)

_GRANTS: Final = (
    ("senhas", "select, insert, update (resumo, mudada_em), delete"),
    ("autorizacao_revisoes", "select, insert"),
    ("autorizacao_reservas", "select, insert, update (revisor, ate), delete"),
    ("habilitacao_decisoes", "select, insert, update (decisao, sugestao, motivo, decidido_por, decidido_em)"),
)

_CURRENT_TENANT: Final = "(select nullif(current_setting('app.tenant_id', true), ''))"


def upgrade() -> None:
    """From links alone to people with passwords, whose decisions stand beside those of the code."""
    for statement in (*_PEOPLE, *_REVIEW):
        op.execute(statement)
    op.execute("grant update (vista_em) on sessoes to crivo_app")
    op.execute("grant update (enviada_em) on avaliacoes to crivo_app")
    for table, allowed in _GRANTS:
        op.execute(f"grant {allowed} on {table} to crivo_app")
        op.execute(f"alter table {table} enable row level security")
        op.execute(f"alter table {table} force row level security")
        op.execute(f"create policy inquilino on {table} using (tenant_id = {_CURRENT_TENANT}) with check (tenant_id = {_CURRENT_TENANT})")
