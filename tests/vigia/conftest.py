"""A queue that nobody else has put anything in, and what waits in a tenant of its own."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

import psycopg
import pytest

from crivo.kernel.clock import SystemClock
from crivo.kernel.jobs.fila import Fila
from crivo.kernel.storage.session import Database
from crivo.kernel.storage.urls import libpq_url
from crivo.kernel.tenancy import Scope
from crivo.vigia.leituras import Banco
from esperando import Guardado


@pytest.fixture
def fila(urls: tuple[str, str]) -> Fila:
    with psycopg.connect(libpq_url(urls[0]), autocommit=True) as connection:
        connection.execute("truncate procrastinate_jobs, procrastinate_workers cascade")
    return Fila()


@pytest.fixture
def banco(database: Database) -> Banco:
    return Banco(database, SystemClock(), Decimal(10))


@pytest.fixture
def run_as_owner(urls: tuple[str, str]) -> Callable[[str], None]:
    def run(statement: str) -> None:
        with psycopg.connect(libpq_url(urls[0]), autocommit=True) as connection:
            connection.execute(statement)

    return run


@pytest.fixture
def guardado(database: Database, scope: Scope) -> Guardado:
    return Guardado(database, scope)
