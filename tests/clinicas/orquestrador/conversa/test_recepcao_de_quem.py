"""An operator who names the patient in what is asked is not asked for the name again. Source: blueprint 1.6."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest

from crivo.clinicas.avaliacao.ensaio import ClinicasEmMemoria, read_data
from crivo.clinicas.ferramentas import Action
from crivo.clinicas.orquestrador.chama.diretorio import Directory
from crivo.clinicas.orquestrador.chama.router import Router
from crivo.clinicas.orquestrador.chama.transport import UNIDENTIFIED, Answer, Caller
from crivo.clinicas.orquestrador.contracts import ClinicReply, Step
from crivo.clinicas.orquestrador.conversa.sessao import Session
from crivo.clinicas.orquestrador.conversa.turno import Pipeline
from crivo.clinicas.orquestrador.decide.embutido import EmbeddedPlanner
from crivo.clinicas.orquestrador.escreve.embutido import EmbeddedResponder
from crivo.clinicas.orquestrador.quem_pede import QuemPede
from crivo.clinicas.protocol import ToolError
from crivo.kernel.clock import BRASILIA, FixedClock
from crivo.kernel.sujeitos import CONSOLE

AGENDAS = Path(__file__).parents[5] / "shared/data/evals/conversas_agendas"
NOW = datetime(2025, 7, 16, 8, 0, tzinfo=BRASILIA)


class OfNamedPatients:
    """Clinics held in memory that write nothing for nobody."""

    def __init__(self, clinics: ClinicasEmMemoria) -> None:
        self._clinics = clinics

    async def call(self, step: Step, action: Action, caller: Caller, seconds: float) -> Answer:
        if caller.paciente is None and action in {"book_appointment", "cancel_appointment"}:
            return Answer(ClinicReply(step.clinic, action, None, ToolError("Falta quem é.", codigo=UNIDENTIFIED)))
        return Answer(self._clinics.call(step, caller.paciente))


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("cancela a consulta da dona Maria Lima quinta 24/07 9h com dr Claudio", "E qual é o CPF de Maria?"),
        ("desmarca a do paciente José Prado, dr Claudio quinta 24/07 9h", "E qual é o CPF de José?"),
        ("cancela a consulta de quinta 24/07 9h com dr Claudio", "De quem é a consulta?"),
    ],
)
async def test_the_name_that_was_told_is_not_asked_for_again(said: str, asked: str) -> None:
    if not AGENDAS.exists():
        pytest.skip("needs the agendas in ../shared/data/evals/conversas_agendas")
    dados = read_data(AGENDAS)
    router = Router(OfNamedPatients(dados.open(NOW)), dados.registro)
    pipeline = Pipeline(EmbeddedPlanner(), router, EmbeddedResponder(), lambda: 0.0)
    session = Session(
        pipeline, Directory(router, dados.registro, lambda: 0.0), dados.registro, FixedClock(NOW), papel="operador", quem=QuemPede(CONSOLE)
    )
    await session.say(said)
    assert asked in (await session.say("sim")).texto
