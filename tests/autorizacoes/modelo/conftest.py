"""Installations over the database of a test."""

from __future__ import annotations

from collections.abc import Callable

import psycopg
import pytest

from casa_de_autorizacoes import Casa
from crivo.kernel.llm.port import Modelo
from crivo.kernel.storage.session import Database
from crivo.kernel.storage.urls import libpq_url


@pytest.fixture
def casa(database: Database) -> Callable[..., Casa]:
    """Makes an installation over the test's database: `casa(modelo, "assistido")`."""

    def make(modelo: Modelo | None = None, modo: str = "codigo") -> Casa:
        return Casa(database, modelo, modo)

    return make


@pytest.fixture
def fila_vazia(urls: tuple[str, str]) -> None:
    """Nothing that another test left in the queue, which is shared by all tenants of a server."""
    with psycopg.connect(libpq_url(urls[0]), autocommit=True) as connection:
        connection.execute("truncate procrastinate_jobs, procrastinate_workers cascade")
