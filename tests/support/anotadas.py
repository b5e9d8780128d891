"""Clinics that note what they are asked, and a conversation with them."""

from __future__ import annotations

from cenario import CLOCK
from crivo.clinicas.ferramentas import Action
from crivo.clinicas.orquestrador.chama.diretorio import Directory
from crivo.clinicas.orquestrador.chama.router import Router
from crivo.clinicas.orquestrador.chama.transport import Answer, Caller
from crivo.clinicas.orquestrador.contracts import ClinicReply, Paciente, Papel, Step
from crivo.clinicas.orquestrador.conversa.agentes import Agents
from crivo.clinicas.orquestrador.conversa.registro_jsonl import PipelineLog
from crivo.clinicas.orquestrador.conversa.sessao import Session
from crivo.clinicas.orquestrador.conversa.turno import Pipeline
from crivo.clinicas.orquestrador.decide.embutido import EmbeddedPlanner
from crivo.clinicas.orquestrador.escreve.embutido import EmbeddedResponder
from crivo.clinicas.orquestrador.quem_pede import who_asks
from crivo.clinicas.registro import REGISTRO_PADRAO
from crivo.kernel.sujeitos import CONSOLE
from federacao import ANA


class Recording:
    """Clinics that note every call, and answer nothing."""

    def __init__(self) -> None:
        self.calls: list[Action] = []

    async def call(self, step: Step, action: Action, caller: Caller, seconds: float) -> Answer:
        self.calls.append(action)
        return Answer(ClinicReply(step.clinic, action))


def session(
    clinics: Recording,
    agents: Agents | None = None,
    papel: Papel = "paciente",
    paciente: Paciente | None = ANA,
    log: PipelineLog | None = None,
) -> Session:
    """A conversation with such clinics, by Ana where nobody else is named."""
    router = Router(clinics, REGISTRO_PADRAO)
    pipeline = Pipeline(EmbeddedPlanner(), router, EmbeddedResponder(), lambda: 0.0)
    return Session(
        pipeline,
        Directory(router, REGISTRO_PADRAO, lambda: 0.0),
        REGISTRO_PADRAO,
        CLOCK,
        papel=papel,
        paciente=paciente,
        quem=who_asks("local", papel, CONSOLE),
        agents=agents,
        log=log,
    )
