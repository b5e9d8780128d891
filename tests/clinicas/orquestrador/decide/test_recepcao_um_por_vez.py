"""At the reception, what is asked about somebody who is named is that one's, and nobody else's; questions name whose they are.

Source: design, "Who the appointment is for".
"""

from __future__ import annotations

import pytest
from tests.clinicas.orquestrador.conftest import AGENDAS, NOW

from crivo.clinicas.avaliacao.ensaio import ClinicasEmMemoria, read_data
from crivo.clinicas.ferramentas import Action
from crivo.clinicas.orquestrador.chama.diretorio import Directory
from crivo.clinicas.orquestrador.chama.router import Router
from crivo.clinicas.orquestrador.chama.transport import Answer, Caller
from crivo.clinicas.orquestrador.contracts import Step
from crivo.clinicas.orquestrador.conversa.sessao import Session
from crivo.clinicas.orquestrador.conversa.turno import Pipeline
from crivo.clinicas.orquestrador.decide.embutido import EmbeddedPlanner
from crivo.clinicas.orquestrador.escreve.embutido import EmbeddedResponder
from crivo.clinicas.orquestrador.quem_pede import QuemPede
from crivo.kernel.clock import FixedClock
from crivo.kernel.sujeitos import CONSOLE

JOAO = ("Paciente João Pereira cpf 390.533.447-05 quer cardio segunda 21 de manhã", "a primeira")
MARIA = ("agora a Maria Lima cpf 168.995.350-09, dermato terça 22 à tarde", "16h")
OF_JOAO, OF_MARIA = ("2025-07-21", "10:00", "390.533.447-05"), ("2025-07-22", "16:00", "168.995.350-09")
HELENA = "Dona Helena Costa (111.444.777-35) tá aqui no balcão furiosa, quer cardiologista hoje"


class Wired:
    """Clinics held in memory, that keep what each was asked to write and for whom."""

    def __init__(self, clinics: ClinicasEmMemoria) -> None:
        self._clinics = clinics
        self.held: set[tuple[str, str, str]] = set()

    async def call(self, step: Step, action: Action, caller: Caller, seconds: float) -> Answer:
        told, cpf = step.parameters, caller.paciente.cpf if caller.paciente else ""
        if action in {"cancel_appointment", "reschedule_appointment"}:
            self.held.remove((told.get("original_date", told.get("date", "")), told.get("original_time", told.get("time", "")), cpf))
        if action in {"book_appointment", "reschedule_appointment"}:
            self.held.add((told.get("new_date", told.get("date", "")), told.get("new_time", told.get("time", "")), cpf))
        return Answer(self._clinics.call(step, caller.paciente))


async def held_after(*said: str) -> tuple[list[str], set[tuple[str, str, str]]]:
    """What is said back to an operator's messages, and who holds which moment in the end."""
    if not AGENDAS.exists():
        pytest.skip("needs the agendas in ../shared/data/evals/conversas_agendas")
    dados = read_data(AGENDAS)
    wired = Wired(dados.open(NOW))
    router = Router(wired, dados.registro)
    pipeline = Pipeline(EmbeddedPlanner(), router, EmbeddedResponder(), lambda: 0.0)
    session = Session(
        pipeline, Directory(router, dados.registro, lambda: 0.0), dados.registro, FixedClock(NOW), papel="operador", quem=QuemPede(CONSOLE)
    )
    return [(await session.say(one)).texto for one in said], wired.held


@pytest.mark.parametrize(
    "asked",
    [
        "o João ligou, quer cancelar",
        "o João não vem mais, desmarca",
        "seu joão desistiu, desmarca a dele",
        "cancela a do João Pereira",
        "o seu João pediu pra cancelar a dele",
    ],
)
async def test_one_served_before_who_is_named_is_the_one_whose_appointment_is_cancelled(asked: str) -> None:
    texts, held = await held_after(*JOAO, *MARIA, asked, "sim")
    assert "João Pereira" in texts[4]
    assert "10:00" in texts[4]
    assert held == {OF_MARIA}


@pytest.mark.parametrize("asked", ["passa o João pras 11:30", "o João pediu pra trocar a dele pras 11:30", "remarca o seu João pra 11:30"])
async def test_one_served_before_who_is_named_is_the_one_who_is_moved(asked: str) -> None:
    texts, held = await held_after(*JOAO, *MARIA, asked, "o das 11:30", "sim")
    assert "João" in texts[4]
    assert held == {OF_MARIA, ("2025-07-21", "11:30", "390.533.447-05")}


@pytest.mark.parametrize(
    "asked", ["cancela a da Joana", "a dona Ivone quer desmarcar", "desmarca a consulta da Maria Souza", "o Carlos desistiu, pode cancelar"]
)
async def test_nothing_of_the_patient_served_is_done_for_somebody_who_was_not(asked: str) -> None:
    texts, held = await held_after(*JOAO, *MARIA, asked, "sim")
    assert "atendimento é de Maria Lima" in texts[4]
    assert "próximo paciente" in texts[4]
    assert held == {OF_JOAO, OF_MARIA}


@pytest.mark.parametrize("asked", ["a Joana quer cardio dia 22", "marca no mesmo dia do João", "o João também quer dermato"])
async def test_nothing_is_booked_for_the_patient_served_on_a_message_of_another(asked: str) -> None:
    _, held = await held_after(*JOAO, *MARIA, asked, "a primeira", "sim")
    assert held == {OF_JOAO, OF_MARIA}


@pytest.mark.parametrize("asked", ["cancela o João e marca a Maria às 14h", "passa o horário do João pra Maria"])
async def test_two_patients_in_one_message_are_asked_for_one_by_one(asked: str) -> None:
    texts, held = await held_after(*JOAO, *MARIA, asked, "sim")
    assert "um paciente por vez" in texts[4]
    assert held == {OF_JOAO, OF_MARIA}


@pytest.mark.parametrize(
    "asked",
    ["o que tem marcado pra Maria?", "Maria está com qual horário mesmo?", "quando é a consulta da Maria?", "qual o horário da Maria?"],
)
async def test_what_the_patient_served_has_is_told_by_name(asked: str) -> None:
    texts, _ = await held_after(*JOAO, *MARIA, asked)
    assert "Maria Lima" in texts[-1]
    assert "22/07, às 16:00" in texts[-1]


async def test_what_one_served_before_has_is_told_as_theirs() -> None:
    texts, _ = await held_after(*JOAO, *MARIA, "o que tem marcado pro João?", "e a Maria?", "o que ela tem marcado?")
    assert "21/07, às 10:00" in texts[4]
    assert "João" in texts[4]
    assert "Maria" in texts[5]
    assert "22/07, às 16:00" in texts[6]


async def test_a_cpf_of_another_with_a_first_name_alone_books_for_nobody() -> None:
    _, held = await held_after(
        "Paulo Reis 390.533.447-05", "quero dermatologia sábado 19. Paulo às 9", "agora a Vera, 168.995.350-09, às 10", "sim"
    )
    assert not held


async def test_two_people_in_one_message_are_not_taken_for_one() -> None:
    texts, held = await held_after(
        "marido e esposa: Paulo Reis 390.533.447-05 e Vera Reis 168.995.350-09, dermato no mesmo dia, sábado 19", "sim"
    )
    assert "um paciente por vez" in texts[0]
    assert not held


@pytest.mark.parametrize("asked", ["cancela", "desmarca essa", "a paciente pediu pra desmarcar"])
async def test_the_question_before_a_cancelling_names_the_patient(asked: str) -> None:
    texts, _ = await held_after(*JOAO, *MARIA, asked)
    assert "Maria Lima" in texts[-1]


async def test_the_question_before_a_booking_names_the_patient() -> None:
    texts, _ = await held_after("Sra. Ivone Prado, CPF 111.444.777-35, cardiologia dia 23 às 13h30")
    assert texts[-1].endswith("Posso marcar esse para Ivone?")


async def test_somebody_at_the_counter_is_not_looked_for_with_a_doctor_of_children() -> None:
    texts, held = await held_after(HELENA, "amanhã então, à tarde")
    assert "17/07, às 17:30, com a Dra. Kátia" in texts[-1]
    assert held == {("2025-07-17", "17:30", "111.444.777-35")}


@pytest.mark.parametrize("taken", ["13:30", "a primeira", "pode marcar"])
async def test_a_doctor_who_sees_children_alone_is_asked_about_at_the_reception_too(taken: str) -> None:
    texts, held = await held_after("Helena Costa 111.444.777-35 quer a Dra. Mirtes amanhã", taken)
    assert "só crianças" in texts[-1]
    assert not held


async def test_a_doctor_is_no_patient_and_an_operators_own_name_is_none() -> None:
    _, held = await held_after(
        "aqui é a Carla da recepção", *JOAO, "quer também ortopedista", "o do Ciro dia 24", "desmarca a do dr Cláudio", "sim"
    )
    assert OF_JOAO not in held
