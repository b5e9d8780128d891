"""Delivering one letter: taken, sent, and noted as sent. At least once, and as seldom twice as SMTP allows.

A worker that dies after the server took the letter and before that was written down leaves a letter that is sent again, under the
same Message-ID; SMTP has nothing that would tell. In no other case is a letter sent twice.
"""

from __future__ import annotations

from collections.abc import Mapping
from email.headerregistry import Address
from typing import Final, Literal
from uuid import UUID

from crivo.kernel import audit
from crivo.kernel.cartas import storage
from crivo.kernel.cartas.carta import Carta
from crivo.kernel.cartas.correio import ENTREGAR
from crivo.kernel.cartas.mensagem import message_of
from crivo.kernel.cartas.saida import Envelope, NaoEntregue, Saida
from crivo.kernel.clock import Clock
from crivo.kernel.jobs.fila import Fila, Job
from crivo.kernel.logs import logger
from crivo.kernel.storage.session import Database, UnitOfWork
from crivo.kernel.tenancy import Scope

Fim = Literal["enviada", "adiada", "falhou", "nada"]
"""What came of one attempt; `nada` where there was nothing to send, or another worker is sending it."""
# How long is waited after the first attempt, the second, …; after the last one it is given up: within a day.
PAUSES_SECONDS: Final = (60, 300, 900, 3600, 3 * 3600, 6 * 3600, 12 * 3600)


class Entrega:
    """Delivers letters by one way out, in the name of one sender."""

    def __init__(self, database: Database, fila: Fila, clock: Clock, saida: Saida, de: Address) -> None:
        self._database = database
        self._fila = fila
        self._clock = clock
        self._saida = saida
        self._de = de

    async def run(self, scope: Scope, about: Mapping[str, str]) -> None:
        """The job of one letter; what cannot be delivered now is put into the queue for later."""
        await self.deliver(scope, UUID(about["carta"]))

    async def give_up(self, scope: Scope, about: Mapping[str, str], _: Exception | None) -> None:
        """A job that never came to an end: the letter is shown as failed, for somebody to look at."""
        async with self._database.unit_of_work(scope) as uow:
            await self._fail(uow, UUID(about["carta"]), NaoEntregue("interrompida", passa=False), for_good=True)

    def message(self, carta: Carta, carta_id: UUID) -> bytes:
        """A letter as it goes out, for whoever sends it otherwise."""
        return message_of(carta, self._de, carta_id, self._clock.now())

    async def deliver(self, scope: Scope, carta_id: UUID) -> Fim:
        """One attempt at one letter."""
        taken = await self._take(scope, carta_id)
        if taken is None:
            return "nada"
        carta, tentativas = taken
        envelope = Envelope(scope.tenant_id, carta_id, self._de.addr_spec, carta.para, self.message(carta, carta_id))
        try:
            await self._saida.send(envelope)
        except NaoEntregue as error:
            told = {"tenant": scope.tenant_id, "codigo": error.falha, "status": error.resposta, "tentativa": tentativas}
            logger.warning("carta_nao_entregue", extra=told)
            return await self._failed(scope, carta_id, tentativas, error)
        async with self._database.unit_of_work(scope) as uow:
            now = self._clock.now()
            if await storage.sent(uow, carta_id, self._saida.via, now):
                entry = audit.NewEntry(acao="carta.enviada", alvo=f"carta:{carta_id}", dados={"via": self._saida.via})
                await audit.append(uow, now, [entry])
        return "enviada"

    async def _take(self, scope: Scope, carta_id: UUID) -> tuple[Carta, int] | None:
        """The letter, in hand, and which attempt this is; one that died in another's hands is looked at again after its lease."""
        async with self._database.unit_of_work(scope) as uow:
            if not await storage.take(uow, carta_id):
                if await storage.is_taken(uow, carta_id):
                    await self._fila.defer(uow, [_job(carta_id, storage.LEASE_SECONDS)])
                return None
            found = await storage.find(uow, carta_id)
            if found is None or found.carta is None:  # its key was destroyed while somebody had it in hand
                await self._fail(uow, carta_id, NaoEntregue("interrompida", passa=False), for_good=True)
                return None
            return found.carta, found.tentativas

    async def _failed(self, scope: Scope, carta_id: UUID, tentativas: int, error: NaoEntregue) -> Fim:
        for_good = not error.passa or tentativas > len(PAUSES_SECONDS)
        async with self._database.unit_of_work(scope) as uow:
            await self._fail(uow, carta_id, error, for_good=for_good)
            if not for_good:
                await self._fila.defer(uow, [_job(carta_id, PAUSES_SECONDS[tentativas - 1])])
        return "falhou" if for_good else "adiada"

    async def _fail(self, uow: UnitOfWork, carta_id: UUID, error: NaoEntregue, *, for_good: bool) -> None:
        if await storage.failed(uow, carta_id, error.falha, error.resposta, for_good=for_good) and for_good:
            dados = {"falha": error.falha}
            await audit.append(uow, self._clock.now(), [audit.NewEntry(acao="carta.falhou", alvo=f"carta:{carta_id}", dados=dados)])


def _job(carta_id: UUID, em_segundos: int) -> Job:
    return Job(ENTREGAR, {"carta": str(carta_id)}, em_segundos=em_segundos)
