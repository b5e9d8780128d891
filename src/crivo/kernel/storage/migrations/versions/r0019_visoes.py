"""The mesa: views that a person saved under a name, and which requisitos of a project are not met, told by the database itself."""

from __future__ import annotations

from typing import Final

from alembic import op

revision = "0019"
down_revision = "0018"

_CURRENT_TENANT: Final = "(select nullif(current_setting('app.tenant_id', true), ''))"
# A view is what an address asks for: filters, order and columns. What was searched for is never kept, as it may be somebody's name.
_VIEWS: Final = """
    create table mesa_visoes (
        tenant_id text not null constraint mesa_visoes_do_inquilino references tenants (id),
        id uuid not null,
        edital_id uuid not null,
        usuario_id uuid not null,
        nome text not null check (length(nome) between 1 and 60),
        consulta text not null check (length(consulta) <= 2000),
        criada_em timestamptz not null,
        primary key (tenant_id, id),
        unique (tenant_id, edital_id, usuario_id, nome),
        foreign key (tenant_id, edital_id) references editais (tenant_id, id),
        foreign key (tenant_id, usuario_id) references usuarios (tenant_id, id)
    )"""
_PROTECT: Final = (
    "grant select, insert, update (consulta), delete on mesa_visoes to crivo_app",
    "alter table mesa_visoes enable row level security",
    "alter table mesa_visoes force row level security",
    f"create policy inquilino on mesa_visoes using (tenant_id = {_CURRENT_TENANT}) with check (tenant_id = {_CURRENT_TENANT})",
)
# As the counts of `0006`: it can say nothing else than what it is made from, and holds the ids of the call alone.
_UNMET: Final = """
    alter table triagem_ia_resultados add column itens_em_falta jsonb
        generated always as (jsonb_path_query_array(itens, '$[*] ? (@.situacao != "atende").requisito')) stored"""


def upgrade() -> None:
    """From lists of findings to a queue of projects that people work through."""
    for statement in (_VIEWS, *_PROTECT, _UNMET):
        op.execute(statement)
