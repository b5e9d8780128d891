"""Open conversations with the clinics leave the memory of a server: sealed, expiring, held by one server at a time."""

from __future__ import annotations

from typing import Final

from alembic import op

revision = "0028"
down_revision = "0027"

# In the tenant whose the clinics are, whoever opened it. The key stands in the row and goes with it; nothing that was said is in the clear.
_CONVERSAS: Final = (
    """
    create table conversas (
        tenant_id text not null,
        id uuid not null,
        dono_tenant text not null,
        dono_ator text not null,
        papel text not null check (papel in ('paciente', 'operador')),
        formato integer not null check (formato > 0),
        versao integer not null check (versao >= 0),
        embrulhada bytea not null,
        estado bytea not null,
        espera bytea,
        em_curso bytea,
        pessoas bytea[] not null,
        vez uuid,
        vez_ate timestamptz,
        falada_em timestamptz not null,
        expira_em timestamptz not null,
        primary key (tenant_id, id),
        foreign key (tenant_id) references tenants (id),
        check ((vez is null) = (vez_ate is null))
    )""",
    "alter table conversas alter column estado set storage external",
    "alter table conversas alter column embrulhada set statistics 0",  # what statistics have of a column are values of it
    # Written over at each turn: what was said before is not left lying in its pages for long.
    "alter table conversas set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 200)",
    "create index conversas_de_quem on conversas (tenant_id, dono_tenant, dono_ator)",
    "create index conversas_na_fila on conversas (tenant_id) where espera is not null",
    # How many a person opened in a day, whatever became of them.
    """
    create table conversas_abertas (
        tenant_id text not null,
        id uuid not null,
        dono_tenant text not null,
        dono_ator text not null,
        aberta_em timestamptz not null,
        primary key (tenant_id, id),
        foreign key (tenant_id) references tenants (id)
    )""",
    "create index conversas_abertas_de_quem on conversas_abertas (tenant_id, dono_tenant, dono_ator, aberta_em)",
    """
    create table recepcoes (
        tenant_id text not null primary key,
        vista_em timestamptz not null,
        foreign key (tenant_id) references tenants (id)
    )""",
    # What is erased of a person at their request may be a conversation too.
    "alter table chaves_de_pessoas drop constraint chaves_de_pessoas_aplicacao_check",
    """
    alter table chaves_de_pessoas add constraint chaves_de_pessoas_aplicacao_check
        check (aplicacao in ('autorizacoes', 'triagem', 'pessoas', 'cartas', 'clinicas'))""",
)

_GRANTS: Final = (
    "grant select, insert, delete on conversas to crivo_app",
    "grant update (versao, estado, espera, em_curso, pessoas, vez, vez_ate, falada_em, expira_em) on conversas to crivo_app",
    "grant select, insert, delete on conversas_abertas to crivo_app",
    "grant select, insert on recepcoes to crivo_app",
    "grant update (vista_em) on recepcoes to crivo_app",
)

_CURRENT_TENANT: Final = "(select nullif(current_setting('app.tenant_id', true), ''))"


def upgrade() -> None:
    """From conversations that end with their server to those that go on at another."""
    for statement in (*_CONVERSAS, *_GRANTS):
        op.execute(statement)
    mine = f"tenant_id = {_CURRENT_TENANT}"
    for table in ("conversas", "conversas_abertas", "recepcoes"):
        op.execute(f"alter table {table} enable row level security")
        op.execute(f"alter table {table} force row level security")
        op.execute(f"create policy inquilino on {table} using ({mine}) with check ({mine})")
