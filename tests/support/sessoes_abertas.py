"""Sessions over clinics of which none answers, planned by whatever a test plans them with, and seconds that a test lets pass."""

from __future__ import annotations

from typing import Generic, TypeVar
from uuid import uuid4

from cenario import CLOCK
from crivo.clinicas.ferramentas import Action
from crivo.clinicas.minhas import Minhas
from crivo.clinicas.orquestrador.chama.diretorio import Directory
from crivo.clinicas.orquestrador.chama.router import Router
from crivo.clinicas.orquestrador.chama.transport import Answer, Caller
from crivo.clinicas.orquestrador.contracts import ClinicReply, Paciente, Papel, Planner, Step
from crivo.clinicas.orquestrador.conversa.memoria import Memoria
from crivo.clinicas.orquestrador.conversa.sessao import Session
from crivo.clinicas.orquestrador.conversa.turno import Pipeline
from crivo.clinicas.orquestrador.escreve.embutido import EmbeddedResponder
from crivo.clinicas.orquestrador.quem_pede import who_asks
from crivo.clinicas.registro import REGISTRO_PADRAO
from crivo.clinicas.situacao import SituacaoDaClinica
from crivo.kernel.linguagem.identificadores import digits_of
from crivo.kernel.settings import Planejador
from crivo.kernel.sujeitos import CONSOLE
from crivo.kernel.tenancy import LOCAL_TENANT, Scope

PlannerT = TypeVar("PlannerT", bound=Planner)


class _Away:
    """Clinics of which none answers."""

    async def call(self, step: Step, action: Action, caller: Caller, seconds: float) -> Answer:
        return Answer(ClinicReply(step.clinic, action))


class Sessions(Generic[PlannerT]):
    """Opens sessions with one planner."""

    casa = LOCAL_TENANT

    def __init__(self, planner: PlannerT) -> None:
        router = Router(_Away(), REGISTRO_PADRAO)
        self.planner = planner
        self.minhas = Minhas(router)
        self._pipeline = Pipeline(planner, router, EmbeddedResponder(), lambda: 0.0)
        self._directory = Directory(router, REGISTRO_PADRAO, lambda: 0.0)

    def open(
        self,
        papel: Papel = "paciente",
        paciente: Paciente | None = None,
        *,
        provado: bool = False,
        planejador: Planejador | None = None,
        dono: Scope | None = None,
    ) -> Session:
        sujeito = dono.sujeito if dono is not None else CONSOLE
        quem = who_asks(self.casa, papel, sujeito, digits_of(paciente.cpf) if provado and paciente is not None else "")
        return Session(self._pipeline, self._directory, REGISTRO_PADRAO, CLOCK, papel=papel, paciente=paciente, quem=quem, id_=uuid4().hex)

    def resume(self, id_: str, papel: Papel, dono: Scope, memoria: Memoria, planejador: Planejador | None = None) -> Session:
        quem = who_asks(self.casa, papel, dono.sujeito, memoria.provado)
        return Session(self._pipeline, self._directory, REGISTRO_PADRAO, CLOCK, papel=papel, quem=quem, id_=id_, memoria=memoria)

    async def situacao(self) -> tuple[SituacaoDaClinica, ...]:
        return ()

    async def close(self) -> None:
        await self._pipeline.close()
        await self._directory.close()


class Ticks:
    """Seconds that pass when they are told to."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now
