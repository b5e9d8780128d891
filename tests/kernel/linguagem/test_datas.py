"""Dates as people write them. Source: design, the verifier's fourth rule and the embedded planner."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

import pytest

from crivo.kernel.linguagem.datas import FoundDate, find_dates

NOW = datetime(2025, 7, 16, 8, 0, tzinfo=timezone(timedelta(hours=-3)))


def _only(text: str) -> FoundDate:
    found = find_dates(text, NOW.date())
    assert len(found) == 1, found
    return found[0]


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("sexta, 18/07, às 8h30", "2025-07-18"),
        ("no dia dezoito", "2025-07-18"),
        ("18 de julho de 2025", "2025-07-18"),
        ("1º de agosto", "2025-08-01"),
        ("vinte e um de julho", "2025-07-21"),
        ("July 18th", "2025-07-18"),
        ("Friday the 18th of July", "2025-07-18"),
        ("el viernes 18 de julio", "2025-07-18"),
        ("2025-07-18 08:30", "2025-07-18"),
        ("amanhã", "2025-07-17"),
        ("depois de amanhã", "2025-07-18"),
        ("daqui a três dias", "2025-07-19"),
        ("segunda que vem", "2025-07-21"),
        ("lunes 21", "2025-07-21"),
        ("dia 10", "2025-08-10"),
        ("10/07", "2025-07-10"),
        ("05/01", "2026-01-05"),
        ("8 de dez. de 2027", "2027-12-08"),
    ],
)
def test_a_date_resolves_to_the_day_that_is_meant(text: str, day: str) -> None:
    assert _only(text).date == day


@pytest.mark.parametrize("text", ["quinta, 18/07", "18/07 (quinta)", "amanhã, sexta-feira", "31/02", "amanhã (18/07)"])
def test_parts_that_do_not_agree_are_told(text: str) -> None:
    assert _only(text).contradictory


def test_days_of_one_month_are_each_a_date() -> None:
    assert [found.date for found in find_dates("dias 18, 19 e 21 de julho", NOW.date())] == ["2025-07-18", "2025-07-19", "2025-07-21"]


def test_a_week_and_a_month_have_bounds_and_no_day() -> None:
    week = _only("semana que vem")
    month = _only("em agosto")
    assert (week.date, week.first, week.last) == (None, "2025-07-21", "2025-07-27")
    assert (month.date, month.first, month.last) == (None, "2025-08-01", "2025-08-31")


@pytest.mark.parametrize(
    "text",
    [
        "a segunda opção",
        "de 8/8h por 7 dias",
        "marco uma consulta",
        "CPF 529.982.247-25",
        "12/12 horas",
        "por la mañana",
        "bom dia",
        "Dr. Marcelo",
    ],
)
def test_what_only_looks_like_a_date_is_none(text: str) -> None:
    assert find_dates(text, NOW.date()) == []


def test_spans_point_into_the_original_text_even_with_marks_of_no_width() -> None:
    text = "Ma\u0301rcia, na terc\u0327a, 22/07, às 8h"
    found = _only(text)
    assert text[found.start : found.end] == "terc\u0327a, 22/07"
