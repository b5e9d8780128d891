"""Jobs put in the queue, counted and taken out again, in the transaction of what they belong to: neither can exist without the other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

import msgspec
from psycopg import AsyncConnection

from crivo.kernel.rastros import find_id, traceparent
from crivo.kernel.storage.session import UnitOfWork
from crivo.kernel.tenancy import Scope

if TYPE_CHECKING:
    from procrastinate import App
    from procrastinate.types import JSONDict, TimeDeltaParams

QUEUE: Final = "crivo"
_TENANT: Final = "tenant"
_REQUEST_ID: Final = "_request_id"
_TRACEPARENT: Final = "_traceparent"
_COUNT: Final = "select count(*) from procrastinate_jobs where status in ('todo', 'doing') and args @> %s::jsonb"
_DISCARD: Final = "delete from procrastinate_jobs where status = 'todo' and args @> %s::jsonb"


@dataclass(frozen=True, slots=True)
class Job:
    """Work to be done later: a task, and the ids that it is about. Never personal data: the queue is outside every tenant.

    Among jobs that wait, one of a higher `priority` is begun first, then the oldest. `fila` is that of all workers, or one of those alone
    who listen to it too. It is begun after `em_segundos` at the earliest.
    """

    task: str
    about: Mapping[str, str]
    priority: int = 0
    fila: str = QUEUE
    em_segundos: int = 0


class Fila:
    """The queue, as whoever gives work sees it. It needs no connection of its own."""

    async def defer(self, uow: UnitOfWork, jobs: Sequence[Job]) -> None:
        """Put jobs in the queue, each in the scope's tenant; workers see them once the unit of work is committed."""
        raw = (await uow.connection.get_raw_connection()).driver_connection
        if not isinstance(raw, AsyncConnection):
            raise TypeError("jobs are put in the queue over psycopg")
        asked_by = _asked_by()
        for (task, priority, queue, seconds), alike in _grouped(jobs).items():
            later: TimeDeltaParams | None = {"seconds": seconds} if seconds else None
            deferrer = self._app.configure_task(task, queue=queue, priority=priority, schedule_in=later, connection=raw)
            arguments: list[JSONDict] = [{_TENANT: uow.scope.tenant_id, **job.about, **asked_by} for job in alike]
            await deferrer.batch_defer_async(*arguments)

    async def count(self, uow: UnitOfWork, about: Mapping[str, str]) -> int:
        """How many jobs of the scope's tenant that have all these ids still wait or are being done."""
        found = await uow.connection.exec_driver_sql(_COUNT, (_filter(uow.scope, about),))
        return int(found.scalar_one())

    async def discard(self, uow: UnitOfWork, about: Mapping[str, str]) -> int:
        """Take out of the queue the jobs of the scope's tenant that have all these ids and were not begun; how many."""
        return (await uow.connection.exec_driver_sql(_DISCARD, (_filter(uow.scope, about),))).rowcount

    @cached_property
    def _app(self) -> App:
        from procrastinate import App, PsycopgConnector  # here, for the sake of commands that give no work

        return App(connector=PsycopgConnector())  # never opened: what is deferred goes over the connection of the unit of work


@dataclass(frozen=True, slots=True)
class Arguments:
    """What a job says of itself in the queue: whose it is, the ids that it is about, and the request and the span that it came of."""

    tenant_id: str
    about: dict[str, str]
    request_id: str | None
    traceparent: str | None


def split_arguments(arguments: Mapping[str, str]) -> Arguments:
    """A job's arguments, read."""
    about = dict(arguments)
    tenant_id, request_id, parent = about.pop(_TENANT), about.pop(_REQUEST_ID, None), about.pop(_TRACEPARENT, None)
    return Arguments(tenant_id, about, request_id, parent)


def _asked_by() -> dict[str, str]:
    found = {_REQUEST_ID: find_id("request_id"), _TRACEPARENT: traceparent()}
    return {name: value for name, value in found.items() if value is not None}


def _filter(scope: Scope, about: Mapping[str, str]) -> str:
    return msgspec.json.encode({_TENANT: scope.tenant_id, **about}).decode()


def _grouped(jobs: Sequence[Job]) -> dict[tuple[str, int, str, int], list[Job]]:
    alike: dict[tuple[str, int, str, int], list[Job]] = {}
    for job in jobs:
        alike.setdefault((job.task, job.priority, job.fila, job.em_segundos), []).append(job)
    return alike
