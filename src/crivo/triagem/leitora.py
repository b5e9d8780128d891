"""What a model does in a screening, as the work of an execução sees it, and how it is stopped."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any, Final, Protocol, TypeVar
from uuid import UUID

from crivo.kernel.storage.errors import BancoIndisponivel
from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import Scope
from crivo.triagem.achados import Habilitacao, NotaSugerida
from crivo.triagem.documentos.lido import ProjetoLido
from crivo.triagem.quadro import Quadro
from crivo.triagem.storage import execucoes

T = TypeVar("T")
_LOOK_SECONDS: Final = 2.0


@dataclass(frozen=True, slots=True)
class Revista:
    """The habilitação of a project after a model was asked about what code could not tell; `inteira`: it answered for all of it."""

    habilitacao: Habilitacao
    inteira: bool


class Leitora(Protocol):
    """What a model does in a screening. What it says is checked by code before it is here; its failures are told in what is returned."""

    async def revisar(self, scope: Scope, quadro: Quadro, lido: ProjetoLido, habilitacao: Habilitacao, origem: str) -> Revista:
        """The same habilitação, with what only a reader could tell of the documents."""
        ...

    async def avaliar(self, scope: Scope, quadro: Quadro, lido: ProjetoLido, origem: str) -> tuple[NotaSugerida, ...]:
        """A nota for each critério, or why there is none."""
        ...


class Vigia:
    """Stops work that is no longer wanted. An execução is looked at once for all that a worker does of it."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._ends: dict[tuple[str, UUID], _Fim] = {}

    async def while_wanted(self, scope: Scope, execucao_id: UUID, work: Coroutine[Any, Any, T]) -> T | None:
        """The result of `work`, or None if the execução was cancelled meanwhile, which cancels questions not yet sent.

        A call that is on its way is left alone: it is paid for, and its answer is kept.
        """
        task = asyncio.create_task(work)
        try:
            with self._watched(scope, execucao_id) as fim:
                await asyncio.wait((task, fim), return_when=asyncio.FIRST_COMPLETED)
                if task.done():
                    return await task
                fim.result()  # raises what kept it from being looked at: no answer is no end
                return None
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    @contextmanager
    def _watched(self, scope: Scope, execucao_id: UUID) -> Iterator[asyncio.Task[None]]:
        """What is done once the execução is no longer under way; looked for as long as anybody waits."""
        key = (scope.tenant_id, execucao_id)
        fim = self._ends.get(key)
        if fim is None:
            fim = self._ends[key] = _Fim(asyncio.create_task(_wait_for_the_end(self._database, scope, execucao_id)))
        fim.waiting += 1
        try:
            yield fim.task
        finally:
            fim.waiting -= 1
            if not fim.waiting:
                del self._ends[key]
                fim.task.cancel()


@dataclass(slots=True)
class _Fim:
    task: asyncio.Task[None]
    waiting: int = 0


async def _wait_for_the_end(database: Database, scope: Scope, execucao_id: UUID) -> None:
    """Return once the execução is no longer under way; a database that is away for a moment is waited for."""
    under_way = True
    while under_way:
        await asyncio.sleep(_LOOK_SECONDS)
        with suppress(BancoIndisponivel):
            async with database.unit_of_work(scope) as uow:
                registro = await execucoes.find(uow, execucao_id)
            under_way = registro is not None and registro.status == "em_andamento"
