"""Where a test's conversations are kept: in memory, or in a database in which nobody else's are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import psycopg

from crivo.clinicas.guarda import Guarda, GuardaEmMemoria
from crivo.clinicas.storage import GuardaNoBanco
from crivo.kernel.storage.session import Database
from crivo.kernel.storage.urls import libpq_url
from crivo.kernel.tenancy import LOCAL_TENANT

Onde = Literal["memoria", "banco"]


def guarda_em(onde: Onde, database: Database, admin_url: str, ticks: Callable[[], float]) -> Guarda:
    """A guard of the local tenant's conversations, of which there are none yet."""
    if onde == "memoria":
        return GuardaEmMemoria(ticks)
    without_conversations(admin_url)
    return GuardaNoBanco(database, LOCAL_TENANT, ticks)


def without_conversations(admin_url: str) -> None:
    """Leave none of the local tenant in the database."""
    with psycopg.connect(libpq_url(admin_url)) as connection:
        connection.execute("insert into tenants (id, nome, criado_em) values (%s, 'Local', now()) on conflict do nothing", (LOCAL_TENANT,))
        for table in ("conversas", "conversas_abertas", "recepcoes"):
            connection.execute(f"delete from {table} where tenant_id = %s", (LOCAL_TENANT,))  # noqa: S608 - of the list above
