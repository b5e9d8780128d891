"""Where an act leaves a letter: in the transaction of the act, so that neither is there without the other."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Final
from uuid import UUID

from crivo.kernel.cartas import storage
from crivo.kernel.cartas.carta import Carta
from crivo.kernel.cartas.guardada import CartaGuardada
from crivo.kernel.jobs.fila import Fila, Job
from crivo.kernel.storage.session import UnitOfWork

ENTREGAR: Final = "cartas.entregar"
"""The task that delivers one letter."""


class Correio:
    """The outbox, as whoever posts sees it."""

    def __init__(self, fila: Fila, new_id: Callable[[], UUID]) -> None:
        self._fila = fila
        self._new_id = new_id

    async def post(self, uow: UnitOfWork, carta: Carta, em: datetime, *, chave: str, cpf: str = "") -> UUID:
        """Leave a letter that a job delivers once the unit of work is committed: its id.

        `chave` names what it is about, as `diligencia:<id>`, and is never personal data: what is posted again under one key is not
        sent again. `cpf` is of whoever it goes to, where it is known: erasing that person erases it.
        """
        made = await storage.add(uow, self._new_id(), chave, carta, em, cpf)
        if made is None:
            found = await storage.id_of(uow, chave)
            if found is None:
                raise TypeError("a letter that is there was not found by its own key")
            return found
        await self._fila.defer(uow, [Job(ENTREGAR, {"carta": str(made)})])
        return made

    async def retire(self, uow: UnitOfWork, *chaves: str) -> int:
        """Letters under these keys do not go out, where they have not gone yet; how many."""
        return await storage.cancel(uow, chaves)

    async def fate_of(self, uow: UnitOfWork, *chaves: str) -> dict[str, CartaGuardada]:
        """What became of the letters under these keys, by key."""
        return await storage.by_chave(uow, chaves)
