"""Whole conversations in which what was booked is moved: told by what is held, said back, agreed to once."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from crivo.clinicas.avaliacao.pontuacao import CasoObtido

Converse = Callable[..., CasoObtido]
CPF = "529.982.247-25"


def held(case: CasoObtido) -> set[tuple[str, str]]:
    """Day and time of what this person holds at the end."""
    return {(one.date[5:], one.time) for stored in case.estado.values() for one in stored if one.cpf == CPF}


@pytest.mark.parametrize(
    ("turns", "expected"),
    [
        (("Dra. Norma dia 18 às 15h", "preciso adiar uma semana, mesmo horário", "sim"), ("07-25", "15:00")),
        (("Dr. Ciro dia 22 às 11h", "joga uma semana pra frente no mesmo horário", "pode"), ("07-29", "11:00")),
        (("book Dr. Ciro on July 22 at 11am", "can you push it a week, same time?", "yes"), ("07-29", "11:00")),
        (("Dr. Zeferino 24/07 10h30", "consegue passar pra outra quinta, no mesmo horário?", "sim"), ("07-31", "10:30")),
        (("Dr. Hélio dia 26 às 9h", "muda pro sábado seguinte, mesmo horário", "isso"), ("08-02", "09:00")),
        (("Dr. Hélio dia 26 às 9h", "dá pra antecipar pro sábado anterior no mesmo horário?", "sim"), ("07-19", "09:00")),
        (("Dra. Célia, 23/07, 9h", "consegue antecipar para o sábado anterior, com ela mesma?", "sim, pode trocar"), ("07-19", "09:30")),
        (("doutora Odete dia 26 8:30", "na verdade troca pra terça dia 29", "pode trocar"), ("07-29", "13:30")),
        (("dra aurora dia 30 15h30", "tem como ser mais tarde no mesmo dia?", "sim"), ("07-30", "17:00")),
    ],
)
def test_a_change_told_by_what_is_held_takes_one_yes(converse: Converse, turns: tuple[str, ...], expected: tuple[str, str]) -> None:
    assert held(converse(*turns)) == {expected}


@pytest.mark.parametrize(
    ("turns", "expected"),
    [
        (("quero o Dr. Cláudio dia 28 às 10h", "desculpa, me enganei, era 11h30", "sim"), ("07-28", "11:30")),
        (("Quiero con la Dra. Gisele el 25 a las 10", "perdón, mejor a las 11", "sí"), ("07-25", "11:00")),
        (("book Dr. Rômulo on July 22 at 2pm", "sorry, can we make it 4pm instead?", "yes"), ("07-22", "16:00")),
        (("dr hélio dia 19 às 8h", "melhor às 9", "isso"), ("07-19", "09:00")),
        (("Dra. Marta dia 21 às 15h", "muda pra 16h30", "sim"), ("07-21", "16:30")),
    ],
)
def test_another_hour_alone_is_of_the_same_day(converse: Converse, turns: tuple[str, ...], expected: tuple[str, str]) -> None:
    assert held(converse(*turns)) == {expected}


def test_nothing_is_moved_before_a_yes(converse: Converse) -> None:
    case = converse("Dra. Célia, 23/07, 9h", "consegue antecipar para o sábado anterior, com ela mesma?")
    assert held(case) == {("07-23", "09:00")}
    assert "no lugar da consulta de quarta-feira, 23/07, às 09:00" in case.turnos[-1].texto


def test_another_hour_that_is_not_free_on_that_day_shows_what_is_near(converse: Converse) -> None:
    case = converse("quero o Dr. Cláudio dia 28 às 10h", "melhor às 16h")
    assert held(case) == {("07-28", "10:00")}
    assert "11:30" in case.turnos[-1].texto


def test_a_yes_after_something_was_booked_books_nothing_else(converse: Converse) -> None:
    case = converse("ortopedista de joelho na segunda dia 28 às 16h30", "a de quinta com a Marta", "sim")
    assert len(held(case)) == 1
    assert "não entendi" not in case.turnos[-1].texto.lower()


@pytest.mark.parametrize("said", ["sim", "isso", "certo, obrigada", "perfeito"])
def test_a_yes_to_what_was_just_booked_is_told_what_is_held(converse: Converse, said: str) -> None:
    case = converse("Dr. Abel dia 25 às 9h", said)
    assert held(case) == {("07-25", "09:00")}
    assert "entendi" not in case.turnos[-1].texto


@pytest.mark.parametrize("said", ["melhor às 9", "então às 9h", "pode ser 9h"])
def test_another_hour_after_one_that_was_taken_is_of_the_same_doctor_and_day(converse: Converse, said: str) -> None:
    assert held(converse("dr hélio dia 26 às 8h", said, "sim")) == {("07-26", "09:00")}


def test_a_yes_to_seeing_others_after_one_that_was_taken_shows_them(converse: Converse) -> None:
    case = converse("dr hélio dia 26 às 8h", "sim")
    assert "26/07" in case.turnos[-1].texto
    assert held(case) == set()


@pytest.mark.parametrize(
    ("turns", "expected"),
    [
        (("dr zeferino dia 28 14h30", "posso trocar pra uma hora mais tarde?", "sim"), ("07-28", "15:30")),
        (("marca a Tereza dia 23 8h30", "era pra ser 9h30, errei", "isso"), ("07-23", "09:30")),
        (("dr abel", "nove horas do dia 25"), ("07-25", "09:00")),
        (("dra marta", "a terceira"), ("07-21", "16:30")),
    ],
)
def test_an_hour_told_by_another_or_in_words_is_that_hour(converse: Converse, turns: tuple[str, ...], expected: tuple[str, str]) -> None:
    assert held(converse(*turns)) == {expected}


@pytest.mark.parametrize("said", ["a do Edgar eu não quero mais", "com o Dr. Edgar não vou mais"])
def test_an_appointment_that_is_not_wanted_any_more_is_given_up_after_a_yes(converse: Converse, said: str) -> None:
    booked = "dr edgar 21/07 18h30 e dra gisele 25/07 11h"
    assert len(held(converse(booked, said))) == 2
    assert held(converse(booked, said, "sim")) == {("07-25", "11:00")}


def test_a_doctor_of_the_list_who_is_not_wanted_is_no_cancellation(converse: Converse) -> None:
    case = converse("dermatologista dia 24", "o Rômulo eu não quero mais")
    assert not any(step.action == "cancel_appointment" for turn in case.turnos for step in turn.steps)
    assert held(case) == set()


def test_another_day_asked_for_beside_one_that_cannot_be_kept_is_a_change(converse: Converse) -> None:
    case = converse("Dra. Norma dia 24 às 11h", "não vou poder ir nesse dia, tem na sexta?")
    assert held(case) == {("07-24", "11:00")}
    assert "Cancelo?" not in case.turnos[-1].texto
    assert "no lugar da consulta" in case.turnos[-1].texto


def test_whether_a_woman_is_wanted_narrows_what_was_shown(converse: Converse) -> None:
    text = converse("quero cardiologista", "prefiro mulher").turnos[-1].texto
    assert "Dra. Kátia Bueno" in text
    assert "Dr. " not in text
