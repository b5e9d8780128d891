"""Calls under way are counted over every process on the database, in the order of asking, and a process that dies frees its places."""

from __future__ import annotations

import asyncio
import random
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack

import psycopg
import pytest

from crivo.kernel.llm.vagas import Vagas
from crivo.kernel.storage.errors import BancoIndisponivel
from crivo.kernel.storage.session import Database
from crivo.kernel.storage.urls import libpq_url
from espera import takes

Urls = tuple[str, str]
Abre = Callable[[int], Vagas]
_LOCKS = "from pg_locks where locktype = 'advisory' and classid = x'63727661'::int and database = (select oid from pg_database where datname = current_database())"
_HOLDER = """
import asyncio, sys
from contextlib import AsyncExitStack
from crivo.kernel.llm.vagas import Vagas
from crivo.kernel.storage.session import Database

async def hold():
    vagas = Vagas(Database(sys.argv[1]), 2)
    async with AsyncExitStack() as stack:
        for _ in range(2):
            await stack.enter_async_context(vagas.uma())
        print("tomadas", flush=True)
        await asyncio.Event().wait()

asyncio.run(hold())
"""


@pytest.fixture
async def abre(urls: Urls) -> AsyncIterator[Abre]:
    """Opens the places as one more process would; each over a way of its own into the database."""
    async with AsyncExitStack() as stack:

        def make(quantas: int) -> Vagas:
            database = Database(urls[1])
            stack.push_async_callback(database.close)
            vagas = Vagas(database, quantas)
            stack.push_async_callback(vagas.close)
            return vagas

        yield make


class Chamadas:
    """Calls that each take a few turns of the event loop: how many were under way at most, and in which order they began."""

    def __init__(self) -> None:
        self.em_curso = self.mais_em_curso = 0
        self.ordem: list[str] = []

    async def make(self, vagas: Vagas, nome: str) -> None:
        async with vagas.uma():
            self.ordem.append(nome)
            self.em_curso += 1
            self.mais_em_curso = max(self.mais_em_curso, self.em_curso)
            try:
                await takes(0.005)
            finally:
                self.em_curso -= 1


def _count(urls: Urls, what: str = "") -> int:
    with psycopg.connect(libpq_url(urls[0])) as connection:
        row = connection.execute(f"select count(*) {_LOCKS} {what}".encode()).fetchone()
    assert row is not None
    return int(row[0])


async def _until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(20):
        while not await asyncio.to_thread(holds):  # noqa: ASYNC110 - another process's locks tell nobody
            await asyncio.sleep(0.01)


async def test_no_more_calls_are_under_way_over_all_processes_than_may_be(abre: Abre, urls: Urls) -> None:
    chamadas, processes = Chamadas(), [abre(3) for _ in range(3)]
    await asyncio.gather(*(chamadas.make(processes[at % 3], "") for at in range(45)))
    assert (chamadas.mais_em_curso, len(chamadas.ordem)) == (3, 45)
    await _until(lambda: _count(urls) == 0)


async def test_one_process_alone_has_all_the_places(abre: Abre) -> None:
    chamadas, vagas = Chamadas(), abre(4)
    await asyncio.gather(*(chamadas.make(vagas, str(at)) for at in range(20)))
    assert chamadas.mais_em_curso == 4
    assert chamadas.ordem == [str(at) for at in range(20)]


async def test_a_process_with_many_who_wait_does_not_keep_another_one_out(abre: Abre, urls: Urls) -> None:
    chamadas, busy, other = Chamadas(), abre(1), abre(1)
    async with busy.uma():
        waiting = [asyncio.create_task(chamadas.make(busy, "muitas")) for _ in range(30)]
        waiting.append(asyncio.create_task(chamadas.make(other, "uma")))
        await _until(lambda: _count(urls, "and objid = 0 and granted") == 1)
    await asyncio.gather(*waiting)
    assert chamadas.ordem.index("uma") < 3


async def test_the_places_of_a_process_that_is_killed_are_free_at_once(abre: Abre, urls: Urls) -> None:
    holder = subprocess.Popen([sys.executable, "-c", _HOLDER, urls[1]], stdout=subprocess.PIPE, text=True)  # noqa: ASYNC220 - begun, not waited for
    try:
        assert holder.stdout is not None
        assert await asyncio.to_thread(holder.stdout.readline) == "tomadas\n"
        chamadas = Chamadas()
        waits = asyncio.create_task(chamadas.make(abre(2), "depois"))
        await _until(lambda: _count(urls, "and objid = 0 and granted") == 1)
        assert chamadas.ordem == []
    finally:
        holder.kill()
        holder.communicate()
    await asyncio.wait_for(waits, 20)
    assert chamadas.ordem == ["depois"]


async def test_whoever_leaves_while_waiting_leaves_no_place_taken(abre: Abre, urls: Urls) -> None:
    sorte, processes = random.Random(7), [abre(2), abre(2)]  # noqa: S311 - when they leave, not a secret
    chamadas = Chamadas()
    tasks = [asyncio.create_task(chamadas.make(processes[at % 2], "")) for at in range(60)]
    for task in sorte.sample(tasks, 40):
        await asyncio.sleep(0)
        task.cancel()
        if sorte.random() < 0.3:
            await asyncio.sleep(0.002)
    told = await asyncio.gather(*tasks, return_exceptions=True)
    assert {type(one) for one in told} <= {type(None), asyncio.CancelledError}
    assert chamadas.mais_em_curso <= 2
    await _until(lambda: _count(urls) == 0)


async def test_a_connection_that_is_lost_is_made_anew_and_what_is_under_way_still_counts_here(abre: Abre, urls: Urls) -> None:
    vagas, chamadas = abre(2), Chamadas()
    async with vagas.uma():
        with psycopg.connect(libpq_url(urls[0]), autocommit=True) as connection:
            connection.execute(f"select pg_terminate_backend(pid) {_LOCKS}".encode())
        await asyncio.gather(*(chamadas.make(vagas, "") for _ in range(6)))
    assert (chamadas.mais_em_curso, len(chamadas.ordem)) == (1, 6)
    await asyncio.gather(*(chamadas.make(vagas, "") for _ in range(6)))
    assert chamadas.mais_em_curso == 2


async def test_where_the_database_is_away_whoever_waits_is_told_so() -> None:
    database = Database("postgresql://ninguem@/nada?host=%2Ftmp%2Fnenhum-soquete-aqui")
    vagas = Vagas(database, 2)
    told = await asyncio.gather(*(Chamadas().make(vagas, "") for _ in range(3)), return_exceptions=True)
    assert {type(one) for one in told} == {BancoIndisponivel}
    await vagas.close()
    await database.close()


async def test_closing_leaves_the_turnstile(abre: Abre, urls: Urls) -> None:
    holds, stands = abre(1), abre(1)
    async with holds.uma():
        task = asyncio.create_task(Chamadas().make(stands, ""))
        await _until(lambda: _count(urls, "and objid = 0 and granted") == 1)
        await stands.close()  # while somebody here still waits: whoever only stops waiting leaves it too
        await _until(lambda: _count(urls, "and objid = 0") == 0)
        assert not task.done()
        task.cancel()


async def test_a_call_that_ends_after_its_connection_was_lost_leaves_nobody_at_work(abre: Abre, urls: Urls) -> None:
    vagas = abre(1)
    async with vagas.uma():
        with psycopg.connect(libpq_url(urls[0]), autocommit=True) as connection:
            connection.execute(f"select pg_terminate_backend(pid) {_LOCKS}".encode())
    porter = vagas._porter
    assert porter is not None
    await asyncio.wait_for(porter, 20)
    assert _count(urls) == 0
