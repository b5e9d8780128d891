"""What a proven patient does with their own appointments where no conversation is held: see them, move one, cancel one.

The scope's subject is that patient; each use case asks before it begins, and each step of it again with what it is about.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from crivo.clinicas.orquestrador.chama.router import Router
from crivo.clinicas.orquestrador.chama.transport import Caller
from crivo.clinicas.orquestrador.contracts import Booking, Paciente, Step
from crivo.clinicas.orquestrador.conversa.atos import acts_of
from crivo.clinicas.orquestrador.conversa.consultas import Achadas, find_held
from crivo.clinicas.orquestrador.listados import offers_in
from crivo.clinicas.orquestrador.passos import cancel, list_free, reschedule
from crivo.clinicas.orquestrador.provas import Chaveiro
from crivo.clinicas.orquestrador.quem_pede import QuemPede
from crivo.clinicas.orquestrador.trace import nobody
from crivo.clinicas.protocol import Slot
from crivo.kernel.atos import NewEntry
from crivo.kernel.autorizar import asks
from crivo.kernel.errors import CrivoError, Kind
from crivo.kernel.tenancy import LOCAL_TENANT, Scope


class ConsultaNaoMudou(CrivoError):
    """A clinic did not move or cancel an appointment, in its own words, or did not answer."""

    codigo: ClassVar[str] = "consulta_nao_mudou"
    kind: ClassVar[Kind] = Kind.CONFLICT
    titulo: ClassVar[str] = "Nada mudou"


class ConsultaNotFound(CrivoError):
    """None of the patient's own appointments is the one that was named; whose else it may be is not told."""

    codigo: ClassVar[str] = "consulta_nao_encontrada"
    kind: ClassVar[Kind] = Kind.ABSENT
    titulo: ClassVar[str] = "Consulta não encontrada"

    def __init__(self) -> None:
        super().__init__("Não encontrei essa entre as suas consultas. Volte à lista: ela pode ter sido mudada ou cancelada.")


@dataclass(frozen=True, slots=True)
class Mudada:
    """What the audit tells of an appointment that moved, and its new code: whoever had the one before holds nothing any more."""

    entradas: tuple[NewEntry, ...]
    codigo: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Minhas:
    """The appointments of whoever was proven, at the clinics of the tenant `casa`; every call is on behalf of that patient alone."""

    router: Router
    casa: str = LOCAL_TENANT

    @asks("clinicas.ver_consultas")
    async def held(self, scope: Scope, paciente: Paciente) -> Achadas:
        """All that the patient holds, and the clinics that did not answer."""
        return await find_held(self.router, QuemPede(scope.sujeito, self.casa), paciente)

    @asks("clinicas.ver_consultas")
    async def find(self, scope: Scope, paciente: Paciente, clinic: str, doctor: str, date: str, time: str) -> Booking:
        """One of them. Raises ConsultaNotFound."""
        held = (await self.held(scope, paciente)).consultas
        found = next((one for one in held if one.vaga == (clinic, doctor, date, time)), None)
        if found is None:
            raise ConsultaNotFound
        return found

    @asks("clinicas.ver_horarios")
    async def free_for(self, scope: Scope, consulta: Booking) -> tuple[Slot, ...]:
        """The free slots that an appointment can be moved to: of the same doctor, earliest first. Raises ConsultaNaoMudou."""
        step = list_free(consulta.clinic, doctor=consulta.doctor)
        (reply,) = await self.router.run((step,), Caller(QuemPede(scope.sujeito, self.casa)), nobody)
        if reply.error is not None:
            raise ConsultaNaoMudou(reply.error.message)
        return tuple(offer.slot for offer in offers_in((reply,)))

    @asks("clinicas.mudar_consulta")
    async def move(self, scope: Scope, paciente: Paciente, consulta: Booking, date: str, time: str) -> Mudada:
        """Move one to a free slot of the same doctor, which gets a new code. Raises ConsultaNaoMudou."""
        chaveiro = Chaveiro()
        entradas = await self._do(scope, reschedule(consulta, date, time), paciente, chaveiro)
        return Mudada(entradas, next(iter(chaveiro.held.values()), ""))

    @asks("clinicas.mudar_consulta")
    async def cancel(self, scope: Scope, paciente: Paciente, consulta: Booking) -> tuple[NewEntry, ...]:
        """Cancel one; what the audit tells of it. Raises ConsultaNaoMudou."""
        return await self._do(scope, cancel(consulta), paciente)

    async def _do(self, scope: Scope, step: Step, paciente: Paciente, chaveiro: Chaveiro | None = None) -> tuple[NewEntry, ...]:
        (reply,) = await self.router.run((step,), Caller(QuemPede(scope.sujeito, self.casa), paciente, chaveiro), nobody)
        if reply.error is not None:
            raise ConsultaNaoMudou(reply.error.message)
        return acts_of(reply, "")
