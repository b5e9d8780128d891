"""What a list of thousands of projects is searched and ordered by, so that a page of it reads its own lines alone."""

from __future__ import annotations

from typing import Final

from alembic import op

revision = "0006"
down_revision = "0005"

# Folded by code, as no function of PostgreSQL folds alike everywhere. Version 0 was folded by nobody: whoever looks first does it.
_SEARCH: Final = (
    "alter table editais add column procura_versao integer not null default 0",
    "alter table projetos add column procura text not null default '', add column titulo_dobrado text not null default ''",
    "alter table triagem_ia_irregularidades add column procura text not null default ''",
)

# Worked out by the database itself, so that they can say nothing else than what they are made from.
_COUNTS: Final = (
    """
    alter table triagem_ia_resultados
        add column itens_total integer generated always as (jsonb_array_length(itens)) stored,
        add column itens_lidos integer generated always as
            (jsonb_array_length(jsonb_path_query_array(itens, '$[*] ? (@.situacao != "nao_lido")'))) stored,
        add column com_leitura boolean generated always as (jsonb_array_length(leitura) > 0) stored""",
)

_GRANTS: Final = (
    "grant update (procura_versao) on editais to crivo_app",
    "grant update (procura, titulo_dobrado) on projetos to crivo_app",
    "grant update (procura) on triagem_ia_irregularidades to crivo_app",
)


def upgrade() -> None:
    """From lists that are read whole to lists that are read by the page."""
    for statement in (*_SEARCH, *_COUNTS, *_GRANTS):
        op.execute(statement)
