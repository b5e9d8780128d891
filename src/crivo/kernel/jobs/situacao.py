"""How the queue is doing: how many jobs wait, since when, which have lost their worker, and how many workers live."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from crivo.kernel.jobs.fila import QUEUE
from crivo.kernel.storage.session import UnitOfWork

SituacaoDeTrabalho = Literal["espera", "marcado", "fazendo", "falhou"]
SITUACOES: Final[tuple[SituacaoDeTrabalho, ...]] = ("espera", "marcado", "fazendo", "falhou")
_ALIVE: Final = "interval '30 seconds'"  # twice what a worker is given before its jobs are taken over

_JOBS: Final = """
    select queue_name as fila, case status when 'doing' then 'fazendo' when 'failed' then 'falhou'
        else case when scheduled_at > now() then 'marcado' else 'espera' end end as situacao, count(*) as quantos
    from procrastinate_jobs where status in ('todo', 'doing', 'failed') group by 1, 2"""
# The oldest has the lowest number; when it was put there, or became due, the library keeps beside it.
_OLDEST: Final = """
    select j.queue_name as fila, extract(epoch from now() - coalesce(j.scheduled_at, (
        select min(e.at) from procrastinate_events e where e.job_id = j.id and e.type = 'deferred'))) as segundos
    from procrastinate_jobs j join (
        select min(id) as id from procrastinate_jobs where status = 'todo' and (scheduled_at is null or scheduled_at <= now())
        group by queue_name) o on o.id = j.id"""
_WORKERS: Final = f"""
    select (select count(*) from procrastinate_workers where last_heartbeat >= now() - {_ALIVE}) as vivos,
        (select count(*) from procrastinate_jobs j left join procrastinate_workers w on w.id = j.worker_id
         where j.status = 'doing' and (w.id is null or w.last_heartbeat < now() - {_ALIVE})) as parados"""  # noqa: S608 - constants alone


@dataclass(frozen=True, slots=True)
class SituacaoDaFila:
    """By queue: jobs of each situation, and how many seconds the oldest that may be begun has waited."""

    trabalhos: Mapping[tuple[str, SituacaoDeTrabalho], int]
    idades: Mapping[str, float]
    parados: int
    vivos: int

    @property
    def filas(self) -> tuple[str, ...]:
        """Every queue that has a job, and that of all workers."""
        return tuple(sorted({QUEUE, *(fila for fila, _ in self.trabalhos)}))


async def look(uow: UnitOfWork) -> SituacaoDaFila:
    """The queue now, of every tenant together."""
    jobs = (await uow.connection.exec_driver_sql(_JOBS)).all()
    oldest = (await uow.connection.exec_driver_sql(_OLDEST)).all()
    workers = (await uow.connection.exec_driver_sql(_WORKERS)).one()
    return SituacaoDaFila(
        {(row.fila, row.situacao): row.quantos for row in jobs},
        {row.fila: max(0.0, float(row.segundos or 0)) for row in oldest},
        workers.parados,
        workers.vivos,
    )
