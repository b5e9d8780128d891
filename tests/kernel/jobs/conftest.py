"""A queue that nobody else has put anything in."""

from __future__ import annotations

import psycopg
import pytest

from crivo.kernel.jobs.fila import Fila
from crivo.kernel.storage.urls import libpq_url


@pytest.fixture
def fila(urls: tuple[str, str]) -> Fila:
    with psycopg.connect(libpq_url(urls[0]), autocommit=True) as connection:
        connection.execute("truncate procrastinate_jobs, procrastinate_workers cascade")
    return Fila()
