"""What a worker can do: tasks, how often they are tried, and who is told when they are given up."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Final

from procrastinate import BaseRetryStrategy, JobContext, RetryDecision
from procrastinate.jobs import Job as QueuedJob

from crivo.kernel import medidas
from crivo.kernel.errors import CrivoError, Kind
from crivo.kernel.jobs.fila import split_arguments
from crivo.kernel.logs import logger
from crivo.kernel.rastros import Atributo, Trecho, known, span
from crivo.kernel.sujeitos import CONSOLE
from crivo.kernel.tenancy import Scope

ATOR: Final = "trabalhador"
# A job that was begun so often without an end takes its workers down with it.
MOST_STARTS: Final = 8
_LONGEST_PAUSE_SECONDS: Final = 30
_PASSING: Final = frozenset({Kind.UNAVAILABLE, Kind.CONFLICT})  # of the moment, not of the work


@dataclass(frozen=True, slots=True)
class Task:
    """A kind of work. `run` may be begun more than once for the same job, on two workers at once even: it must be idempotent.

    After `attempts` failures, `give_up` is told the error, or None where no error came back because the worker died each time.
    One that `waits` is put aside while its organisation is suspended; the others are for third persons, and go on.
    """

    name: str
    run: Callable[[Scope, Mapping[str, str]], Awaitable[None]]
    give_up: Callable[[Scope, Mapping[str, str], Exception | None], Awaitable[None]]
    attempts: int = 3
    waits: bool = True

    async def work(self, context: JobContext, /, **arguments: str) -> None:
        """Do one job of the queue to an end: done, or given up. Raises what is worth another attempt."""
        asked = split_arguments(arguments)
        ids = {"job_id": str(context.job.id), "tarefa": self.name} | ({"request_id": asked.request_id} if asked.request_id else {})
        atributos: dict[str, Atributo] = {
            "messaging__system": "procrastinate",
            "crivo__tarefa": self.name,
            "crivo__tentativa": context.job.attempts + 1,
        }
        with (
            span(f"trabalho {self.name}", "consumidor", asked.traceparent, **atributos) as trecho,
            known(**ids),
            medidas.trabalho_segundos.labels(self.name).time(),
        ):
            fim = await self._work(Scope(asked.tenant_id, ATOR, CONSOLE), asked.about, context.job.attempts, trecho)
            medidas.trabalhos.labels(self.name, fim).inc()

    async def _work(self, scope: Scope, about: Mapping[str, str], before: int, trecho: Trecho) -> str:
        """How the job ended, for good; what is worth another attempt is counted and raised."""
        if before >= MOST_STARTS:
            await self.give_up(scope, about, None)
            return "desistiu"
        try:
            await self.run(scope, about)
        except Exception as error:  # whatever one job raises is reported, and the worker goes on to the next
            fields = {"tenant": scope.tenant_id, "etapa": self.name, "tentativa": before + 1}
            logger.warning("trabalho_falhou", exc_info=error, extra=fields)
            trecho.fail(error.codigo if isinstance(error, CrivoError) else type(error).__name__)
            if before + 1 < self.attempts or (isinstance(error, CrivoError) and error.kind in _PASSING):
                medidas.trabalhos.labels(self.name, "falhou").inc()
                raise
            await self.give_up(scope, about, error)
            return "desistiu"
        return "feito"


@dataclass(frozen=True, slots=True)
class Daily:
    """Work of the whole installation, done once a day or oftener by whichever worker is there; it must be idempotent. `cron` is in UTC."""

    name: str
    cron: str
    run: Callable[[], Awaitable[None]]

    async def work(self, timestamp: int) -> None:
        """Do the work of a day; the moment that it was due at changes nothing."""
        await self.run()


class Patience(BaseRetryStrategy):
    """When a job that raised is begun again: at once where its worker was told to stop, else after 1, 2, 4… at most 30 seconds."""

    def get_retry_decision(self, *, exception: BaseException, job: QueuedJob) -> RetryDecision:
        """The pause before the next attempt; whether there is one is the task's own affair."""
        if not isinstance(exception, Exception):
            return RetryDecision()
        return RetryDecision(retry_in={"seconds": min(2**job.attempts, _LONGEST_PAUSE_SECONDS)})
