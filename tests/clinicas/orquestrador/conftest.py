"""The fixture of six clinics with the clock that it was made for, and conversations with the planner over it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest

from crivo.clinicas.avaliacao.conjunto import Caso, TurnoEsperado
from crivo.clinicas.avaliacao.ensaio import Dados, read_data, run_case
from crivo.clinicas.avaliacao.pontuacao import CasoObtido
from crivo.clinicas.orquestrador.contracts import Dialogue, Paciente, Papel, Plan
from crivo.clinicas.orquestrador.conversa import dialogo
from crivo.clinicas.orquestrador.decide.embutido import plan
from crivo.clinicas.orquestrador.quem_pede import who_asks
from crivo.kernel.clock import BRASILIA
from crivo.kernel.linguagem.identificadores import digits_of
from crivo.kernel.sujeitos import CONSOLE

SHARED = Path(__file__).parents[4] / "shared/data"
FOLDER = SHARED / "clinicas"
AGENDAS = SHARED / "evals/conversas_agendas"
NOW = datetime(2025, 7, 16, 8, 0, tzinfo=BRASILIA)
ANA = Paciente("Ana Braga", "529.982.247-25")

Talk = Callable[..., Plan]
Converse = Callable[..., CasoObtido]


@pytest.fixture(scope="session")
def dados() -> Dados:
    """The blueprint's clinics with its dates."""
    if not FOLDER.exists():
        pytest.skip("needs the fixture of six clinics in ../shared/data/clinicas")
    return read_data(FOLDER)


@pytest.fixture
def dialogue(dados: Dados) -> Dialogue:
    """A conversation in which nothing has been said."""
    return Dialogue(
        NOW,
        dados.registro,
        doctors=dados.open(NOW).directory(),
        paciente=ANA,
        quem=who_asks("local", "paciente", CONSOLE, digits_of(ANA.cpf)),
    )


@pytest.fixture
def talk(dados: Dados, dialogue: Dialogue) -> Talk:
    """Says things one after the other to the planner and the clinics; returns the plan of the last."""

    def say(*utterances: str, papel: Papel = "paciente") -> Plan:
        clinics = dados.open(NOW)
        state = Dialogue(
            dialogue.now,
            dialogue.registro,
            papel,
            dialogue.doctors,
            paciente=dialogue.paciente,
            quem=who_asks("local", papel, CONSOLE, digits_of(ANA.cpf)),
        )
        made = Plan()
        for utterance in utterances:
            made, pending = plan(utterance, state)
            replies = tuple(clinics.call(step, ANA) for step in made.steps)
            state = dialogo.after(state, utterance, made, replies, pending)
        return made

    return say


@pytest.fixture(scope="session")
def agendas() -> Dados:
    """Six clinics with agendas as clinics have them, thirty free slots each."""
    if not AGENDAS.exists():
        pytest.skip("needs the agendas in ../shared/data/evals/conversas_agendas")
    return read_data(AGENDAS)


@pytest.fixture
def converse(agendas: Dados) -> Converse:
    """Holds a whole conversation over those agendas; what came of each turn, and what is held at the end."""

    def hold(*utterances: str, papel: Papel = "paciente") -> CasoObtido:
        turns = tuple(TurnoEsperado(said) for said in utterances)
        return run_case(Caso("visita", "normal", turns, papel, ANA), agendas, NOW)

    return hold
