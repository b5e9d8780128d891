"""The open conversations with the clinics, whichever server answers: whose each is, how many there may be, and who hears of what changes.

They are kept by a `Guarda`; what stands here is of this process: who listens, what is being answered, and the queue as it was last seen.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Final
from uuid import UUID

from crivo.clinicas.conversa import Conversa, ConversaNotFound, Meios, Opens, Prova, kept_first
from crivo.clinicas.guarda import Dono, Guarda, Guardada, GuardaEmMemoria, Limites
from crivo.clinicas.minhas import Minhas
from crivo.clinicas.orquestrador.contracts import Paciente, Papel
from crivo.clinicas.recepcao import Espera, ForaDaFila, Recepcao, in_turn
from crivo.clinicas.service import Clinicas
from crivo.clinicas.situacao import SituacaoDaClinica
from crivo.kernel.autorizar import Algum, SemPermissao, asks, authorize, may
from crivo.kernel.errors import CrivoError
from crivo.kernel.logs import logger
from crivo.kernel.settings import Planejador
from crivo.kernel.sujeitos import Pessoa, Sujeito
from crivo.kernel.tenancy import Scope

HEARD_EVERY: Final = 0.5  # seconds until what another server did is heard of here
_SWEPT_EVERY: Final = 60.0
_LOOKED_EVERY: Final = 15.0  # seconds for which a look at the queue need not be written down again
_DE_OUTRA_CASA: Final = "Estas clínicas são de outra organização: quem atende os pacientes delas é a recepção de lá."


class Conversas:
    """Every open conversation, bounded in number. `ticks` are seconds, the same for all servers that share a `guarda`."""

    def __init__(
        self,
        opens: Opens,
        limites: Limites | None = None,
        ticks: Callable[[], float] = time.time,
        guarda: Guarda | None = None,
        prova: Prova | None = None,
    ) -> None:
        """Without `guarda` they are in the memory of this process. `prova` tells before each turn whether an account still proves a CPF."""
        self._limites = limites or Limites()
        self._guarda: Guarda = guarda or GuardaEmMemoria(ticks)
        self._ticks = ticks
        self.recepcao = Recepcao(ticks)
        self._meios = Meios(opens, self._guarda, self._limites, ticks, prova, self.recepcao, self.sync, self._noted)
        self._versoes: dict[UUID, int] = {}
        self._na_fila: dict[UUID, int] = {}
        self._looked_at: float | None = None
        self._syncing = asyncio.Lock()

    @asks("clinicas.conversar")
    async def open(
        self,
        dono: Scope,
        papel: Papel = "paciente",
        paciente: Paciente | None = None,
        planejador: Planejador | None = None,
        *,
        provado: bool = False,
        cota: int | None = None,
    ) -> Conversa:
        """A new conversation of someone's. Raises SemPermissao, ConversasDemais, ConversasLotadas or PlanejadorSemModelo.

        `cota` is how many the organisation may have open, where it has a quota of its own: never more than all may.
        `provado` tells that the account of who speaks was proven to be of `paciente`.
        """
        self._ask_as(dono, papel)
        session = self._meios.opens.open(papel, paciente, provado=provado, planejador=planejador, dono=dono)
        now = self._ticks()
        first = kept_first(session, papel, dono, planejador, now, now + self._limites.ociosa_seconds)
        # A person needs no more in a day than they may have, but to guess codes.
        counted = papel == "paciente" and isinstance(dono.sujeito, Pessoa)
        return Conversa(self._meios, await self._guarda.put(first, self._limites.within(cota), conta=counted), dono)

    @asks("clinicas.conversar")
    async def get(self, dono: Scope, conversa_id: UUID) -> Conversa:
        """Someone's own conversation. Raises ConversaNotFound; SemPermissao where it is a reception's and they are not of it any more."""
        found = await self._guarda.find(conversa_id)
        if found is None or found.dono != Dono(dono.tenant_id, dono.ator):
            raise ConversaNotFound
        self._ask_as(dono, found.estado.papel)
        if found.espera is not None:
            await self.sync()
        return Conversa(self._meios, found, dono)

    @asks("clinicas.conversar")
    async def forget(self, dono: Scope, conversa_id: UUID) -> None:
        """End someone's conversation, and with it all that is known of who was speaking. Raises ConversaNotFound."""
        conversa = await self.get(dono, conversa_id)
        await self._guarda.forget(conversa_id)
        self.recepcao.put(conversa_id, None)
        conversa.sino.ring()

    async def at_reception(self, tenant_id: str, conversa_id: UUID) -> Conversa:
        """A conversation that waits at a tenant's reception, whosever it is. Raises ForaDaFila."""
        found = await self._guarda.find(conversa_id)
        if found is None or found.espera is None or found.espera.tenant_id != tenant_id:
            raise ForaDaFila
        return self._of_another(found)

    async def waiting(self, tenant_id: str) -> tuple[Conversa, ...]:
        """All that wait at a tenant's reception, in turn."""
        if tenant_id != self._meios.opens.casa:
            return ()
        found = {one.id: one for one in await self._guarda.waiting()}
        esperas = [one.espera for one in found.values() if one.espera is not None]
        return tuple(self._of_another(found[one.conversa_id]) for one in in_turn(esperas))

    async def fila(self, tenant_id: str) -> tuple[Espera, ...]:
        """What waits at a tenant's reception as it stands now, in turn."""
        await self.sync()
        return self.recepcao.fila(tenant_id)

    async def look(self, tenant_id: str) -> None:
        """Somebody of that tenant's reception has the queue before them now."""
        now = self._ticks()
        if tenant_id != self._meios.opens.casa:
            return
        self.recepcao.seen(tenant_id, now)
        if self._looked_at is None or now - self._looked_at >= _LOOKED_EVERY:
            self._looked_at = now
            await self._guarda.look()

    @asks("clinicas.conversar")
    async def of(self, dono: Scope, papel: Papel = "paciente") -> Conversa | None:
        """The conversation that somebody spoke in last, in that role; None where they have none open."""
        found = await self._guarda.last_of(Dono(dono.tenant_id, dono.ator), papel)
        return None if found is None else Conversa(self._meios, found, dono)

    def may_attend(self, sujeito: Sujeito) -> bool:
        """Whether somebody may attend the clinics' patients: the clinics are their tenant's, and it is their work."""
        return may(sujeito, "clinicas.atender", Algum(self._meios.opens.casa))

    @property
    def minhas(self) -> Minhas:
        """What a proven patient does with their own appointments."""
        return self._meios.opens.minhas

    async def situacao(self) -> tuple[SituacaoDaClinica, ...]:
        """How every clinic is doing now."""
        return await self._meios.opens.situacao()

    async def sync(self) -> None:
        """Hear of what other servers did: whoever listens here to what changed is rung for, and the queue is as it stands."""
        async with self._syncing:
            sinos = dict(self._meios.sinos)
            novas = await self._guarda.news(sinos.keys())
            before, self._versoes = self._versoes, {one: novas.versoes.get(one, -1) for one in sinos}
            for one, sino in sinos.items():
                if before.get(one, self._versoes[one]) != self._versoes[one]:
                    sino.ring()
            if novas.vista_em is not None:
                self.recepcao.seen(self._meios.opens.casa, novas.vista_em)
            self.recepcao.replace(novas.esperas)
            queued = {one.conversa_id: novas.versoes[one.conversa_id] for one in novas.esperas}
            if queued != self._na_fila:
                self._na_fila = queued
                self.recepcao.sino.ring()

    def _noted(self, done: Guardada) -> None:
        """What is rung for here at once is not rung for again."""
        if done.id in self._versoes:
            self._versoes[done.id] = done.versao
        if done.espera is not None:
            self._na_fila[done.id] = done.versao
        else:
            self._na_fila.pop(done.id, None)

    async def forget_idle(self) -> None:
        """End the conversations in which nobody speaks any more."""
        await self._guarda.sweep()
        await self.sync()

    def _of_another(self, found: Guardada) -> Conversa:
        return Conversa(self._meios, found, Scope(found.dono.tenant_id, found.dono.ator))

    def _ask_as(self, dono: Scope, papel: Papel) -> None:
        """Raises SemPermissao for whoever would speak in a role that is not theirs at these clinics."""
        if papel != "operador":
            return
        if dono.tenant_id != self._meios.opens.casa:
            raise SemPermissao(_DE_OUTRA_CASA)
        authorize(dono.sujeito, "clinicas.atender", Algum(self._meios.opens.casa))

    async def close(self) -> None:
        """Wait for the turns that are underway."""
        if self._meios.turnos:
            await asyncio.wait(self._meios.turnos)


@asynccontextmanager
async def open_conversas(
    clinicas: Clinicas, limites: Limites | None = None, guarda: Guarda | None = None, prova: Prova | None = None
) -> AsyncIterator[Conversas]:
    """Conversations with the clinics, for as long as the block lasts."""
    async with clinicas.conversations() as opens:
        conversas = Conversas(opens, limites, guarda=guarda, prova=prova)
        hearing = asyncio.create_task(_hear(conversas))
        try:
            yield conversas
        finally:
            hearing.cancel()
            with suppress(asyncio.CancelledError):
                await hearing
            await conversas.close()


async def _hear(conversas: Conversas) -> None:
    """Hear of what others did, and forget by itself, so that nobody's identity is kept for want of another visitor."""
    swept, away = time.monotonic(), False
    while True:
        await asyncio.sleep(HEARD_EVERY)
        try:
            if time.monotonic() - swept >= _SWEPT_EVERY:
                swept = time.monotonic()
                await conversas.forget_idle()
            await conversas.sync()
        except CrivoError as error:
            if not away:
                logger.warning("conversas_sem_noticias", extra={"codigo": error.codigo})
            away = True
        else:
            away = False
