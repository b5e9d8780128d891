"""A suspended organisation: nobody of it comes in, its programs are refused, and its work waits; nothing of it is lost.

What third persons have a right to goes on: published results stay, recursos and answers come in, letters go out.
"""

from __future__ import annotations

from typing import ClassVar, Final

from crivo.kernel.errors import CrivoError, Kind
from crivo.kernel.jobs.fila import Fila, Job
from crivo.kernel.storage.session import Database, UnitOfWork
from crivo.kernel.tenancy import Scope

PARADA: Final = "suspensos."  # before the name of the queue that a job was in: no worker listens to such
_IS: Final = "select suspensa_em is not null as suspensa from tenants where id = %s"
_HELD: Final = f"{_IS} for share"  # until the unit of work ends nobody suspends or reactivates it
_WAKE: Final = """
    update procrastinate_jobs set queue_name = substr(queue_name, %s)
    where status = 'todo' and starts_with(queue_name, %s) and args @> jsonb_build_object('tenant', %s::text)"""
_WAITING: Final = """
    select count(*) from procrastinate_jobs
    where status = 'todo' and starts_with(queue_name, %s) and args @> jsonb_build_object('tenant', %s::text)"""


class OrganizacaoSuspensa(CrivoError):
    """Whoever asks was proven, and their organisation is suspended: the one of that name, where it is known."""

    codigo: ClassVar[str] = "organizacao_suspensa"
    kind: ClassVar[Kind] = Kind.FORBIDDEN
    titulo: ClassVar[str] = "Sua organização está suspensa"

    def __init__(self, nome: str = "") -> None:
        self.nome = nome
        super().__init__(
            f"O acesso {f'de {nome}' if nome else 'da sua organização'} está suspenso por enquanto. "
            "Nada foi apagado: quando ele voltar, tudo continua de onde parou. "
            "Para saber mais, fale com quem administra o crivo na sua organização, ou com quem cuida desta instalação."
        )


async def is_suspended(uow: UnitOfWork, *, held: bool = False) -> bool:
    """Whether the scope's organisation is suspended; `held`, it stays as it is until the unit of work ends."""
    found = await uow.connection.exec_driver_sql(_HELD if held else _IS, (uow.scope.tenant_id,))
    return bool(found.scalar_one_or_none())


async def require_active(uow: UnitOfWork) -> None:
    """Raises OrganizacaoSuspensa where the scope's organisation is suspended."""
    if await is_suspended(uow):
        raise OrganizacaoSuspensa


async def put_aside(database: Database, scope: Scope, job: Job) -> bool:
    """Have a job wait until its organisation is reactivated; False where it is not suspended, and the job is to be done now.

    Of a worker that dies right after, the job is begun again elsewhere, and is aside twice: jobs are idempotent.
    """
    async with database.unit_of_work(scope) as uow:
        if not await is_suspended(uow) or not await is_suspended(uow, held=True):
            return False
        await Fila().defer(uow, [Job(job.task, job.about, job.priority, f"{PARADA}{job.fila}")])
    return True


async def wake(uow: UnitOfWork) -> int:
    """Put back into their queues the jobs of the scope's organisation that were put aside; how many."""
    done = await uow.connection.exec_driver_sql(_WAKE, (len(PARADA) + 1, PARADA, uow.scope.tenant_id))
    return done.rowcount


async def count_waiting(uow: UnitOfWork) -> int:
    """How many jobs of the scope's organisation were put aside."""
    return int((await uow.connection.exec_driver_sql(_WAITING, (PARADA, uow.scope.tenant_id))).scalar_one())
