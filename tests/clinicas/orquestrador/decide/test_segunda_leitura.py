"""What a fresh visitor met, and is looked at again by what is heard. Source: design, "Nothing irreversible on a guess"."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from crivo.clinicas.avaliacao.pontuacao import CasoObtido

Converse = Callable[..., CasoObtido]
NORMA = ("quero a Dra. Norma Tavares", "a primeira")
NORMA_HELD = ("Dra. Norma Tavares", "2025-07-17", "11:00")


def held(case: CasoObtido) -> list[tuple[str, str, str]]:
    return [(one.doctor, one.date, one.time) for kept in case.estado.values() for one in kept if one.cpf == "529.982.247-25"]


def last(case: CasoObtido) -> str:
    return case.turnos[-1].texto


@pytest.mark.parametrize("said", ["tem outro dia não? trabalho nesse", "não tem outro dia não? nesses aí eu trabalho"])
def test_another_day_is_never_one_of_those_shown(converse: Converse, said: str) -> None:
    case = converse("quero marcar um dermatologista semana que vem", said)
    assert "22/07" in case.turnos[0].texto
    assert not any(day in last(case) for day in ("21/07", "22/07", "23/07"))
    assert "24/07" in last(case)


def test_a_place_that_is_a_weekday_too_is_asked_about(converse: Converse) -> None:
    case = converse("quero dermato na segunda 21/07 de manhã ou quinta 17/07 de manhã", "a segunda")
    assert held(case) == []
    assert "1) quinta-feira, 17/07, às 11:00" in last(case)
    assert "2) segunda-feira, 21/07, às 09:00" in last(case)


def test_on_the_monday_is_no_place_of_a_list(converse: Converse) -> None:
    case = converse("quero dermato na segunda 21/07 de manhã ou quinta 17/07 de manhã", "na segunda")
    assert held(case) == [("Dra. Aurora Lemos", "2025-07-21", "09:00")]


def test_a_slot_chosen_while_another_waits_to_be_cancelled_takes_its_place(converse: Converse) -> None:
    asked = converse(*NORMA, "cancela essa com a Norma e marca com o Rômulo", "a primeira")
    assert held(asked) == [NORMA_HELD]
    assert "passaria para quinta-feira, 17/07, às 08:30, com o Dr. Rômulo Teixeira" in last(asked)
    case = converse(*NORMA, "cancela essa com a Norma e marca com o Rômulo", "a primeira", "sim")
    assert held(case) == [("Dr. Rômulo Teixeira", "2025-07-17", "08:30")]


@pytest.mark.parametrize("said", ["sim pode", "pode sim", "pode"])
def test_a_yes_to_a_list_of_several_books_none(converse: Converse, said: str) -> None:
    assert held(converse("tem dermato na quinta 17/07?", said)) == []


def test_who_typed_their_own_cpf_wrong_is_told_what_stands_and_is_refused_nothing(converse: Converse) -> None:
    case = converse(*NORMA, "vixe digitei errado é 390.533.447-05")
    assert case.turnos[-1].recusa is None
    assert "não pode ser trocado aqui" in last(case)
    assert held(case) == [NORMA_HELD]


def test_what_was_cancelled_for_a_relative_is_told_to_be(converse: Converse) -> None:
    mother = ("marca ortopedista pra minha mãe", "a primeira", "o nome dela é Rosa Braga cpf 390.533.447-05")
    case = converse(*mother, "cancela a da minha mãe", "sim", "cancelou mesmo?")
    assert "está cancelado" in last(case)


@pytest.mark.parametrize(
    ("before", "said", "told"),
    [
        (NORMA, "brigadão viu meu anjo", "Por nada"),
        (NORMA, "ficou certinho aí né", "17/07"),
    ],
)
def test_what_the_grammar_did_not_understand_gets_an_answer_of_use(
    converse: Converse, before: tuple[str, ...], said: str, told: str
) -> None:
    case = converse(*before, said)
    assert told in last(case)
    assert held(case) == [NORMA_HELD]


def test_what_only_a_doctor_can_answer_is_never_sent_to_the_reception(converse: Converse) -> None:
    assert "recepção" not in last(converse("devo ir pro hospital?"))


def test_what_the_clinics_may_know_is_said_to_be_theirs_to_answer(converse: Converse) -> None:
    assert "recepção da clínica" in last(converse("vocês são de onde?"))
