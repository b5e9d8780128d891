"""Of several appointments given up, the one that is named comes back alone; where it is not clear which, that is asked."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from crivo.clinicas.avaliacao.pontuacao import CasoObtido

Converse = Callable[..., CasoObtido]
KATIA = "quero marcar com a Dra. Kátia Bueno dia 17/07 às 17:30"
DULCE = "marca dra Dulce 18/07 8h"
BOTH_GONE = (KATIA, DULCE, "cancela as duas", "sim")
IS_KATIA, IS_DULCE = ("2025-07-17", "17:30"), ("2025-07-18", "08:00")


def held(case: CasoObtido) -> set[tuple[str, str]]:
    """The day and the hour of everything held at the end."""
    return {(one.date, one.time) for kept in case.estado.values() for one in kept if one.cpf == "529.982.247-25"}


@pytest.mark.parametrize(
    ("said", "back"),
    [
        ("na verdade volta a da Dulce", IS_DULCE),
        ("me arrependi só da Kátia", IS_KATIA),
        ("desfaz a primeira", IS_KATIA),
        ("quero a última de volta", IS_DULCE),
        ("não era pra cancelar a de sexta", IS_DULCE),
        ("me devolve a das 17h30", IS_KATIA),
        ("desfaz, menos a da Kátia", IS_DULCE),
        ("undo the one with Dr. Dulce", IS_DULCE),
        ("mudei de ideia, mantém a do dia 17", IS_KATIA),
    ],
)
def test_of_two_given_up_together_the_named_one_comes_back_alone(converse: Converse, said: str, back: tuple[str, str]) -> None:
    assert held(converse(*BOTH_GONE, said)) == {back}


@pytest.mark.parametrize("said", ["desfaz", "volta as duas", "mudei de ideia"])
def test_both_come_back_where_none_is_named(converse: Converse, said: str) -> None:
    assert held(converse(*BOTH_GONE, said)) == {IS_KATIA, IS_DULCE}


@pytest.mark.parametrize("said", ["volta a da Tereza", "me arrependi de uma só", "volta a de cardio", "desfaz a de segunda-feira"])
def test_where_none_or_both_fit_it_is_asked_and_the_answer_is_of_that(converse: Converse, said: str) -> None:
    asked = converse(*BOTH_GONE, said)
    assert "deve voltar?" in asked.turnos[-1].texto
    assert held(asked) == set()
    assert held(converse(*BOTH_GONE, said, "a da Dulce")) == {IS_DULCE}
    assert held(converse(*BOTH_GONE, said, "sim")) == set()


def test_the_other_one_may_come_back_after_the_first(converse: Converse) -> None:
    assert held(converse(*BOTH_GONE, "volta a da Dulce", "e a da Kátia também")) == {IS_KATIA, IS_DULCE}
    asked = converse(*BOTH_GONE, "volta a da Dulce", "desfaz")
    assert "17/07" in asked.turnos[-1].texto
    assert "Quer de volta?" in asked.turnos[-1].texto
    assert held(asked) == {IS_DULCE}


def test_a_part_of_what_is_offered_back_is_taken_alone(converse: Converse) -> None:
    assert held(converse(*BOTH_GONE, "deixa pra lá", "só a da Dulce")) == {IS_DULCE}


@pytest.mark.parametrize("said", ["me arrependi, queria a da Kátia de volta", "volta a da Kátia", "pode desfazer o cancelamento da Kátia"])
def test_what_was_given_up_before_another_booking_is_offered_back(converse: Converse, said: str) -> None:
    asked = converse(KATIA, "cancela", "sim", DULCE, said)
    assert "quinta-feira, 17/07, às 17:30" in asked.turnos[-1].texto
    assert "Quer de volta?" in asked.turnos[-1].texto
    assert held(asked) == {IS_DULCE}
    assert held(converse(KATIA, "cancela", "sim", DULCE, said, "sim")) == {IS_KATIA, IS_DULCE}


def test_a_wish_for_another_day_with_the_same_doctor_gives_nothing_back(converse: Converse) -> None:
    listed = converse(*BOTH_GONE, "quero a da Dulce dia 25")
    assert "25/07" in listed.turnos[-1].texto
    assert held(listed) == set()


@pytest.mark.parametrize("again", ["desfaz", "desfaz de novo", "desfaz isso", "undo"])
def test_after_an_undo_there_is_nothing_more_to_undo(converse: Converse, again: str) -> None:
    told = converse(KATIA, "muda pra 22/07 9h30", "sim", "desfaz", "sim", again, "sim")
    assert "Não há nada para desfazer" in told.turnos[-2].texto or "nothing to undo" in told.turnos[-2].texto
    assert held(told) == {IS_KATIA}


@pytest.mark.parametrize("said", ["volta a da minha mãe", "me arrependi daquela do coração", "desfaz o que dá pra desfazer da minha irmã"])
def test_words_that_may_tell_which_bring_back_none_unasked(converse: Converse, said: str) -> None:
    assert held(converse(*BOTH_GONE, said)) == set()


def test_what_was_somebody_elses_comes_back_to_them(converse: Converse) -> None:
    both = (KATIA, "agora marca pra minha mãe com a dra Dulce 18/07 8h", "Maria Souza, 111.444.777-35", "cancela as duas", "sim")
    for said in (("volta a da Dulce",), ("marca pra mim dra Dulce 23/07 13:30", "volta a da Dulce do dia 18", "sim")):
        case = converse(*both, *said)
        hers = {(one.date, one.time) for kept in case.estado.values() for one in kept if one.cpf == "111.444.777-35"}
        assert hers == {IS_DULCE}
        assert IS_KATIA not in held(case)
