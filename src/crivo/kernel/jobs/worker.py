"""A worker: takes jobs from the queue, says that it lives, and takes over the jobs of those that no longer do."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Any, Final

import psycopg
from procrastinate import App, JobContext, PsycopgConnector
from procrastinate.exceptions import ConnectorException
from psycopg import AsyncConnection

from crivo.kernel.errors import CrivoError, Kind
from crivo.kernel.jobs.fila import QUEUE, Job, split_arguments
from crivo.kernel.jobs.tasks import ATOR, Daily, Patience, Task
from crivo.kernel.jobs.unknown import Known, own_queue
from crivo.kernel.logs import logger
from crivo.kernel.medidas import FINS, trabalhos
from crivo.kernel.storage.errors import EsquemaMudou
from crivo.kernel.storage.schema_watch import EVERY_SECONDS, watch_schema
from crivo.kernel.storage.session import KEPT_ALIVE, SET_RUNTIME_SESSION, Database
from crivo.kernel.storage.urls import libpq_url
from crivo.kernel.suspensao import put_aside
from crivo.kernel.tenancy import Scope

_RESCUE_LOCK: Final = 0x6372_6976_6F72  # 'crivor': one rescuer at a time, or two would take over the same job one after the other
# That a job was begun or ended need not be on disk: after a crash of the database it is begun again, and finds its work done.
_SET_SESSION: Final = f"{SET_RUNTIME_SESSION}; set synchronous_commit to off"
_CONNECT_SECONDS: Final = 5
_POOL_SECONDS: Final = 10.0
_OWN_CONNECTIONS: Final = 4  # for notices, the heartbeat, the next job and the jobs of the dead
_MOST_SHARED: Final = 8  # by all jobs: one takes a connection only as it begins and as it ends


@dataclass(frozen=True, slots=True)
class Rhythm:
    """In seconds: how often a worker says that it lives, looks for jobs of the dead, for new ones untold of, and at its schema.

    A worker counts as dead after `stalled`, which must be at least three times `heartbeat`: a job of a live one would be done twice.
    Told to stop, it finishes what it has begun within `grace`; what is not done by then goes back into the queue.
    """

    heartbeat: float = 5.0
    stalled: float = 15.0
    rescue: float = 3.0
    poll: float = 2.0
    grace: float = 10.0
    pause: float = 1.0
    watch: float = EVERY_SECONDS

    def __post_init__(self) -> None:
        if self.stalled < 3 * self.heartbeat:
            raise ValueError("a worker must be given the time of three heartbeats")


class Worker:
    """Does the jobs of some tasks, `concurrency` at a time, until told to stop; a database that goes away is waited for.

    Besides the queue of all it listens to `also`, where jobs wait that not every worker can do.
    """

    def __init__(
        self,
        database: Database,
        tasks: Sequence[Task],
        *,
        concurrency: int,
        rhythm: Rhythm | None = None,
        also: Sequence[str] = (),
        daily: Sequence[Daily] = (),
    ) -> None:
        self._database = database
        self._tasks = tuple(tasks)
        self._concurrency = concurrency
        self._rhythm = rhythm or Rhythm()
        self._queues = (QUEUE, *also)
        self._daily = tuple(daily)

    async def run(self, stop: asyncio.Event, *, watching: bool = True) -> None:
        """Work until `stop` is set. Raises EsquemaMudou, once what it had begun is finished or given back, where its schema is no more.

        Not `watching`, it leaves that to what it runs beside: two that look would each tell of one move.
        """
        while not stop.is_set():
            try:
                await self._database.ensure_running()
                await self._work(stop, watching)
            except EsquemaMudou:
                raise
            except (ConnectorException, psycopg.OperationalError):
                logger.warning("trabalhador_sem_banco")
            except CrivoError as error:
                if error.kind is not Kind.UNAVAILABLE:
                    raise
                logger.warning("trabalhador_sem_banco", extra={"codigo": error.codigo})
            with suppress(TimeoutError):
                await asyncio.wait_for(stop.wait(), self._rhythm.pause)

    async def _work(self, stop: asyncio.Event, watching: bool) -> None:
        """Over one set of connections, until told to stop or until the database is lost."""
        app = self._app()
        async with app.open_async():
            together = [
                asyncio.create_task(self._work_on(app)),
                asyncio.create_task(self._keep_rescuing(app)),
                asyncio.create_task(stop.wait()),
            ]
            if watching:
                together.append(asyncio.create_task(watch_schema(self._database, self._rhythm.watch)))
            try:
                await asyncio.wait(together, return_when=asyncio.FIRST_COMPLETED)
            finally:
                await end(together, again_after=2 * self._rhythm.grace)
                ended = await asyncio.gather(*together, return_exceptions=True)
        for failure in ended:
            if isinstance(failure, Exception):
                raise failure

    async def _work_on(self, app: App) -> None:
        rhythm = self._rhythm
        await app.run_worker_async(
            queues=[*self._queues, *(own_queue(queue, task) for queue in self._queues for task in self._known())],
            concurrency=self._concurrency,
            install_signal_handlers=False,
            delete_jobs="successful",
            update_heartbeat_interval=rhythm.heartbeat,
            stalled_worker_timeout=rhythm.stalled,
            fetch_job_polling_interval=rhythm.poll,
            shutdown_graceful_timeout=rhythm.grace,
        )

    def _app(self) -> App:
        connector = PsycopgConnector(
            conninfo=libpq_url(self._database.url),
            min_size=1,
            max_size=connections_of(self._concurrency),
            timeout=_POOL_SECONDS,
            kwargs={"connect_timeout": _CONNECT_SECONDS, **KEPT_ALIVE},
            configure=_take_runtime_role,
        )
        app = App(connector=connector)
        for task in self._tasks:
            for fim in FINS:
                trabalhos.labels(task.name, fim)  # told as 0, so that the first one is an increase
            app.task(name=task.name, queue=QUEUE, retry=Patience(), pass_context=True)(self._gated(task) if task.waits else task.work)
        for daily in self._daily:
            app.periodic(cron=daily.cron)(app.task(name=daily.name, queue=QUEUE, retry=Patience())(daily.work))
        app.tasks = Known(app)
        return app

    def _gated(self, task: Task) -> Callable[..., Awaitable[None]]:
        """A task of which the jobs of a suspended organisation are put aside, and not tried."""

        async def work(context: JobContext, /, **arguments: str) -> None:
            asked = split_arguments(arguments)
            job = Job(task.name, asked.about, context.job.priority, context.job.queue)
            if await put_aside(self._database, Scope(asked.tenant_id, ATOR), job):
                logger.info("trabalho_suspenso", extra={"tenant": asked.tenant_id, "etapa": task.name})
                return
            await task.work(context, **arguments)

        return work

    def _known(self) -> list[str]:
        return [*(task.name for task in self._tasks), *(daily.name for daily in self._daily)]

    async def _keep_rescuing(self, app: App) -> None:
        while True:
            await asyncio.sleep(self._rhythm.rescue)
            await self._rescue(app)

    async def _rescue(self, app: App) -> None:
        """Put back into the queue what workers without a heartbeat had begun."""
        connector = app.connector
        if not isinstance(connector, PsycopgConnector):
            raise TypeError("a worker is connected by psycopg")
        async with connector.pool.connection() as connection, connection.transaction():
            held = await connection.execute("select pg_try_advisory_xact_lock(%s)", (_RESCUE_LOCK,))
            if (await held.fetchone()) != (True,):
                return
            for job in await app.job_manager.get_stalled_jobs(seconds_since_heartbeat=self._rhythm.stalled):
                logger.warning("trabalho_assumido", extra={"etapa": job.task_name, "tentativa": job.attempts + 1})
                with suppress(ConnectorException):  # its worker was only slow, and has just finished it
                    await app.job_manager.retry_job(job)


async def end(tasks: Sequence[asyncio.Task[Any]], again_after: float) -> None:
    """Cancels tasks and returns once all have ended; one that goes on is cancelled again every `again_after` seconds.

    `asyncio.wait_for` loses a cancellation that comes with its result (Python before 3.12), and a worker told to stop would work on.
    """
    left = set(tasks)
    while left:
        for task in left:
            task.cancel()
        _, left = await asyncio.wait(left, timeout=again_after)


@asynccontextmanager
async def working(worker: Worker, *, watching: bool = True) -> AsyncIterator[None]:
    """A worker beside something else, for as long as the block lasts; what it has begun is finished, or given back, at the end."""
    stop = asyncio.Event()
    task = asyncio.create_task(worker.run(stop, watching=watching))
    try:
        yield
    finally:
        stop.set()
        await task


def connections_of(concurrency: int) -> int:
    """The most connections to the queue that a worker opens, however many jobs it does at a time."""
    return min(concurrency, _MOST_SHARED) + _OWN_CONNECTIONS


async def _take_runtime_role(connection: AsyncConnection) -> None:
    before = connection.autocommit
    await connection.set_autocommit(True)
    await connection.execute(_SET_SESSION)
    await connection.set_autocommit(before)
