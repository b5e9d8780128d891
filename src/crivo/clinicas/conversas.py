"""The conversations that are open in this process: whose each is, one turn at a time, forgotten when nobody speaks any more.

Who is speaking is in memory alone, so a conversation ends with the process. Source: design, The orchestrator, Session.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import ClassVar, Final, Protocol
from uuid import UUID

from crivo.clinicas.conversa import Conversa, Limites, Prova
from crivo.clinicas.minhas import Minhas
from crivo.clinicas.orquestrador.contracts import Paciente, Papel
from crivo.clinicas.orquestrador.conversa.sessao import Session
from crivo.clinicas.recepcao import ForaDaFila, Recepcao
from crivo.clinicas.service import Clinicas
from crivo.clinicas.situacao import SituacaoDaClinica
from crivo.kernel.autorizar import Algum, SemPermissao, asks, authorize, may
from crivo.kernel.errors import CrivoError, Kind
from crivo.kernel.settings import Planejador
from crivo.kernel.sujeitos import Pessoa, Sujeito
from crivo.kernel.tenancy import Scope

_SWEEP_SECONDS: Final = 60.0
_DAY_SECONDS: Final = 86_400.0
_DE_OUTRA_CASA: Final = "Estas clínicas são de outra organização: quem atende os pacientes delas é a recepção de lá."


class ConversaNotFound(CrivoError):
    """There is no such conversation, or it is somebody else's, or it was forgotten; which of them is not told."""

    codigo: ClassVar[str] = "conversa_nao_encontrada"
    kind: ClassVar[Kind] = Kind.ABSENT
    titulo: ClassVar[str] = "Conversa não encontrada"

    def __init__(self) -> None:
        super().__init__("Esta conversa não existe ou já terminou. Comece outra; o que foi marcado continua marcado.")


class ConversasDemais(CrivoError):
    """One tenant, or one person or program of it, holds as many conversations as it may; the others go on."""

    codigo: ClassVar[str] = "conversas_demais"
    kind: ClassVar[Kind] = Kind.LIMITED
    titulo: ClassVar[str] = "Conversas demais abertas"


class ConversasLotadas(CrivoError):
    """This process holds as many conversations as it may."""

    codigo: ClassVar[str] = "conversas_lotadas"
    kind: ClassVar[Kind] = Kind.UNAVAILABLE
    titulo: ClassVar[str] = "Todas as linhas estão ocupadas"


class Opens(Protocol):
    """What opens sessions over the clinics."""

    def open(
        self,
        papel: Papel = "paciente",
        paciente: Paciente | None = None,
        *,
        provado: bool = False,
        planejador: Planejador | None = None,
        dono: Scope | None = None,
    ) -> Session:
        """A new session, planned by whom it says, and else as the installation has it. Raises PlanejadorSemModelo."""
        ...

    @property
    def casa(self) -> str:
        """The tenant whose the clinics are, whose reception alone attends their patients."""
        ...

    @property
    def minhas(self) -> Minhas:
        """What a proven patient does with their own appointments."""
        ...

    async def situacao(self) -> tuple[SituacaoDaClinica, ...]:
        """How every clinic is doing now."""
        ...


class Conversas:
    """Every open conversation of this process, bounded in number. `ticks` are seconds of a clock that only goes forward."""

    def __init__(self, opens: Opens, limites: Limites | None = None, ticks: Callable[[], float] = time.monotonic) -> None:
        self._opens = opens
        self._limites = limites or Limites()
        self._ticks = ticks
        self.recepcao = Recepcao(ticks)
        self._open: dict[UUID, Conversa] = {}
        self._opened: dict[Scope, list[float]] = {}

    @asks("clinicas.conversar")
    def open(
        self,
        dono: Scope,
        papel: Papel = "paciente",
        paciente: Paciente | None = None,
        planejador: Planejador | None = None,
        prova: Prova | None = None,
        cota: int | None = None,
    ) -> Conversa:
        """A new conversation of someone's. Raises SemPermissao, ConversasDemais, ConversasLotadas or PlanejadorSemModelo.

        `cota` is how many the organisation may have open, where it has a quota of its own: never more than all may.
        `prova` tells, now and before each turn, whether who speaks was proven to be `paciente`; None where nobody was.
        """
        self._ask_as(dono, papel)
        self.forget_idle()
        if sum(conversa.dono == dono for conversa in self._open.values()) >= self._limites.por_dono:
            raise ConversasDemais("Há conversas demais abertas em seu nome. Encerre as que terminaram e tente de novo.")
        most = self._limites.por_inquilino if cota is None else min(cota, self._limites.por_inquilino)
        if sum(conversa.dono.tenant_id == dono.tenant_id for conversa in self._open.values()) >= most:
            raise ConversasDemais("Há conversas demais abertas na sua organização. Espere que alguma termine e tente de novo.")
        if len(self._open) >= self._limites.conversas:
            raise ConversasLotadas("Há muita gente conversando agora. Tente de novo daqui a pouco.")
        if papel == "paciente" and isinstance(dono.sujeito, Pessoa):
            self._count(dono)
        session = self._opens.open(papel, paciente, provado=prova is not None, planejador=planejador, dono=dono)
        conversa = Conversa(
            session=session, dono=dono, papel=papel, limites=self._limites, ticks=self._ticks, recepcao=self.recepcao, prova=prova
        )
        self._open[conversa.id] = conversa
        return conversa

    def _count(self, dono: Scope) -> None:
        """Raises ConversasDemais for a person who opened as many as a day may have: nobody needs them, but to guess codes."""
        since = self._ticks() - _DAY_SECONDS
        today = [at for at in self._opened.get(dono, []) if at > since]
        if len(today) >= self._limites.por_dia:
            raise ConversasDemais("Você já abriu muitas conversas hoje. Continue uma que está aberta, ou tente de novo amanhã.")
        self._opened[dono] = [*today, self._ticks()]

    @asks("clinicas.conversar")
    def get(self, dono: Scope, conversa_id: UUID) -> Conversa:
        """Someone's own conversation. Raises ConversaNotFound; SemPermissao where it is a reception's and they are not of it any more."""
        conversa = self._open.get(conversa_id)
        if conversa is None or conversa.dono != dono or conversa.is_idle:
            raise ConversaNotFound
        self._ask_as(dono, conversa.papel)
        conversa.asks_as(dono)
        return conversa

    @asks("clinicas.conversar")
    def forget(self, dono: Scope, conversa_id: UUID) -> None:
        """End someone's conversation, and with it all that is known of who was speaking. Raises ConversaNotFound."""
        self._forget(self.get(dono, conversa_id))

    def at_reception(self, tenant_id: str, conversa_id: UUID) -> Conversa:
        """A conversation that waits at a tenant's reception, whosever it is. Raises ForaDaFila."""
        conversa, espera = self._open.get(conversa_id), self.recepcao.find(conversa_id)
        if conversa is None or espera is None or espera.tenant_id != tenant_id or conversa.is_idle:
            raise ForaDaFila
        return conversa

    @asks("clinicas.conversar")
    def of(self, dono: Scope, papel: Papel = "paciente") -> Conversa | None:
        """The conversation that somebody spoke in last, in that role; None where they have none open."""
        self.forget_idle()
        own = [conversa for conversa in self._open.values() if conversa.dono == dono and conversa.papel == papel]
        return max(own, key=lambda conversa: conversa.spoken_at, default=None)

    def may_attend(self, sujeito: Sujeito) -> bool:
        """Whether somebody may attend the clinics' patients: the clinics are their tenant's, and it is their work."""
        return may(sujeito, "clinicas.atender", Algum(self._opens.casa))

    @property
    def minhas(self) -> Minhas:
        """What a proven patient does with their own appointments."""
        return self._opens.minhas

    async def situacao(self) -> tuple[SituacaoDaClinica, ...]:
        """How every clinic is doing now."""
        return await self._opens.situacao()

    def forget_idle(self) -> None:
        """End the conversations in which nobody speaks any more."""
        for conversa in [conversa for conversa in self._open.values() if conversa.is_idle]:
            self._forget(conversa)
        since = self._ticks() - _DAY_SECONDS
        self._opened = {dono: opened for dono, opened in self._opened.items() if opened[-1] > since}

    def _forget(self, conversa: Conversa) -> None:
        del self._open[conversa.id]
        self.recepcao.leave(conversa.id)
        conversa.sino.ring()

    def _ask_as(self, dono: Scope, papel: Papel) -> None:
        """Raises SemPermissao for whoever would speak in a role that is not theirs at these clinics."""
        if papel != "operador":
            return
        if dono.tenant_id != self._opens.casa:
            raise SemPermissao(_DE_OUTRA_CASA)
        authorize(dono.sujeito, "clinicas.atender", Algum(self._opens.casa))

    async def close(self) -> None:
        """Wait for the turns that are underway, and forget everything."""
        await asyncio.gather(*(conversa.finish() for conversa in self._open.values()))
        self._open.clear()


@asynccontextmanager
async def open_conversas(clinicas: Clinicas, limites: Limites | None = None) -> AsyncIterator[Conversas]:
    """Conversations with the clinics, for as long as the block lasts."""
    async with clinicas.conversations() as opens:
        conversas = Conversas(opens, limites)
        sweeping = asyncio.create_task(_sweep(conversas))
        try:
            yield conversas
        finally:
            sweeping.cancel()
            with suppress(asyncio.CancelledError):
                await sweeping
            await conversas.close()


async def _sweep(conversas: Conversas) -> None:
    """Forget by itself, so that nobody's identity stays in memory for want of another visitor."""
    while True:
        await asyncio.sleep(_SWEEP_SECONDS)
        conversas.forget_idle()
