"""Signs that one cause sets off are one case, which people confirm or dismiss; what they say of it is only ever added to."""

from __future__ import annotations

from typing import Final

from alembic import op

revision = "0017"
down_revision = "0016"

_TENANT: Final = "tenant_id text not null constraint {table}_do_inquilino references tenants (id)"

# What a case was set off by stands as keyed digests alone. Its signs are those of its last execução in these places.
_CASES: Final = (
    f"""
    create table triagem_casos (
        {_TENANT.format(table="triagem_casos")},
        id uuid not null,
        edital_id uuid not null,
        numero integer not null check (numero > 0),
        familia text not null check (familia in ('texto', 'projetos', 'preco', 'conflito')),
        chave bytea not null,
        pistas bytea[] not null,
        titulo text not null,
        gravidade text not null check (gravidade in ('grave', 'media', 'leve')),
        tipos text[] not null,
        projetos text[] not null,
        execucao_id uuid not null,
        ordens integer[] not null,
        presente boolean not null,
        criado_em timestamptz not null,
        primary key (tenant_id, id),
        unique (tenant_id, edital_id, numero),
        foreign key (tenant_id, edital_id) references editais (tenant_id, id),
        foreign key (tenant_id, execucao_id) references triagem_ia_execucoes (tenant_id, id)
    )""",
    "create index casos_por_projeto on triagem_casos using gin (projetos)",
    # Screenings of before have no cases yet: whoever looks first makes them.
    "alter table triagem_ia_execucoes add column casos_feitos boolean not null default false",
)

# A person's words are sealed under the keys of all projects of the case. Decisions and what undoes them are counted by `versao`, so
# that of two people who decide at once one is told.
_SAID: Final = (
    r"""
    create table triagem_caso_ditos (
        tenant_id text not null,
        id uuid not null,
        caso_id uuid not null,
        tipo text not null check (tipo in ('decisao', 'desfeita', 'anotacao', 'dono')),
        versao integer check ((versao is not null) = (tipo in ('decisao', 'desfeita'))),
        situacao text check (situacao in ('aberto', 'confirmado', 'descartado') and (situacao is not null) = (versao is not null)),
        dono uuid,
        tipos text[] not null,
        projetos text[] not null,
        chaves uuid[] not null,
        selado bytea check (selado is null or substring(selado for 4) = '\x00637331'::bytea),
        por uuid not null,
        em timestamptz not null,
        primary key (tenant_id, id),
        unique (tenant_id, caso_id, versao),
        foreign key (tenant_id, caso_id) references triagem_casos (tenant_id, id),
        foreign key (tenant_id, dono) references usuarios (tenant_id, id),
        foreign key (tenant_id, por) references usuarios (tenant_id, id)
    )""",
    "create index ditos_por_caso on triagem_caso_ditos (tenant_id, caso_id, id)",
)

_GRANTS: Final = (
    (
        "triagem_casos",
        "select, insert, update (chave, pistas, titulo, gravidade, tipos, projetos, execucao_id, ordens, presente)",
    ),
    ("triagem_caso_ditos", "select, insert"),
)

_CURRENT_TENANT: Final = "(select nullif(current_setting('app.tenant_id', true), ''))"


def upgrade() -> None:
    """From signs that are only read to cases that are decided."""
    for statement in (*_CASES, *_SAID):
        op.execute(statement)
    op.execute("grant update (casos_feitos) on triagem_ia_execucoes to crivo_app")
    for table, allowed in _GRANTS:
        op.execute(f"grant {allowed} on {table} to crivo_app")
        op.execute(f"alter table {table} enable row level security")
        op.execute(f"alter table {table} force row level security")
        op.execute(f"create policy inquilino on {table} using (tenant_id = {_CURRENT_TENANT}) with check (tenant_id = {_CURRENT_TENANT})")
