"""Jobs of another version of the program: a worker that does not know a kind of work leaves it to those that do."""

from __future__ import annotations

from typing import Any, overload

from procrastinate import App, BaseRetryStrategy, RetryDecision
from procrastinate.jobs import Job as QueuedJob
from procrastinate.tasks import Task as QueuedTask

from crivo.kernel.logs import logger

AnyTask = QueuedTask[Any, Any, Any]


class DeOutraVersao(Exception):
    """The job is of a kind that this program has none of."""


def own_queue(queue: str, task: str) -> str:
    """The queue beside another that only those who know a kind of work listen to."""
    return f"{queue}:{task}"


class Known(dict[str, AnyTask]):
    """The tasks of a worker by their names. Any other stands for moving its job, once, to where those who know it look.

    The library would have the job fail, and be done by nobody.
    """

    def __init__(self, app: App) -> None:
        super().__init__(app.tasks)
        self._app = app

    @overload
    def get(self, name: str, default: None = None, /) -> AnyTask: ...
    @overload
    def get(self, name: str, default: AnyTask, /) -> AnyTask: ...
    @overload
    def get(self, name: str, default: object, /) -> AnyTask: ...
    def get(self, name: str, default: object = None, /) -> AnyTask:
        """The task of that name, or what moves its jobs on."""
        found = super().get(name)
        return found if found is not None else QueuedTask(_leave, blueprint=self._app, name=name, queue="", retry=_MoveOn())


class _MoveOn(BaseRetryStrategy):
    def get_retry_decision(self, *, exception: BaseException, job: QueuedJob) -> RetryDecision:
        logger.warning("trabalho_de_outra_versao", extra={"etapa": job.task_name})
        return RetryDecision(queue=own_queue(job.queue, job.task_name))


async def _leave(**_arguments: str) -> None:
    raise DeOutraVersao
