"""Workers do each job to an end, and take over those of workers that no longer live."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import replace

import psycopg
import pytest
from procrastinate import PsycopgConnector

from crivo.kernel.errors import CrivoError, Kind
from crivo.kernel.jobs.fila import Fila, Job
from crivo.kernel.jobs.tasks import Task
from crivo.kernel.jobs.worker import Rhythm, Worker, connections_of, end, working
from crivo.kernel.medidas import FINS, trabalhos
from crivo.kernel.rastros import ids, known
from crivo.kernel.storage.errors import EsquemaMudou
from crivo.kernel.storage.session import Database
from crivo.kernel.storage.urls import libpq_url
from crivo.kernel.tenancy import Scope

_RHYTHM = Rhythm(heartbeat=0.5, stalled=4.0, rescue=0.2, poll=0.2, grace=1.0, pause=0.1)


class _Busy(CrivoError):
    kind = Kind.CONFLICT


class Tarefa:
    """A task that does what it is told to, and notes what it did."""

    def __init__(self, *failures: Exception, until: asyncio.Event | None = None) -> None:
        self._failures = list(failures)
        self._until = until
        self.begun: list[tuple[str, str]] = []
        self.done: list[str] = []
        self.given_up: list[Exception | None] = []

    async def run(self, scope: Scope, about: Mapping[str, str]) -> None:
        self.begun.append((scope.tenant_id, about["n"]))
        if self._until is not None:
            await self._until.wait()
        if self._failures:
            raise self._failures.pop(0)
        self.done.append(about["n"])

    async def give_up(self, scope: Scope, about: Mapping[str, str], error: Exception | None) -> None:
        self.given_up.append(error)

    def task(self) -> Task:
        return Task("t", self.run, self.give_up)


async def _defer(database: Database, fila: Fila, scope: Scope, *jobs: Job) -> None:
    async with database.unit_of_work(scope) as uow:
        await fila.defer(uow, jobs)


async def _until(enough: Callable[[], bool]) -> None:
    async with asyncio.timeout(30):
        while True:
            if enough():
                return
            await asyncio.sleep(0.01)


async def _until_empty(database: Database, fila: Fila, scope: Scope) -> None:
    async with asyncio.timeout(30):
        while True:
            async with database.unit_of_work(scope) as uow:
                if await fila.count(uow, {}) == 0:
                    return
            await asyncio.sleep(0.05)


async def test_jobs_are_done_in_their_tenant_and_leave_nothing_behind(
    database: Database, fila: Fila, new_tenant: Callable[[], Scope], urls: tuple[str, str]
) -> None:
    scopes, tarefa = [new_tenant(), new_tenant()], Tarefa()
    for scope in scopes:
        await _defer(database, fila, scope, Job("t", {"n": "1"}))
    async with working(Worker(database, [tarefa.task()], concurrency=2, rhythm=_RHYTHM)):
        for scope in scopes:
            await _until_empty(database, fila, scope)
    assert sorted(tarefa.begun) == sorted((scope.tenant_id, "1") for scope in scopes)
    with psycopg.connect(libpq_url(urls[0])) as connection:
        left = [connection.execute(f"select count(*) from procrastinate_{name}".encode()).fetchone() for name in ("jobs", "workers")]  # noqa: S608 - two names
    assert left == [(0,), (0,)]


async def test_a_job_is_counted_by_how_it_ended_and_knows_the_request_that_it_came_of(database: Database, fila: Fila, scope: Scope) -> None:
    seen: list[dict[str, str]] = []

    async def run(_: Scope, about: Mapping[str, str]) -> None:
        seen.append({**ids(), **about})
        if len(seen) == 1:
            raise ValueError("a")

    async def give_up(*_: object) -> None:
        raise AssertionError

    counts = {fim: trabalhos.labels("contada", fim) for fim in FINS}
    before = {fim: count._value.get() for fim, count in counts.items()}
    with known(request_id="r-12345678"):
        await _defer(database, fila, scope, Job("contada", {"n": "1"}))
    async with working(Worker(database, [Task("contada", run, give_up)], concurrency=1, rhythm=_RHYTHM)):
        await _until_empty(database, fila, scope)
    assert {fim: count._value.get() - before[fim] for fim, count in counts.items()} == {"feito": 1, "falhou": 1, "desistiu": 0}
    assert [{name: one.get(name) for name in ("request_id", "tarefa", "n")} for one in seen] == [
        {"request_id": "r-12345678", "tarefa": "contada", "n": "1"}
    ] * 2
    assert all(one["job_id"].isdigit() for one in seen)


async def test_a_higher_priority_is_begun_first_then_the_oldest(database: Database, fila: Fila, scope: Scope) -> None:
    tarefa = Tarefa()
    await _defer(database, fila, scope, Job("t", {"n": "1"}), Job("t", {"n": "2"}), Job("t", {"n": "3"}, 1))
    async with working(Worker(database, [tarefa.task()], concurrency=1, rhythm=_RHYTHM)):
        await _until(lambda: len(tarefa.done) == 3)
    assert tarefa.done == ["3", "1", "2"]


async def test_a_job_that_fails_is_tried_again_and_given_up_after_its_attempts(database: Database, fila: Fila, scope: Scope) -> None:
    last = ValueError("c")
    tarefa = Tarefa(ValueError("a"), ValueError("b"), last)
    await _defer(database, fila, scope, Job("t", {"n": "1"}))
    async with working(Worker(database, [tarefa.task()], concurrency=1, rhythm=_RHYTHM)):
        await _until(lambda: bool(tarefa.given_up))
        await _until_empty(database, fila, scope)
    assert (len(tarefa.begun), tarefa.given_up, tarefa.done) == (3, [last], [])


async def test_what_is_only_busy_is_tried_beyond_its_attempts(database: Database, fila: Fila, scope: Scope) -> None:
    tarefa = Tarefa(*(_Busy("Ocupado.") for _ in range(3)))
    await _defer(database, fila, scope, Job("t", {"n": "1"}))
    async with working(Worker(database, [tarefa.task()], concurrency=1, rhythm=_RHYTHM)):
        await _until(lambda: bool(tarefa.done))
    assert (len(tarefa.begun), tarefa.given_up) == (4, [])


async def test_a_worker_told_to_stop_gives_back_what_it_cannot_finish(database: Database, fila: Fila, scope: Scope) -> None:
    stuck, free = Tarefa(until=asyncio.Event()), Tarefa()
    await _defer(database, fila, scope, Job("t", {"n": "1"}))
    async with working(Worker(database, [stuck.task()], concurrency=1, rhythm=_RHYTHM)):
        await _until(lambda: bool(stuck.begun))
    async with database.unit_of_work(scope) as uow:
        assert await fila.count(uow, {"n": "1"}) == 1
    async with working(Worker(database, [free.task()], concurrency=1, rhythm=_RHYTHM)):
        await _until(lambda: bool(free.done))


async def test_a_cancellation_that_is_lost_is_said_again() -> None:
    lost: list[int] = []

    async def goes_on() -> None:
        while True:
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                lost.append(1)
                if len(lost) > 1:
                    raise

    task = asyncio.create_task(goes_on())
    await asyncio.sleep(0)
    await end([task], again_after=0.01)
    assert task.cancelled()
    assert len(lost) == 2


async def test_the_jobs_of_a_worker_without_a_heartbeat_are_taken_over_and_those_of_a_live_one_are_not(
    database: Database, fila: Fila, scope: Scope, urls: tuple[str, str]
) -> None:
    held = asyncio.Event()
    live, rescuer = Tarefa(until=held), Tarefa()
    await _defer(database, fila, scope, Job("t", {"n": "vivo"}))
    async with working(Worker(database, [live.task()], concurrency=1, rhythm=_RHYTHM)):
        await _until(lambda: bool(live.begun))
        with psycopg.connect(libpq_url(urls[0])) as connection:  # what a worker killed a minute ago leaves behind
            connection.execute(
                "with w as (insert into procrastinate_workers (last_heartbeat) values (now() - interval '1 minute') returning id) "
                "insert into procrastinate_jobs (queue_name, task_name, args, status, worker_id) "
                "select 'crivo', 't', jsonb_build_object('tenant', %s::text, 'n', 'orfao'), 'doing', id from w",
                (scope.tenant_id,),
            )
        async with working(Worker(database, [rescuer.task()], concurrency=1, rhythm=_RHYTHM)):
            await _until(lambda: bool(rescuer.done))
            await _until(lambda: _lived_on(urls[0]))
        held.set()
        await _until(lambda: bool(live.done))
    assert (rescuer.done, live.done) == (["orfao"], ["vivo"])


def _lived_on(url: str) -> bool:
    """Whether the worker of a job has shown its heartbeat long after a worker without one would have lost it."""
    with psycopg.connect(libpq_url(url)) as connection:
        found = connection.execute(
            "select max(w.last_heartbeat) > min(e.at) + interval '5 seconds' from procrastinate_jobs j "
            "join procrastinate_workers w on w.id = j.worker_id join procrastinate_events e on e.job_id = j.id and e.type = 'started'"
        ).fetchone()
    return found == (True,)


async def test_jobs_by_the_dozen_share_a_few_connections(database: Database, fila: Fila, scope: Scope) -> None:
    """As where most jobs wait for a model: PostgreSQL gives a hundred connections to all of an installation."""
    held = asyncio.Event()
    tarefa = Tarefa(until=held)
    worker = Worker(database, [tarefa.task()], concurrency=89, rhythm=_RHYTHM)
    connector = worker._app().connector
    assert isinstance(connector, PsycopgConnector)
    assert connector._pool_args["max_size"] == connections_of(89) == 12
    await _defer(database, fila, scope, *(Job("t", {"n": str(n)}) for n in range(40)))
    async with working(worker):
        await _until(lambda: len(tarefa.begun) == 40)
        held.set()
        await _until_empty(database, fila, scope)
    assert len(tarefa.done) == 40


def test_a_worker_of_few_jobs_opens_no_more_than_they_take() -> None:
    assert [connections_of(jobs) for jobs in (1, 2, 8, 9)] == [5, 6, 12, 12]


def test_a_worker_is_given_the_time_of_three_heartbeats() -> None:
    with pytest.raises(ValueError, match="three heartbeats"):
        Rhythm(heartbeat=5, stalled=14)


async def test_a_job_that_a_worker_does_not_know_is_left_to_one_that_does(database: Database, fila: Fila, scope: Scope) -> None:
    older, newer = Tarefa(), Tarefa()
    await _defer(database, fila, scope, Job("de_amanha", {"n": "1"}), Job("t", {"n": "2"}))
    async with working(Worker(database, [older.task()], concurrency=1, rhythm=_RHYTHM)):
        await _until(lambda: older.done == ["2"])  # so that the first was begun before
        await _defer(database, fila, scope, Job("t", {"n": "3"}))
        await _until(lambda: older.done == ["2", "3"])  # and was not taken again
    assert await _statuses(database, scope) == [("de_amanha", "todo", 1)]
    async with working(Worker(database, [Task("de_amanha", newer.run, newer.give_up)], concurrency=1, rhythm=_RHYTHM)):
        await _until_empty(database, fila, scope)
    assert (newer.done, newer.given_up) == (["1"], [])


async def test_a_job_of_another_version_keeps_to_those_who_listen_to_its_queue(database: Database, fila: Fila, scope: Scope) -> None:
    tarefa = Tarefa()
    await _defer(database, fila, scope, Job("t", {"n": "1"}, fila="so_com_modelo"))
    async with working(Worker(database, [], concurrency=1, rhythm=_RHYTHM, also=["so_com_modelo"])):
        await _until_moved(database, scope)
    await _defer(database, fila, scope, Job("t", {"n": "2"}))
    async with working(Worker(database, [tarefa.task()], concurrency=1, rhythm=_RHYTHM)):
        await _until(lambda: bool(tarefa.done))
    assert tarefa.done == ["2"]
    async with working(Worker(database, [tarefa.task()], concurrency=1, rhythm=_RHYTHM, also=["so_com_modelo"])):
        await _until_empty(database, fila, scope)
    assert tarefa.done == ["2", "1"]


async def test_a_worker_whose_schema_has_moved_finishes_what_it_began_and_takes_no_more(
    database: Database,
    fila: Fila,
    scope: Scope,
    moved_schema: Callable[[str], AbstractContextManager[None]],
    caplog: pytest.LogCaptureFixture,
) -> None:
    going = asyncio.Event()
    tarefa = Tarefa(until=going)
    await _defer(database, fila, scope, Job("t", {"n": "1"}), Job("t", {"n": "2"}))
    worker = Worker(database, [tarefa.task()], concurrency=1, rhythm=replace(_RHYTHM, watch=0.1, grace=20.0))
    run = asyncio.create_task(worker.run(asyncio.Event()))
    await _until(lambda: bool(tarefa.begun))
    with moved_schema("9999"):
        await _until(lambda: "esquema_mudou" in caplog.messages)
        going.set()
        with pytest.raises(EsquemaMudou, match="9999"):
            await run
    assert tarefa.done == ["1"]
    assert await _statuses(database, scope) == [("t", "todo", 0)]


async def _statuses(database: Database, scope: Scope) -> list[tuple[str, str, int]]:
    async with database.unit_of_work(scope) as uow:
        found = await uow.connection.exec_driver_sql("select task_name, status::text, attempts from procrastinate_jobs order by id")
        return [(str(row["task_name"]), str(row["status"]), int(row["attempts"])) for row in found.mappings()]


async def _until_moved(database: Database, scope: Scope) -> None:
    async with asyncio.timeout(30):
        while True:
            if await _statuses(database, scope) == [("t", "todo", 1)]:
                return
            await asyncio.sleep(0.05)
