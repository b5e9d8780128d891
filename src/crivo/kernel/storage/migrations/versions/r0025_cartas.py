"""Letters wait in an outbox until a worker delivers them; what is asked of proponentes, and what they answer, each sealed under its key."""

from __future__ import annotations

from typing import Final

from alembic import op

revision = "0025"
down_revision = "0024"

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

# Under the key that the project had when it was asked. A file that was erased leaves its digest and its size.
_ASKED: Final = (
    """
    create table diligencias (
        tenant_id text not null,
        id uuid not null,
        edital_id uuid not null,
        projeto_id uuid not null,
        numero integer not null check (numero > 0),
        chave uuid not null,
        selada bytea not null,
        codigo_resumo bytea not null,
        dias integer not null check (dias > 0),
        prazo timestamptz not null,
        pedida_por uuid not null,
        pedida_em timestamptz not null,
        cancelada_por uuid,
        cancelada_em timestamptz,
        cancelada_motivo bytea,
        respondida_em timestamptz,
        depois bytea,
        julgada_em timestamptz,
        primary key (tenant_id, id),
        unique (tenant_id, edital_id, numero),
        unique (tenant_id, codigo_resumo),
        foreign key (tenant_id, edital_id) references editais (tenant_id, id),
        foreign key (tenant_id, projeto_id) references projetos (tenant_id, id),
        foreign key (tenant_id, pedida_por) references usuarios (tenant_id, id),
        foreign key (tenant_id, cancelada_por) references usuarios (tenant_id, id),
        check ((cancelada_por is null) = (cancelada_em is null)),
        check (depois is null or julgada_em is not null)
    )""",
    "create index diligencias_por_projeto on diligencias (tenant_id, projeto_id)",
    "create index diligencias_por_prazo on diligencias (tenant_id, prazo) where cancelada_em is null and respondida_em is null",
    """
    create table diligencia_envios (
        tenant_id text not null,
        id uuid not null,
        diligencia_id uuid not null,
        autor text not null check (autor in ('proponente', 'gestao')),
        por uuid,
        em timestamptz not null,
        selado bytea not null,
        recibo bytea not null,
        primary key (tenant_id, id),
        foreign key (tenant_id, diligencia_id) references diligencias (tenant_id, id),
        foreign key (tenant_id, por) references usuarios (tenant_id, id),
        check ((autor = 'gestao') = (por is not null))
    )""",
    "create index diligencia_envios_por_diligencia on diligencia_envios (tenant_id, diligencia_id, em)",
    """
    create table diligencia_documentos (
        tenant_id text not null,
        diligencia_id uuid not null,
        ordem integer not null check (ordem > 0),
        envio_id uuid not null,
        requisito text,
        nome bytea not null,
        conteudo bytea,
        sha256 bytea not null,
        tamanho_bytes bigint not null check (tamanho_bytes >= 0),
        lido bytea,
        primary key (tenant_id, diligencia_id, ordem),
        foreign key (tenant_id, diligencia_id) references diligencias (tenant_id, id),
        foreign key (tenant_id, envio_id) references diligencia_envios (tenant_id, id)
    )""",
    "alter table diligencia_documentos alter column conteudo set storage external, alter column lido set storage external",
    """
    create table diligencia_prazos (
        tenant_id text not null,
        diligencia_id uuid not null,
        em timestamptz not null,
        antes timestamptz not null,
        depois timestamptz not null check (depois > antes),
        motivo bytea not null,
        por uuid not null,
        primary key (tenant_id, diligencia_id, em),
        foreign key (tenant_id, diligencia_id) references diligencias (tenant_id, id),
        foreign key (tenant_id, por) references usuarios (tenant_id, id)
    )""",
)

_TABLES: Final = ("cartas", "diligencias", "diligencia_envios", "diligencia_documentos", "diligencia_prazos")

_GRANTS: Final = (
    "grant select, insert on diligencias, diligencia_envios, diligencia_documentos, diligencia_prazos to crivo_app",
    "grant update (prazo, cancelada_por, cancelada_em, cancelada_motivo, respondida_em, depois, julgada_em) on diligencias to crivo_app",
    "grant update (conteudo, lido) on diligencia_documentos to crivo_app",
    "grant select, insert on cartas to crivo_app",
    "grant update (selada, situacao, tentativas, tomada_em, via, enviada_em, falha, resposta, motivo, marcada_por) on cartas to crivo_app",
)

_CURRENT_TENANT: Final = "(select nullif(current_setting('app.tenant_id', true), ''))"


def upgrade() -> None:
    """From nothing that goes out to letters that do."""
    for statement in (*_LETTERS, *_ASKED, *_GRANTS):
        op.execute(statement)
    mine = f"tenant_id = {_CURRENT_TENANT}"
    for table in _TABLES:
        op.execute(f"alter table {table} enable row level security")
        op.execute(f"alter table {table} force row level security")
        op.execute(f"create policy inquilino on {table} using ({mine}) with check ({mine})")
