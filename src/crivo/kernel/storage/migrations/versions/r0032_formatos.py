"""What an administradora sends in a format of its own is read by a published mapping, kept like a política."""

from __future__ import annotations

from typing import Final

from alembic import op

revision = "0032"
down_revision = "0031"

_CURRENT_TENANT: Final = "(select nullif(current_setting('app.tenant_id', true), ''))"

_FORMATOS: Final = (
    """
    create table formatos (
        tenant_id text not null constraint formatos_do_inquilino references tenants (id),
        id uuid not null,
        nome text not null,
        administradora_id text not null,
        versao integer not null check (versao > 0),
        status text not null check (status in ('rascunho', 'publicado', 'encerrado')),
        conteudo bytea not null,
        digest bytea not null,
        criado_em timestamptz not null,
        criado_por text not null,
        publicado_em timestamptz,
        publicado_na bigint,
        encerrado_em timestamptz,
        encerrado_na bigint,
        primary key (tenant_id, id),
        unique (tenant_id, nome, versao),
        check ((publicado_em is null) = (publicado_na is null)),
        check ((encerrado_em is null) = (encerrado_na is null)),
        check ((status = 'rascunho') = (publicado_na is null)),
        check ((status = 'encerrado') = (encerrado_na is not null))
    )""",
    # Of a name, one version reads what comes, and one is being written.
    "create unique index formatos_publicados on formatos (tenant_id, nome) where status = 'publicado'",
    "create unique index formatos_em_rascunho on formatos (tenant_id, nome) where status = 'rascunho'",
    "alter table formatos enable row level security",
    "alter table formatos force row level security",
    f"create policy inquilino on formatos using (tenant_id = {_CURRENT_TENANT}) with check (tenant_id = {_CURRENT_TENANT})",
    """
    grant select, insert, update (
        administradora_id, status, conteudo, digest, criado_em, criado_por, publicado_em, publicado_na, encerrado_em, encerrado_na
    ) on formatos to crivo_app""",
    """
    create function formato_publicado_imutavel() returns trigger language plpgsql as $$
    begin
        raise exception 'formatos: what was published is not rewritten' using errcode = 'restrict_violation';
    end $$""",
    """
    create trigger formato_publicado_imutavel before update on formatos for each row
    when (old.status <> 'rascunho' and (
        new.status = 'rascunho' or (old.status = 'encerrado' and new.status <> 'encerrado')
        or (old.nome, old.versao, old.conteudo, old.digest, old.publicado_em, old.publicado_na)
            is distinct from (new.nome, new.versao, new.conteudo, new.digest, new.publicado_em, new.publicado_na)
    )) execute function formato_publicado_imutavel()""",
)


def upgrade() -> None:
    """From one format in, and names of fields, to any number of them."""
    for statement in _FORMATOS:
        op.execute(statement)
