"""What a third visitor met who had seen no code: each in their words, and in others of the same kind. Source: design, "Nobody is harmed"."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from crivo.clinicas.avaliacao.pontuacao import CasoObtido

Converse = Callable[..., CasoObtido]


def held(case: CasoObtido) -> set[tuple[str, str]]:
    """The day and the hour of everything held at the end."""
    return {(one.date, one.time) for kept in case.estado.values() for one in kept if one.cpf == "529.982.247-25"}


def last(case: CasoObtido) -> str:
    """What was answered last."""
    return case.turnos[-1].texto


@pytest.mark.parametrize(
    ("asked", "picked"),
    [
        ("quero cardiologista de manhã mas não pode ser antes das 10", "então marca o mais cedo q der"),
        ("cardio, nada antes das 10 da manha nem depois das 16, e sábado nem pensar", "o mais cedo"),
        ("cardiologist, any weekday but Friday, nothing before 10am please", "earliest"),
        ("cardiólogo cualquier día menos el viernes, y no antes de las 10", "el más temprano"),
        ("ortopedista, só não pode ser na clínica D", "pode ser a primeira"),
    ],
)
def test_what_is_picked_out_of_a_search_told_by_what_it_must_not_be_is_asked_about(converse: Converse, asked: str, picked: str) -> None:
    assert held(converse(asked, picked)) == set()
    assert "?" in last(converse(asked, picked))


def test_what_is_picked_by_its_hour_out_of_such_a_search_is_booked(converse: Converse) -> None:
    assert held(converse("dermatologista, mas não na clínica B", "quero o do dia 17 às 11h")) == {("2025-07-17", "11:00")}


@pytest.mark.parametrize("asked", ["aceita unimed?", "qual o endereço?", "¿me puede decir la dirección?", "quanto custa?"])
@pytest.mark.parametrize("said", ["ok marca", "sim", "vale, reserva"])
def test_the_one_slot_proposed_is_asked_about_again_after_a_question_and_a_yes_takes_it(converse: Converse, asked: str, said: str) -> None:
    case = converse("cardiologista sexta 18 às 8", asked)
    assert held(case) == set()
    assert "18/07" in last(case)
    assert held(converse("cardiologista sexta 18 às 8", asked, said)) == {("2025-07-18", "08:00")}


@pytest.mark.parametrize("said", ["e o outro ficou marcado ainda?", "ficou marcada mesmo?", "is the other one still booked?"])
def test_whether_it_is_still_booked_is_told_and_no_verb_is_a_doctor(converse: Converse, said: str) -> None:
    case = converse("marca a Dra. Aurora dia 21 às 9h", said)
    assert "Aurora" in last(case)
    assert "Machado" not in last(case)


@pytest.mark.parametrize("said", ["quero voltar pro das 4 mesmo", "deixa no das 4", "fica no das 16h mesmo"])
def test_the_hour_that_is_held_said_while_a_change_waits_keeps_it(converse: Converse, said: str) -> None:
    case = converse("quero dermato terça a tarde", "o das 4", "muda pras 2", said, "sim")
    assert held(case) == {("2025-07-22", "16:00")}


def test_when_a_pasted_message_was_sent_is_no_wish(converse: Converse) -> None:
    said = "[15/07/2025 18:02] Mãe: marca o ortopedista do joelho\n[15/07/2025 18:03] Mãe: de tarde tá, segunda"
    assert "já passou" not in last(converse(said))
    assert "11:" not in last(converse(said))


@pytest.mark.parametrize(
    "said",
    [
        "sofri um acidente de moto ano passado e ainda dói o joelho, sangrou muito na época. ortopedista sexta 25?",
        "rompi o ligamento do joelho mês passado, tem ortopedista sexta 25?",
    ],
)
def test_what_happened_long_ago_is_no_day_that_is_asked_for(converse: Converse, said: str) -> None:
    assert "já passou" not in last(converse(said))
    assert "25/07" in last(converse(said))


@pytest.mark.parametrize("said", ["oi, quais clínicas e médicos vcs tem?", "quantas clínicas são?"])
def test_which_clinics_there_are_is_told_without_slots(converse: Converse, said: str) -> None:
    assert all(f"Clínica {letter}" in last(converse(said)) for letter in "ABCDEF")


def test_a_word_after_a_clinics_letter_is_no_other_clinic(converse: Converse) -> None:
    case = converse("dermatologista menos na clínica B, e tem que ser de manhã")
    assert "Clínica F" in last(case)
    assert "Clínica B" not in last(case)


@pytest.mark.parametrize("said", ["obrigadaaa vc é um anjo 😍", "🙏", "valeuuu"])
def test_thanks_in_any_spelling_are_thanks(converse: Converse, said: str) -> None:
    assert "Por nada" in last(converse("marca a Dra. Aurora dia 21 às 9h", said))


SERPA = ("quero a primeira consulta que tiver de cardiologia", "quero essa", "muda pra semana que vem, com o mesmo médico")


@pytest.mark.parametrize("said", ["o das 11:30", "pode ser às 11:30", "o segundo"])
def test_an_hour_told_after_the_list_of_a_change_is_of_that_list(converse: Converse, said: str) -> None:
    assert held(converse(*SERPA, said, "sim")) == {("2025-07-21", "11:30")}


@pytest.mark.parametrize("said", ["hum, não, deixa na data antiga", "melhor deixar no dia de antes", "keep it at the original time"])
def test_the_day_of_before_said_after_a_change_takes_it_back(converse: Converse, said: str) -> None:
    moved = ("marca dermato dia 18 15h", "sim", "empurra uma semana pra frente")
    assert held(converse(*moved, "sim", said)) == {("2025-07-18", "15:00")}
    assert held(converse(*moved, said, "ok")) == {("2025-07-18", "15:00")}


@pytest.mark.parametrize("said", ["wait, undo that, I picked the wrong day", "desfaz, escolhi o dia errado"])
def test_a_booking_undone_for_a_wrong_day_is_asked_about_and_cancelled(converse: Converse, said: str) -> None:
    assert held(converse("marca dermato dia 18 15h", "sim", said)) == {("2025-07-18", "15:00")}
    assert held(converse("marca dermato dia 18 15h", "sim", said, "sim")) == set()


def test_an_hour_told_after_the_slots_of_a_change_are_listed_is_of_that_day(converse: Converse) -> None:
    told = ("gostaria de remarcar a consulta do dia 24/07 às 9h com Dr Cláudio pra outro dia", "pode ser dia 28?", "11:30")
    assert "segunda-feira, 28/07, às 11:30" in last(converse(*told))
    assert "21/07" not in last(converse(*told))


@pytest.mark.parametrize("said", ["e se chover muito posso remarcar?", "se eu não puder ir na hora dá pra mudar?"])
def test_whether_it_may_be_moved_if_something_happens_moves_nothing(converse: Converse, said: str) -> None:
    case = converse("marca a Dra. Norma dia 18 às 15h", said)
    assert "agora não fiz nada" in last(case)
