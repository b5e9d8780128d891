"""A booking whose message was not read whole is asked about first; one that was read whole is made at once. Source: decision 0023."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

import pytest

from crivo.clinicas.avaliacao.ensaio import Dados
from crivo.clinicas.avaliacao.pontuacao import CasoObtido
from crivo.clinicas.orquestrador.contracts import Dialogue, Paciente, Step
from crivo.clinicas.orquestrador.decide.confirmar.por_inteiro import left_over
from crivo.clinicas.orquestrador.linguagem.botoes import slot_message
from crivo.clinicas.orquestrador.listados import offers_in
from crivo.kernel.clock import BRASILIA

Converse = Callable[..., CasoObtido]
NOW = datetime(2025, 7, 16, 8, 0, tzinfo=BRASILIA)
ANA = Paciente("Ana Braga", "529.982.247-25")
AURORA = "me mostra os horários da Dra. Aurora"
NINE, THREE = ("2025-07-21", "09:00"), ("2025-07-23", "15:30")


def held(case: CasoObtido) -> set[tuple[str, str]]:
    """The day and the hour of everything held at the end."""
    return {(one.date, one.time) for kept in case.estado.values() for one in kept if one.cpf == "529.982.247-25"}


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("o dois não o três quero o três", THREE),
        ("o segundo, a não ser que caia em feriado", NINE),
        ("the second one unless it's a holiday", NINE),
        ("el segundo si mi jefe me deja", NINE),
        ("minha mãe falou o segundo", NINE),
        ("o segundo assim que eu confirmar com o chefe", NINE),
        ("marca a Dra. Aurora dia 23 às 17h, digo, 15h30", THREE),
        ("dia 23 às 17h, opa, errei, 15h30 com a Dra. Aurora", THREE),
    ],
)
def test_what_is_not_read_whole_is_asked_about_and_a_yes_books_it(converse: Converse, said: str, meant: tuple[str, str]) -> None:
    asked = converse(AURORA, said)
    assert held(asked) == set()
    assert "?" in asked.turnos[-1].texto
    assert asked.turnos[-1].verdict.safe
    assert held(converse(AURORA, said, "não")) == set()
    assert held(converse(AURORA, said, "sim")) <= {meant}


@pytest.mark.parametrize(
    "said",
    [
        "o segundo",
        "Bom dia! Eu gostaria do segundo, por favor, muito obrigada",
        "2",
        "pode marcar a segunda opção pra mim",
        "fico com o do dia 21 às 9h com a doutora Aurora",
        "the second one please",
        "I'll take Dr. Aurora on July 21 at 9am",
        "el segundo, por favor",
        "quero o horário de segunda 21/07 às 9:00, meu nome é Ana Braga",
    ],
)
def test_what_is_read_whole_is_booked_at_once(converse: Converse, said: str) -> None:
    assert held(converse(AURORA, said)) == {NINE}


def test_the_speakers_own_name_is_no_doctors(converse: Converse) -> None:
    case = converse("me mostra a Dra. Odete Braga", AURORA, "aqui é Ana Braga, quero o das 9h do dia 21")
    assert held(case) <= {NINE}


def test_an_order_beside_a_question_about_the_clinic_is_read_whole(converse: Converse) -> None:
    case = converse("marca a Dra. Aurora dia 21 às 9h e qual é o telefone da clínica B?")
    assert held(case) == {NINE}


def test_two_bookings_on_one_message_that_is_not_read_whole_wait_together(converse: Converse) -> None:
    said = "quero a Dra. Aurora dia 21 às 9h e o Dr. Samir dia 25 às 15h30 se o meu chefe deixar"
    asked = converse(said)
    assert held(asked) == set()
    assert "09:00" in asked.turnos[-1].texto
    assert "15:30" in asked.turnos[-1].texto
    assert held(converse(said, "pode marcar as duas")) == {NINE, ("2025-07-25", "15:30")}


def test_what_is_given_up_and_what_is_booked_instead_are_asked_about_as_one(converse: Converse) -> None:
    said = ("marca o dr samir dia 21 8 e meia", "oxe, errei de médico. desmarca esse e bota com a dra paloma dia 23 às 16h")
    assert held(converse(*said)) == {("2025-07-21", "08:30")}
    assert held(converse(*said, "isso")) == {("2025-07-23", "16:00")}


def test_one_more_beside_what_is_proposed_leaves_the_question_open(converse: Converse) -> None:
    said = (AURORA, "o dois não o três quero o três", "e também o Dr. Samir dia 25 às 15h30")
    then = converse(*said)
    assert held(then) == {("2025-07-25", "15:30")}
    assert "23/07, às 15:30" in then.turnos[-1].texto
    assert held(converse(*said, "sim")) == {("2025-07-25", "15:30"), THREE}


def test_a_question_that_is_not_answered_is_dropped_and_said_so(converse: Converse) -> None:
    case = converse(AURORA, "o dois não o três quero o três", "vou pensar", "ok")
    assert held(case) == set()
    assert "não marquei" in case.turnos[2].texto


def test_the_message_of_every_slot_button_is_read_whole(agendas: Dados) -> None:
    clinics = agendas.open(NOW)
    dialogue = Dialogue(NOW, agendas.registro, doctors=clinics.directory(), paciente=ANA)
    offers = offers_in(clinics.call(Step(1, clinica.id, "list_available_slots"), ANA) for clinica in agendas.registro)
    assert len(offers) > 100
    unread = {said: words for offer in offers if (words := left_over(said := slot_message(offer, agendas.registro), None, dialogue))}
    assert unread == {}
