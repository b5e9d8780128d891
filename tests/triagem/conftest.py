"""A screening over a real database, its jobs done by a worker of this process or of others."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import psycopg
import pytest

from chamadas import VERSOES, Falsos
from crivo.kernel.clock import SystemClock
from crivo.kernel.identity import Uuid7
from crivo.kernel.jobs.fila import Fila
from crivo.kernel.jobs.worker import Worker, working
from crivo.kernel.storage.session import Database
from crivo.kernel.storage.urls import libpq_url
from crivo.triagem.custeio import Custeio
from crivo.triagem.execucao import Triador
from crivo.triagem.julgamento import Julgamento
from crivo.triagem.quadro import Versoes, fila_of
from crivo.triagem.service import Triagem
from seguimento import Trabalhando, Triagens
from trabalhador_falso import RAPIDO


@pytest.fixture(autouse=True)
def sem_tesseract(monkeypatch: pytest.MonkeyPatch) -> None:
    """What this process reads, it reads without tesseract, whether the machine has one or not: a test that wants one brings its own."""
    monkeypatch.setattr("crivo.triagem.documentos.pdf.find_tesseract", lambda: None)
    monkeypatch.setattr("crivo.triagem.documentos.imagem.find_tesseract", lambda: None)


@pytest.fixture
def fila_vazia(urls: tuple[str, str]) -> None:
    """Nothing that another test left in the queue, which is shared by all tenants of a server."""
    with psycopg.connect(libpq_url(urls[0]), autocommit=True) as connection:
        connection.execute("truncate procrastinate_jobs, procrastinate_workers cascade")


@pytest.fixture
def triagens(database: Database, fila_vazia: None) -> Triagens:
    """Makes the use cases, with other versions of the finders or another price."""

    def make(versoes: Versoes = VERSOES, custeio: Custeio | None = None) -> Triagem:
        clock = SystemClock()
        return Triagem(database, Fila(), clock, Uuid7(clock).new, lambda: versoes, custeio)

    return make


@pytest.fixture
def triagem(triagens: Triagens) -> Triagem:
    return triagens()


@pytest.fixture
def julgamento(database: Database) -> Julgamento:
    return Julgamento(database, SystemClock(), Uuid7(SystemClock()).new)


@pytest.fixture
def trabalhando(database: Database) -> Trabalhando:
    """A worker with the given finders, for as long as a block lasts."""

    @asynccontextmanager
    async def work(falsos: Falsos, versoes: Versoes = VERSOES, concurrency: int = 4) -> AsyncIterator[None]:
        clock = SystemClock()
        triador = Triador(database, Fila(), clock, Uuid7(clock).new, falsos.achadores(), versoes)
        also = [fila_of(versoes.nome_do_modelo)] if versoes.modelo else []
        async with working(Worker(database, triador.tasks(), concurrency=concurrency, rhythm=RAPIDO, also=also)):
            yield

    return work
