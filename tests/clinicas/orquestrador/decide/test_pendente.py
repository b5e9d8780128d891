"""What a question waits for is what its answer is read as: nothing else is booked on it, and what was dropped stays dropped."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from crivo.clinicas.avaliacao.pontuacao import CasoObtido

Converse = Callable[..., CasoObtido]
ONE_SLOT = "cardio quinta 9h"
THEN_ANOTHER = (ONE_SLOT, "sexta 8h")
FRIDAY = [("Dra. Dulce Amorim", "2025-07-18", "08:00")]


def held(case: CasoObtido) -> list[tuple[str, str, str]]:
    """What the speaker holds at the end."""
    return [(one.doctor, one.date, one.time) for kept in case.estado.values() for one in kept if one.cpf == "529.982.247-25"]


def steps(case: CasoObtido) -> list[str]:
    """Every call that any turn made."""
    return [step.action for turn in case.turnos for step in turn.steps]


@pytest.mark.parametrize(
    ("wish", "which", "asked"),
    [
        ("quero cancelar minha consulta", "com a dra marta queiroz, 28/07 às 16:30", "Cancelo?"),
        ("quero desmarcar", "dr hélio, sábado 26/07 9h", "Cancelo?"),
        ("I want to cancel my appointment", "with dr marta queiroz, 28/07 at 16:30", "Shall I cancel it?"),
        ("quiero cancelar mi cita", "con la dra marta queiroz, 28/07 a las 16:30", "¿La cancelo?"),
    ],
)
def test_what_answers_which_one_to_cancel_is_cancelled_after_a_yes_and_never_booked(
    converse: Converse, wish: str, which: str, asked: str
) -> None:
    case = converse(wish, which)
    assert asked in case.turnos[-1].texto
    assert steps(case) == []


@pytest.mark.parametrize(
    ("wish", "which", "when"),
    [
        ("quero remarcar minha consulta", "com a dra marta queiroz, 28/07 às 16:30", "Para que dia e horário"),
        ("I want to move my appointment", "with dr marta queiroz, 28/07 at 16:30", "hich day and time"),
        ("quiero cambiar mi cita", "con la dra marta queiroz, 28/07 a las 16:30", "Qué día"),
    ],
)
def test_what_answers_which_one_to_move_is_what_moves_and_never_booked(converse: Converse, wish: str, which: str, when: str) -> None:
    case = converse(wish, which)
    assert when in case.turnos[-1].texto
    assert steps(case) == []


@pytest.mark.parametrize("wish", ["quero cancelar", "quero remarcar"])
@pytest.mark.parametrize("which", [("clínica D", "28/07"), ("28/07", "às 16:30"), ("dra marta", "dia 28"), ("sim",), ("a primeira",)])
def test_what_tells_a_part_of_which_one_is_asked_on_with_no_list_and_no_booking(
    converse: Converse, wish: str, which: tuple[str, ...]
) -> None:
    case = converse(ONE_SLOT, wish, *which)
    assert steps(case)[2:] == []
    assert case.turnos[-1].pergunta


@pytest.mark.parametrize("wish", ["quero cancelar", "quero remarcar"])
@pytest.mark.parametrize(
    "which", ["tá agendada com dra marta 28/07 16:30", "tem a da dra marta dia 28 às 16h30", "é a que marquei com a dra marta 28/07 16h30"]
)
def test_an_appointment_told_in_full_with_a_verb_is_the_one_asked_for(converse: Converse, wish: str, which: str) -> None:
    case = converse(wish, which)
    assert "segunda-feira, 28/07, às 16:30, com a Dra. Marta Queiroz" in case.turnos[-1].texto
    assert steps(case) == []


def test_what_was_told_in_parts_comes_together(converse: Converse) -> None:
    told = converse("quero cancelar", "clínica D", "28/07", "dra marta", "16:30").turnos[-1].texto
    assert "segunda-feira, 28/07, às 16:30, com a Dra. Marta Queiroz" in told
    assert "Cancelo?" in told


@pytest.mark.parametrize("wish", ["quero cancelar", "quero remarcar"])
def test_a_wish_to_book_after_all_is_a_new_one(converse: Converse, wish: str) -> None:
    assert steps(converse(wish, "deixa, quero marcar um dermato")) == ["list_available_slots"] * 2


@pytest.mark.parametrize(
    "said",
    [("quanto custa?", "ok então"), ("tá bom, obrigada",), ("sim",), ("sim, obrigada",), ("ok",), ("pode marcar",), ("isso, marca esse",)],
)
def test_a_yes_after_a_booking_books_nothing_that_was_offered_before_it(converse: Converse, said: tuple[str, ...]) -> None:
    assert held(converse(*THEN_ANOTHER, *said)) == FRIDAY


@pytest.mark.parametrize("said", ["manda comprovante?", "tem recibo?", "vocês têm estacionamento aí?", "me manda o comprovante"])
def test_a_question_for_a_receipt_offers_nothing_that_is_left(converse: Converse, said: str) -> None:
    told = converse(*THEN_ANOTHER, said).turnos[-1].texto
    assert "Entre os que mostrei" not in told
    assert held(converse(*THEN_ANOTHER, said, "sim")) == FRIDAY


def test_an_offer_of_before_another_answer_is_asked_again_after_a_booking(converse: Converse) -> None:
    case = converse("dermato quarta 17h", "sim", ONE_SLOT, "quanto custa?")
    assert "Posso marcar quinta-feira, 17/07" in case.turnos[-1].texto
    assert [day for _, day, _ in held(case)] == ["2025-07-23"]
    assert len(held(converse("dermato quarta 17h", "sim", ONE_SLOT, "quanto custa?", "ok então"))) == 2


def test_a_yes_to_the_one_just_offered_still_books_it(converse: Converse) -> None:
    assert len(held(converse("dermato quarta 17h", "sim", ONE_SLOT, "sim"))) == 2


MINE: list[Any] = [("Dr. Rômulo Teixeira", "2025-07-22", "14:00")]
WEDNESDAY = ("Dra. Aurora Lemos", "2025-07-23", "17:00")
BOOKED = ("dermato terça 14h", "sim")


@pytest.mark.parametrize(
    "said",
    [
        "hmm não dá mais, volta pra quarta 17h",
        "esquece terça, vou quarta 17h",
        "hmm não dá mais, quero quarta 17h",
        "não vai dar mais, quero quarta às 17h",
        "melhor quarta 17h",
    ],
)
def test_a_change_of_mind_after_a_booking_moves_it_and_makes_no_second_one(converse: Converse, said: str) -> None:
    case = converse(*BOOKED, said)
    assert "Mudo?" in case.turnos[-1].texto
    assert held(case) == MINE
    assert held(converse(*BOOKED, said, "sim")) == [WEDNESDAY]


@pytest.mark.parametrize("which", ["a das 17h", "17h", "às 17h"])
def test_one_of_the_slots_listed_to_move_to_is_chosen_by_its_hour(converse: Converse, which: str) -> None:
    case = converse(*BOOKED, "ih errei, é quarta", which)
    assert "quarta-feira, 23/07, às 17:00" in case.turnos[-1].texto
    assert "Mudo?" in case.turnos[-1].texto
    assert held(case) == MINE


@pytest.mark.parametrize(
    "said", ["não! não era pra marcar ainda", "espera, não era pra marcar", "não quero mais a de terça não", "eu não pedi pra marcar"]
)
def test_what_was_booked_too_soon_is_told_to_stand_and_asked_about(converse: Converse, said: str) -> None:
    case = converse(*BOOKED, said)
    assert "terça-feira, 22/07, às 14:00" in case.turnos[-1].texto
    assert "ancelar" in case.turnos[-1].texto
    assert case.turnos[-1].pergunta
    assert held(case) == MINE
    assert held(converse(*BOOKED, said, "cancela", "sim")) == []
