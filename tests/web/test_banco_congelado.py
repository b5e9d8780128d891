"""A PostgreSQL that is there and answers nothing: stopped as by SIGSTOP, on this test run's own embedded server."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from pathlib import Path

import httpx
import psycopg
import pytest

from crivo.bootstrap import Container
from crivo.kernel.clock import Clock, SystemClock
from crivo.kernel.settings import Settings
from crivo.kernel.storage.errors import BancoIndisponivel
from crivo.kernel.storage.patience import PROMPT, Patience
from crivo.kernel.storage.session import Database
from crivo.kernel.storage.urls import libpq_url
from crivo.kernel.tenancy import Scope
from crivo.web.app import create_app

HURRIED = Patience(connection_seconds=2.0, first_word_seconds=0.3, statement_seconds=0.2)


def _stat(pid: int) -> list[str]:
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()


def _family(postmaster: int) -> list[int]:
    children = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            if int(_stat(int(entry.name))[1]) == postmaster:
                children.append(int(entry.name))
        except (FileNotFoundError, ProcessLookupError):
            continue
    return [postmaster, *children]


@contextmanager
def frozen(url: str) -> Iterator[None]:
    """The server of that address, every process of it, stopped for as long as the block lasts."""
    with psycopg.connect(libpq_url(url)) as connection:
        backend = connection.info.backend_pid
        postmaster = int(_stat(backend)[1])
    stopped = _family(postmaster)
    try:
        _tell(stopped, signal.SIGSTOP)
        yield
    finally:
        _tell(stopped, signal.SIGCONT)


def _tell(pids: list[int], number: signal.Signals) -> None:
    for pid in pids:
        with suppress(ProcessLookupError):  # a connection's own may have ended by itself
            os.kill(pid, number)


@pytest.fixture
async def prompt(
    urls: tuple[str, str], settings: Settings, container_over: Callable[[Settings, Database, Clock], Container]
) -> AsyncIterator[httpx.AsyncClient]:
    """The application as the server runs it."""
    database = Database(urls[1])
    app = create_app(settings, lambda _: nullcontext(container_over(settings, database.within(PROMPT), SystemClock())))
    transport = httpx.ASGITransport(app)
    async with app.router.lifespan_context(app), httpx.AsyncClient(transport=transport, base_url="http://crivo.teste") as client:
        yield client
    await database.close()


async def test_a_frozen_database_is_told_within_seconds(urls: tuple[str, str], prompt: httpx.AsyncClient, key: str) -> None:
    """Source: design/sujeito.md, table, 11."""
    prompt.headers["authorization"] = f"Bearer {key}"
    assert (await prompt.get("/api/autorizacoes")).status_code == 200
    assert (await prompt.get("/readyz")).status_code == 200
    with frozen(urls[1]):
        began = time.monotonic()
        answer = await prompt.get("/api/autorizacoes")  # on a connection that the pool holds
        assert (answer.status_code, answer.json()["codigo"]) == (503, "banco_indisponivel")
        assert time.monotonic() - began < 5
        began = time.monotonic()
        assert (await prompt.get("/readyz")).status_code == 503  # on one that cannot be made
        assert time.monotonic() - began < 3
        began = time.monotonic()
        assert (await prompt.get("/healthz")).status_code == 200
        assert time.monotonic() - began < 1
    assert (await prompt.get("/api/autorizacoes")).status_code == 200


async def test_a_database_that_freezes_under_a_statement_is_hung_up_on(
    urls: tuple[str, str], scope: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("crivo.kernel.storage.patience._MARGIN_SECONDS", 0.1)
    database = Database(urls[1])

    async def ask() -> None:
        async with database.within(HURRIED).unit_of_work(scope) as uow:
            with frozen(urls[1]):
                await uow.connection.exec_driver_sql("select 1")

    async def commit(until: ExitStack) -> None:
        async with database.within(HURRIED).unit_of_work(scope):
            until.enter_context(frozen(urls[1]))

    began = time.monotonic()
    with pytest.raises(BancoIndisponivel):
        await ask()
    with ExitStack() as until, pytest.raises(BancoIndisponivel):
        await commit(until)
    assert time.monotonic() - began < 5
    await database.close()


async def test_a_statement_that_takes_too_long_is_ended_by_the_server(database: Database, scope: Scope) -> None:
    with pytest.raises(BancoIndisponivel):
        async with database.within(HURRIED).unit_of_work(scope) as uow:
            await uow.connection.exec_driver_sql("select pg_sleep(30)")
    async with database.unit_of_work(scope) as uow:  # and what is patient stays so, on the same connection
        assert (await uow.connection.exec_driver_sql("show statement_timeout")).scalar_one() == "15min"
