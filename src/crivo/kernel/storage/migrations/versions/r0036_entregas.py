"""Decisions are carried to who asked: where to, what is on its way, how each try ended; and links by which beneficiaries read theirs."""

from __future__ import annotations

from typing import Final

from alembic import op

revision = "0036"
down_revision = "0035"

_TO_WHOM: Final = (
    # Where decisions go. The address and the secrets are sealed under a key of the tenant's purpose: addresses hold tokens.
    """
    create table entrega_destinos (
        tenant_id text not null,
        id uuid not null,
        nome text not null check (length(nome) between 1 and 100),
        canal text not null check (canal in ('webhook', 'email')),
        endereco bytea not null,
        eventos text[] not null check (eventos <@ array['autorizacao.decidida', 'autorizacao.revista'] and cardinality(eventos) > 0),
        conteudo text not null check (conteudo in ('inteiro', 'resumido')),
        situacao text not null check (situacao in ('ativo', 'pausado', 'desligado', 'removido')),
        motivo text check (motivo in ('gone', 'fila_cheia')),
        segredo bytea,
        segredo_anterior bytea,
        anterior_ate timestamptz,
        falhas_seguidas integer not null default 0 check (falhas_seguidas >= 0),
        descansa_ate timestamptz,
        tomado_ate timestamptz,
        acorda_em timestamptz,
        criado_em timestamptz not null,
        criado_por text not null,
        primary key (tenant_id, id),
        foreign key (tenant_id) references tenants (id),
        check ((canal = 'webhook') = (segredo is not null)),
        check ((segredo_anterior is null) = (anterior_ate is null)),
        check ((situacao = 'desligado') = (motivo is not null))
    )""",
    # What is to go, by ids alone: its words are made of the stored decision when it goes. `fio` is a keyed digest of the pedido's
    # number: what is of one pedido goes in order.
    """
    create table entregas (
        tenant_id text not null,
        id uuid not null,
        destino_id uuid not null,
        evento text not null check (evento in ('autorizacao.decidida', 'autorizacao.revista', 'exemplo')),
        autorizacao_id uuid,
        revisao_id uuid,
        fio bytea not null,
        situacao text not null check (situacao in ('espera', 'entregue', 'desistiu', 'cancelada')),
        tentativas integer not null default 0 check (tentativas >= 0),
        criada_em timestamptz not null,
        insiste_ate timestamptz not null,
        proxima_em timestamptz not null,
        terminada_em timestamptz,
        ordem bigint generated always as identity,
        primary key (tenant_id, id),
        foreign key (tenant_id, destino_id) references entrega_destinos (tenant_id, id),
        foreign key (tenant_id, autorizacao_id) references autorizacoes (tenant_id, id),
        foreign key (tenant_id, revisao_id) references autorizacao_revisoes (tenant_id, id),
        check ((evento = 'exemplo') = (autorizacao_id is null)),
        check ((evento = 'autorizacao.revista') = (revisao_id is not null)),
        check ((situacao = 'espera') = (terminada_em is null))
    )""",
    "create index entregas_a_fazer on entregas (tenant_id, destino_id, proxima_em, ordem) where situacao = 'espera'",
    "create index entregas_por_fio on entregas (tenant_id, destino_id, fio, ordem) where situacao = 'espera'",
    "create index entregas_por_destino on entregas (tenant_id, destino_id, ordem)",
    "create index entregas_terminadas on entregas (tenant_id, terminada_em) where situacao <> 'espera'",
    """
    create table entrega_tentativas (
        tenant_id text not null,
        entrega_id uuid not null,
        numero integer not null check (numero > 0),
        em timestamptz not null,
        milissegundos integer not null check (milissegundos >= 0),
        status integer check (status between 100 and 999),
        falha text,
        primary key (tenant_id, entrega_id, numero),
        foreign key (tenant_id, entrega_id) references entregas (tenant_id, id) on delete cascade
    )""",
)

# Found by a digest of the link's secret; the code is kept as a keyed digest. Neither can be read out of the table.
_LINKS: Final = (
    """
    create table autorizacao_links (
        tenant_id text not null,
        id uuid not null,
        autorizacao_id uuid not null,
        segredo_resumo bytea not null,
        codigo_resumo bytea not null,
        criado_em timestamptz not null,
        criado_por text not null,
        expira_em timestamptz not null,
        erros integer not null default 0 check (erros >= 0),
        aberturas integer not null default 0 check (aberturas >= 0),
        revogado_em timestamptz,
        primary key (tenant_id, id),
        unique (tenant_id, segredo_resumo),
        foreign key (tenant_id, autorizacao_id) references autorizacoes (tenant_id, id)
    )""",
    "create unique index autorizacao_links_em_uso on autorizacao_links (tenant_id, autorizacao_id) where revogado_em is null",
)

_TABLES: Final = ("entrega_destinos", "entregas", "entrega_tentativas", "autorizacao_links")

_GRANTS: Final = (
    "grant select, insert on entrega_destinos, entrega_tentativas, autorizacao_links to crivo_app",
    # What came to its end is cleared after a while, with its tries.
    "grant select, insert, delete on entregas to crivo_app",
    """
    grant update (nome, endereco, eventos, conteudo, situacao, motivo, segredo, segredo_anterior, anterior_ate, falhas_seguidas,
        descansa_ate, tomado_ate, acorda_em) on entrega_destinos to crivo_app""",
    "grant update (situacao, tentativas, insiste_ate, proxima_em, terminada_em) on entregas to crivo_app",
    "grant update (erros, aberturas, revogado_em) on autorizacao_links to crivo_app",
)

_CURRENT_TENANT: Final = "(select nullif(current_setting('app.tenant_id', true), ''))"


def upgrade() -> None:
    """From decisions that are fetched to decisions that are brought."""
    for statement in (*_TO_WHOM, *_LINKS, *_GRANTS):
        op.execute(statement)
    mine = f"tenant_id = {_CURRENT_TENANT}"
    for table in _TABLES:
        op.execute(f"alter table {table} enable row level security")
        op.execute(f"alter table {table} force row level security")
        op.execute(f"create policy inquilino on {table} using ({mine}) with check ({mine})")
