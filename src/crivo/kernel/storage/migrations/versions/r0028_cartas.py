"""Letters wait in an outbox, each sealed under a key of its own, until a worker delivers them."""

from __future__ import annotations

from typing import Final

from alembic import op

revision = "0028"
down_revision = "0022"

_LETTERS: Final = (
    """
    create table cartas (
        tenant_id text not null,
        id uuid not null,
        chave text not null,
        selada bytea,
        situacao text not null check (situacao in ('na_fila', 'enviando', 'enviada', 'falhou', 'cancelada')),
        tentativas integer not null default 0 check (tentativas >= 0),
        tomada_em timestamptz,
        via text check (via in ('smtp', 'arquivo', 'outro_meio')),
        enviada_em timestamptz,
        falha text,
        resposta integer check (resposta between 400 and 599),
        motivo bytea,
        marcada_por text,
        criada_em timestamptz not null,
        primary key (tenant_id, id),
        unique (tenant_id, chave),
        foreign key (tenant_id) references tenants (id),
        check ((situacao = 'enviando') = (tomada_em is not null)),
        check ((situacao = 'enviada') = (enviada_em is not null)),
        check ((situacao = 'enviada') = (via is not null)),
        check ((marcada_por is not null) = (via is not distinct from 'outro_meio'))
    )""",
    "create index cartas_por_situacao on cartas (tenant_id, situacao, id)",
    "alter table cartas alter column selada set storage external",
    # A letter is one more thing that is held of a person under a key.
    "alter table chaves_de_pessoas drop constraint chaves_de_pessoas_aplicacao_check",
    """
    alter table chaves_de_pessoas add constraint chaves_de_pessoas_aplicacao_check
        check (aplicacao in ('autorizacoes', 'triagem', 'pessoas', 'cartas'))""",
)

_GRANTS: Final = (
    "grant select, insert on cartas to crivo_app",
    "grant update (selada, situacao, tentativas, tomada_em, via, enviada_em, falha, resposta, motivo, marcada_por) on cartas to crivo_app",
)

_CURRENT_TENANT: Final = "(select nullif(current_setting('app.tenant_id', true), ''))"


def upgrade() -> None:
    """From nothing that goes out to letters that do."""
    for statement in (*_LETTERS, *_GRANTS):
        op.execute(statement)
    mine = f"tenant_id = {_CURRENT_TENANT}"
    for table in ("cartas",):
        op.execute(f"alter table {table} enable row level security")
        op.execute(f"alter table {table} force row level security")
        op.execute(f"create policy inquilino on {table} using ({mine}) with check ({mine})")
