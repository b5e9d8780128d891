"""After a booking that does not suit, and after *Cancelo?*: what is held is said, and nothing is done on a guess."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from crivo.clinicas.avaliacao.pontuacao import CasoObtido

Converse = Callable[..., CasoObtido]
PT = ("quero dermato de manhã, menos com a Dra. Norma", "o 2")
EN, ES = ("I want a dermatologist please", "the second one"), ("quiero un dermatólogo", "el segundo")


def held(case: CasoObtido) -> list[tuple[str, str, str]]:
    """What the speaker holds at the end."""
    return [(one.doctor, one.date, one.time) for kept in case.estado.values() for one in kept if one.cpf == "529.982.247-25"]


@pytest.mark.parametrize("said", ["não, esse não", "nao esse nao", "outro", "quero outra", "esse não dá pra mim", "não quero esse"])
def test_another_is_offered_as_was_asked_before_and_what_is_held_is_said(converse: Converse, said: str) -> None:
    case = converse(*PT, said)
    told = case.turnos[-1].texto
    assert "A consulta de sexta-feira, 18/07, às 10:00, com a Dra. Gisele Pontes (Clínica B) continua marcada." in told
    assert 'diga "cancela"' in told
    assert "Norma" not in told
    offered = [line.split(") ")[1][:5] for line in told.split("\n") if line[:1].isdigit()]
    assert offered
    assert all(hour < "12:00" for hour in offered)
    assert held(case) == [("Dra. Gisele Pontes", "2025-07-18", "10:00")]


def test_what_is_chosen_instead_takes_the_place_of_what_was_booked(converse: Converse) -> None:
    case = converse(*PT, "nao esse nao", "o 1", "sim")
    assert "passaria para quinta-feira, 17/07, às 08:30" in case.turnos[-2].texto
    assert held(case) == [("Dr. Rômulo Teixeira", "2025-07-17", "08:30")]


def test_after_a_word_in_between_it_is_still_what_was_booked_that_does_not_suit(converse: Converse) -> None:
    assert "continua marcada" in converse(*PT, "sim", "nao esse nao").turnos[-1].texto


@pytest.mark.parametrize(
    ("before", "said", "answer"),
    [
        (PT, "não", "continua marcada. Você quer cancelar ou mudar"),
        (PT, "na verdade não", "continua marcada. Você quer cancelar ou mudar"),
        (PT, "desfaz", "Cancelo?"),
        (PT, "esquece", "agora não mudei nada. Para desmarcar"),
        (EN, "actually no", "still stands. Would you like to cancel it or to move it?"),
        (EN, "undo", "Shall I cancel it?"),
        (EN, "never mind", 'say "cancel"'),
        (EN, "not that one", "still stands. To change it, choose one of these"),
        (ES, "en realidad no", "sigue reservada. ¿Quiere cancelarla o cambiarla"),
        (ES, "deshacer", "¿La cancelo?"),
        (ES, "ese no", "sigue reservada. Para cambiarla, elija uno de estos"),
    ],
)
def test_what_takes_a_booking_back_is_understood_and_asked_first(
    converse: Converse, before: tuple[str, ...], said: str, answer: str
) -> None:
    case = converse(*before, said)
    assert answer in case.turnos[-1].texto
    assert len(held(case)) == 1


@pytest.mark.parametrize(("before", "said", "yes"), [(PT, "desfaz", "sim"), (EN, "undo", "yes"), (ES, "deshacer", "sí")])
def test_a_booking_is_undone_after_a_yes(converse: Converse, before: tuple[str, ...], said: str, yes: str) -> None:
    assert held(converse(*before, said, yes)) == []


@pytest.mark.parametrize("said", ["não, deixa essa", "essa mesmo", "isso, essa"])
def test_what_keeps_it_is_told_what_is_held(converse: Converse, said: str) -> None:
    case = converse(*PT, said)
    assert case.turnos[-1].steps == ()
    assert "sexta-feira, 18/07, às 10:00" in case.turnos[-1].texto
    assert not case.turnos[-1].pergunta


@pytest.mark.parametrize("said", ["actually no", "never mind", "en realidad no", "na verdade não", "pensando bem, não"])
def test_what_declines_a_cancellation_leaves_it(converse: Converse, said: str) -> None:
    case = converse(*PT, "cancela", said)
    assert "não cancelei a consulta" in case.turnos[-1].texto
    assert len(held(case)) == 1


@pytest.mark.parametrize("said", ["actually no", "en realidad no", "na verdade não"])
def test_what_declines_a_list_books_nothing(converse: Converse, said: str) -> None:
    case = converse("quero dermato", said)
    assert held(case) == []
    assert "ntend" not in case.turnos[-1].texto


@pytest.mark.parametrize(
    ("said", "specialty"),
    [
        ("e dermato, tem?", "Dermatologia"),
        ("e dermato?", "Dermatologia"),
        ("quero cardio", "Cardiologia"),
        ("cardiologista", "Cardiologia"),
        ("tem ortopedista de joelho?", "Ortopedia"),
    ],
)
def test_another_wish_in_the_place_of_a_yes_is_answered_and_the_appointment_stays(converse: Converse, said: str, specialty: str) -> None:
    case = converse(*PT, "cancela", said)
    assert f"de {specialty}" in case.turnos[-1].texto
    assert "Enquanto isso, não cancelei a consulta de sexta-feira, 18/07, às 10:00" in case.turnos[-1].texto
    assert len(held(case)) == 1


@pytest.mark.parametrize("said", ["dermato", "dermatologia", "dermato sexta"])
def test_a_bare_specialty_is_no_yes_to_a_cancellation(converse: Converse, said: str) -> None:
    assert len(held(converse(*PT, "cancela", said))) == 1


@pytest.mark.parametrize("said", ["a de dermato", "sim, a de dermato", "a consulta de dermato"])
def test_the_appointment_pointed_at_by_its_specialty_is_cancelled(converse: Converse, said: str) -> None:
    assert held(converse(*PT, "cancela", said)) == []


def test_a_yes_to_what_is_booked_already_tells_it(converse: Converse) -> None:
    told = converse(*PT, "sim").turnos[-1]
    assert "sexta-feira, 18/07, às 10:00" in told.texto
    assert not told.pergunta


@pytest.mark.parametrize("said", ["marquei errado, era o 4", "errei, é o 4", "cliquei errado, quero o 4"])
def test_a_slip_of_the_hand_is_a_change_and_no_second_booking(converse: Converse, said: str) -> None:
    case = converse("quero dermato", "3", said, "sim")
    assert "passaria para quinta-feira, 17/07, às 16:30" in case.turnos[-2].texto
    assert held(case) == [("Dr. Ramiro Salles", "2025-07-17", "16:30")]


@pytest.mark.parametrize("said", ["ih marquei errado", "cliquei errado", "I picked the wrong one"])
def test_a_slip_that_tells_no_other_is_asked_about(converse: Converse, said: str) -> None:
    case = converse("quero dermato", "3", said)
    assert case.turnos[-1].pergunta
    assert "quinta-feira, 17/07, às 11:00" in case.turnos[-1].texto or "Thursday, July 17, at 11:00" in case.turnos[-1].texto
    assert len(held(case)) == 1
