"""A second appointment of a specialty is never booked silently beside the one that is held. Source: decision 0023."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from crivo.clinicas.avaliacao.pontuacao import CasoObtido

Converse = Callable[..., CasoObtido]
MARTA = ("marca ortopedia pra mim dia vinte e um às três da tarde", "isso mesmo")
THREE, HALF_PAST_FOUR = ("2025-07-21", "15:00"), ("2025-07-21", "16:30")


def held(case: CasoObtido) -> set[tuple[str, str]]:
    """The day and the hour of everything held at the end."""
    return {(one.date, one.time) for kept in case.estado.values() for one in kept if one.cpf == "529.982.247-25"}


@pytest.mark.parametrize(
    ("then", "new"),
    [
        (("quero dermato dia 18", "a das 11"), ("2025-07-18", "11:00")),
        (("oxe mas isso é quinta, eu disse depois de amanhã, sexta", "a das 11 de sexta"), ("2025-07-18", "11:00")),
    ],
)
def test_another_slot_of_the_specialty_held_is_asked_about_with_what_is_held(
    converse: Converse, then: tuple[str, ...], new: tuple[str, str]
) -> None:
    before = ("tem doutor de pele amanhã?", "a das onze")
    case = converse(*before, *then)
    assert held(case) == {("2025-07-17", "11:00")}
    assert "17/07, às 11:00" in case.turnos[-1].texto
    assert case.turnos[-1].verdict.safe
    assert held(converse(*before, *then, "não")) == {("2025-07-17", "11:00")}
    assert held(converse(*before, *then, "troca")) == {new}


@pytest.mark.parametrize("said", ["sim", "as duas", "fico com as duas"])
def test_both_are_held_where_both_are_wanted(converse: Converse, said: str) -> None:
    case = converse("marca a Dra. Norma dia 17 às 11h", "tem a Dra. Gisele dia 18?", "a das 11", said)
    assert held(case) == {("2025-07-17", "11:00"), ("2025-07-18", "11:00")}


@pytest.mark.parametrize("said", ["e também a Dra. Gisele dia 18 às 11h", "marca a Dra. Gisele dia 18 às 11h"])
def test_one_more_said_so_or_told_in_full_is_booked_at_once(converse: Converse, said: str) -> None:
    case = converse("marca a Dra. Norma dia 17 às 11h", said)
    assert held(case) == {("2025-07-17", "11:00"), ("2025-07-18", "11:00")}


def test_another_hour_wished_for_after_a_booking_never_leaves_two(converse: Converse) -> None:
    case = converse(*MARTA, "me arrependi, pode ser quatro e meia do mesmo dia?", "sim", "o 4", "sim")
    assert held(case) != {THREE, HALF_PAST_FOUR}


@pytest.mark.parametrize("said", ["a segunda", "quero a segunda"])
def test_the_second_of_a_list_without_a_monday_is_the_second_in_it(converse: Converse, said: str) -> None:
    assert held(converse("dermato terça 22 à tarde", said)) == {("2025-07-22", "16:00")}


def test_monday_is_monday_where_one_was_shown(converse: Converse) -> None:
    assert held(converse("quero ver os horários da Dra. Aurora", "a segunda")) == {("2025-07-21", "09:00")}
