"""Days and hours that only bound what is asked, told as people tell them."""

from __future__ import annotations

import pytest

from crivo.clinicas.orquestrador.contracts import Dialogue
from crivo.clinicas.orquestrador.entende.atos import find_acts
from crivo.clinicas.orquestrador.entende.criterios import Criterios
from crivo.clinicas.orquestrador.entende.frase import read_sentence
from crivo.clinicas.orquestrador.entende.mencoes import context_of


def wanted(text: str, dialogue: Dialogue) -> Criterios:
    (act,) = find_acts(read_sentence(text), context_of(dialogue))
    return act.leitura.criterios


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("cardiologista depois do 24", "2025-07-25", "9999-12-31"),
        ("dermato até o 22", "0000-01-01", "2025-07-22"),
        ("quero ortopedista antes do 30", "0000-01-01", "2025-07-29"),
        ("cardiologista a partir do 28, por favor", "2025-07-28", "9999-12-31"),
        ("necesito cardiólogo después del 23", "2025-07-24", "9999-12-31"),
        ("dermato na semana do dia 28", "2025-07-28", "2025-08-03"),
        ("ortopedista na semana do 21", "2025-07-21", "2025-07-27"),
        ("cardio na semana que começa dia 28", "2025-07-28", "2025-08-03"),
        ("a dermatologist, the week of July 28", "2025-07-28", "2025-08-03"),
        ("dermatólogo la semana del 28", "2025-07-28", "2025-08-03"),
        ("dermato na primeira semana de agosto", "2025-08-01", "2025-08-10"),
        ("quero dermato na segunda semana de agosto", "2025-08-11", "2025-08-17"),
        ("cardiologista na última semana de julho", "2025-07-28", "2025-07-31"),
        ("ortopedista no fim do mês", "2025-07-28", "2025-07-31"),
        ("dermato no começo da semana que vem", "2025-07-21", "2025-07-23"),
    ],
)
def test_a_figure_a_week_and_a_part_of_a_month_bound_the_days(text: str, first: str, last: str, dialogue: Dialogue) -> None:
    assert [(day.first, day.last) for day in wanted(text, dialogue).dias] == [(first, last)]
    assert wanted(text, dialogue).numeros == ()
    assert wanted(text, dialogue).ordinais == ()


@pytest.mark.parametrize(
    ("text", "hours"),
    [
        ("preciso de cardiologista mas trabalho até as 17", [("17:00", "23:59")]),
        ("dermato, só saio do serviço às 18h", [("18:00", "23:59")]),
        ("quero ortopedista, minha aula termina às 11h", [("11:00", "23:59")]),
        ("cardiologista, entro no trabalho às 13h", [("00:00", "13:00")]),
        ("ortopedista, minha aula começa às 19h", [("00:00", "19:00")]),
        ("preciso de dermato, trabalho das 8 às 17", [("00:00", "08:00"), ("17:00", "23:59")]),
        ("quero cardio, estudo de manhã", [("00:00", "05:00"), ("11:59", "23:59")]),
        ("i get off work at 5pm, i need a cardiologist", [("17:00", "23:59")]),
        ("salgo del trabajo a las 17, necesito dermatólogo", [("17:00", "23:59")]),
        ("pego minha filha às 12h, quero dermato mas só posso depois", [("12:00", "23:59")]),
        ("quero dermato das 14 às 16", [("14:00", "16:00")]),
        ("cardiologista entre as 10 e as 12", [("10:00", "12:00")]),
        ("ortopedista das 10 da manhã às 3 da tarde", [("10:00", "15:00")]),
        ("dermato bem cedinho, antes das 9, que depois tenho que abrir a loja", [("05:00", "08:59")]),
        ("cardio à tarde ou à noite", [("12:00", "18:29"), ("18:00", "23:59")]),
    ],
)
def test_hours_that_are_taken_leave_those_that_are_free(text: str, hours: list[tuple[str, str]], dialogue: Dialogue) -> None:
    assert [(hour.first, hour.last) for hour in wanted(text, dialogue).horas] == hours


def test_two_hours_that_are_both_wanted_are_no_stretch(dialogue: Dialogue) -> None:
    assert [hour.readings[0] for hour in wanted("quero a das 9h e a das 10h", dialogue).horas] == ["09:00", "10:00"]


@pytest.mark.parametrize("text", ["the earliest one in the morning", "the first one in the morning please", "that one in the morning"])
def test_one_that_stands_for_a_slot_is_no_hour(text: str, dialogue: Dialogue) -> None:
    assert [(hour.first, hour.last) for hour in wanted(text, dialogue).horas] == [("05:00", "11:59")]


@pytest.mark.parametrize("text", ["cancela uma das duas", "não dou conta das duas, desmarca a da pele", "desmarca as duas"])
def test_two_appointments_are_no_hour(text: str, dialogue: Dialogue) -> None:
    assert wanted(text, dialogue).horas == ()


def refused(text: str, dialogue: Dialogue) -> Criterios:
    (act,) = find_acts(read_sentence(text), context_of(dialogue))
    return act.leitura.excluidos


@pytest.mark.parametrize(
    ("text", "weekdays"),
    [
        ("Dermatologista. Terças e quintas são impossíveis para mim.", [1, 3]),
        ("terça e quinta não posso, quero dermato", [1, 3]),
        ("dermato, mas segunda e quarta eu trabalho o dia todo", [0, 2]),
        ("segunda, terça e quarta não dá, quero cardiologista", [0, 1, 2]),
        ("quarta e sexta tenho faculdade, queria cardiologista", [2, 4]),
        ("I need a dermatologist, Mondays and Tuesdays don't work", [0, 1]),
        ("dermatólogo, lunes y martes trabajo", [0, 1]),
        ("quero ortopedista, na quinta estou de plantão", [3]),
    ],
)
def test_days_that_cannot_be_are_refused_together(text: str, weekdays: list[int], dialogue: Dialogue) -> None:
    assert [day.weekday for day in refused(text, dialogue).dias] == weekdays
    assert wanted(text, dialogue).dias == ()


def test_a_day_before_a_comma_is_not_refused_with_the_one_after_it(dialogue: Dialogue) -> None:
    assert [day.weekday for day in wanted("quero dermato segunda, terça não", dialogue).dias] == [0]
    assert [day.weekday for day in refused("quero dermato segunda, terça não", dialogue).dias] == [1]


def test_an_hour_that_is_worked_in_is_refused_and_the_other_wanted(dialogue: Dialogue) -> None:
    text = "dermato de tarde, de manhã eu trabalho"
    assert [hour.first for hour in wanted(text, dialogue).horas] == ["12:00"]
    assert [hour.first for hour in refused(text, dialogue).horas] == ["05:00"]
