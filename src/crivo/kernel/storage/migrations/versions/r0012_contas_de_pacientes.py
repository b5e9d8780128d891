"""Accounts of patients, bound to a CPF once a document was seen."""

from __future__ import annotations

from typing import Final

from alembic import op

revision = "0012"
down_revision = "0011"

_TABLE: Final = """
    create table contas_de_pacientes (
        tenant_id text not null,
        usuario_id uuid not null,
        -- By which the CPF is known again, and the CPF itself, sealed.
        cpf_resumo bytea not null,
        cpf_cifrado bytea not null,
        documento text not null check (documento in ('rg', 'cnh', 'passaporte', 'ctps', 'outro')),
        provado_por text not null,
        provado_em timestamptz not null,
        primary key (tenant_id, usuario_id),
        unique (tenant_id, cpf_resumo),
        foreign key (tenant_id, usuario_id) references usuarios (tenant_id, id)
    )"""
_CURRENT_TENANT: Final = "(select nullif(current_setting('app.tenant_id', true), ''))"


def upgrade() -> None:
    """From patients who type a CPF to patients who were proven to have it."""
    op.execute(_TABLE)
    op.execute("grant select, insert, delete on contas_de_pacientes to crivo_app")
    op.execute("alter table contas_de_pacientes enable row level security")
    op.execute("alter table contas_de_pacientes force row level security")
    op.execute(
        f"create policy inquilino on contas_de_pacientes using (tenant_id = {_CURRENT_TENANT}) with check (tenant_id = {_CURRENT_TENANT})"
    )
