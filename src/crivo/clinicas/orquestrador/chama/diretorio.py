"""Who works where, learned from the slots that all clinics offer. It is no step of any plan. Source: design, "What a plan holds"."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

from crivo.clinicas.orquestrador.chama.router import Router
from crivo.clinicas.orquestrador.chama.transport import Caller
from crivo.clinicas.orquestrador.listados import learned, offers_in
from crivo.clinicas.orquestrador.passos import list_free
from crivo.clinicas.orquestrador.quem_pede import anybody
from crivo.clinicas.orquestrador.trace import Tell, nobody
from crivo.clinicas.registro import Registro
from crivo.kernel.tenancy import LOCAL_TENANT

_FRESH_SECONDS: Final = 120.0
_PARTIAL_SECONDS: Final = 10.0  # how soon a clinic that was away is asked again
_FIRST_SECONDS: Final = 1.0  # the longest that a conversation waits to begin; with `Limits.turn`, five in all


class Directory:
    """The doctors of every clinic, and what they practise, for all conversations; once known, a doctor stays known without a free slot."""

    def __init__(self, router: Router, registro: Registro, clock: Callable[[], float], casa: str = LOCAL_TENANT) -> None:
        """`casa` is the tenant whose the clinics are."""
        self._router = router
        self._quem = anybody(casa)
        self._steps = tuple(list_free(clinica.id, index) for index, clinica in enumerate(registro, 1))
        self._clock = clock
        self._fresh_until: float | None = None
        self._asking: asyncio.Task[None] | None = None
        self.doctors: dict[str, tuple[str, ...]] = {}
        self.ramos: dict[str, tuple[str, ...]] = {}

    async def ready(self, tell: Tell = nobody) -> None:
        """Wait until clinics were asked once, for a second at most; later news are fetched beside the conversation."""
        first = self._fresh_until is None
        if self._asking is None and (first or self._clock() > (self._fresh_until or 0.0)):
            self._asking = asyncio.create_task(self._ask(tell))
        if first and self._asking is not None:
            await asyncio.wait((self._asking,), timeout=_FIRST_SECONDS)

    async def close(self) -> None:
        """Ask no more."""
        if self._asking is not None:
            self._asking.cancel()
            await asyncio.wait((self._asking,))

    async def _ask(self, tell: Tell) -> None:
        try:
            await self.refresh(tell)
        finally:
            self._asking = None

    async def refresh(self, tell: Tell = nobody) -> None:
        """Ask every clinic what it offers; what a clinic that is away had offered before stays."""
        replies = await self._router.run(self._steps, Caller(self._quem), tell, "diretorio")
        offers = offers_in(replies)
        self.doctors, self.ramos = learned(self.doctors, self.ramos, offers)
        is_whole = all(reply.error is None for reply in replies)
        self._fresh_until = self._clock() + (_FRESH_SECONDS if is_whole else _PARTIAL_SECONDS)
