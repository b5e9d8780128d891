"""A link knows who made it, a session what it still lacks and where it is from, and people are told of what others did to their access."""

from __future__ import annotations

from typing import Final

from alembic import op

revision = "0009"
down_revision = "0008"

_CURRENT_TENANT: Final = "(select nullif(current_setting('app.tenant_id', true), ''))"
_STATEMENTS: Final = (
    # Of a link made before this it is not known who made it: it opens no more than one that another person made.
    """
    alter table sessoes
        drop constraint sessoes_tipo_check,
        add constraint sessoes_tipo_check check (tipo in ('link', 'convite', 'sessao', 'ida')),
        add column feita_por text,
        add column falta text check (falta in ('senha', 'codigo', 'inscricao')),
        add column navegador text not null default '',
        add column origem text not null default ''""",
    """
    create table avisos_de_acesso (
        id bigint generated always as identity,
        tenant_id text not null,
        usuario_id uuid not null,
        acao text not null,
        feito_por text not null,
        em timestamptz not null,
        lido_em timestamptz,
        primary key (tenant_id, id),
        foreign key (tenant_id, usuario_id) references usuarios (tenant_id, id)
    )""",
    "create index avisos_por_pessoa on avisos_de_acesso (tenant_id, usuario_id, em)",
    "grant select, insert, update (lido_em) on avisos_de_acesso to crivo_app",
    "alter table avisos_de_acesso enable row level security",
    "alter table avisos_de_acesso force row level security",
    f"""
    create policy inquilino on avisos_de_acesso
        using (tenant_id = {_CURRENT_TENANT}) with check (tenant_id = {_CURRENT_TENANT})""",
)


def upgrade() -> None:
    """From links that open everything to links that say whose they are."""
    for statement in _STATEMENTS:
        op.execute(statement)
