"""What all processes count together (tries of signing in, calls to models), drafts of any part, and reasons that stay after a new one."""

from __future__ import annotations

from typing import Final

from alembic import op

revision = "0005"
down_revision = "0004"

_TENANT: Final = "tenant_id text not null constraint {table}_do_inquilino references tenants (id)"

# Outside every tenant: an address may try at many, and a tenant that does not exist is tried too. A row holds a keyed digest and moments.
_TRIES: Final = (
    """
    create table segredos (
        nome text primary key,
        valor bytea not null
    )""",
    """
    insert into segredos (nome, valor)
        values ('tentativas_de_entrada', decode(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'hex'))""",
    """
    create table tentativas_de_entrada (
        chave bytea primary key,
        feitas timestamptz[] not null,
        vence_em timestamptz not null
    )""",
    "create index tentativas_por_vencimento on tentativas_de_entrada (vence_em)",
)

# One row, of the installation: when the next call may be made, where so many a minute are allowed.
_CALLS: Final = (
    "create table modelo_ritmo (unico boolean primary key default true check (unico), proxima timestamptz not null) with (fillfactor = 10)",
    "insert into modelo_ritmo (proxima) values (now())",
)

_JUDGING: Final = (
    # A draft may hold what is written of a nota that is not there yet; what was sent has its nota.
    "alter table avaliacoes alter column nota drop not null, add check (nota is not null or enviada_em is null)",
    f"""
    create table habilitacao_decisoes_anteriores (
        {_TENANT.format(table="habilitacao_decisoes_anteriores")},
        id uuid not null,
        projeto_id uuid not null,
        decisao text not null check (decisao in ('habilitado', 'inabilitado', 'pendencia')),
        sugestao text,
        motivo text not null,
        decidido_por uuid not null,
        decidido_em timestamptz not null,
        primary key (tenant_id, id),
        foreign key (tenant_id, projeto_id) references projetos (tenant_id, id),
        foreign key (tenant_id, decidido_por) references usuarios (tenant_id, id)
    )""",
    "create index decisoes_anteriores_por_projeto on habilitacao_decisoes_anteriores (tenant_id, projeto_id, decidido_em)",
)

_GRANTS: Final = (
    ("segredos", "select"),
    ("tentativas_de_entrada", "select, insert, update (feitas, vence_em), delete"),
    ("modelo_ritmo", "select, update (proxima)"),
    ("habilitacao_decisoes_anteriores", "select, insert"),
)

_CURRENT_TENANT: Final = "(select nullif(current_setting('app.tenant_id', true), ''))"


def upgrade() -> None:
    """From counts of one process to counts of the installation."""
    for statement in (*_TRIES, *_CALLS, *_JUDGING):
        op.execute(statement)
    for table, allowed in _GRANTS:
        op.execute(f"grant {allowed} on {table} to crivo_app")
    op.execute("alter table habilitacao_decisoes_anteriores enable row level security")
    op.execute("alter table habilitacao_decisoes_anteriores force row level security")
    mine = f"tenant_id = {_CURRENT_TENANT}"
    op.execute(f"create policy inquilino on habilitacao_decisoes_anteriores using ({mine}) with check ({mine})")
