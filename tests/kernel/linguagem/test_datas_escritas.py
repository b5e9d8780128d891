"""Dates written in full are read back in every form that people and systems write them in."""

from __future__ import annotations

from datetime import date, time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crivo.kernel.linguagem.datas_escritas import find_written_dates, months_after, read_date, read_end_of_month
from crivo.kernel.linguagem.dobra import fold_in_place

_MESES = (
    *("janeiro", "fevereiro", "março", "abril", "maio", "junho", "julho", "agosto", "setembro", "outubro", "novembro"),
    "dezembro",
)
_ENGLISH = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
DAYS = st.dates(date(1900, 1, 1), date(2199, 12, 31))


def forms_of(day: date) -> tuple[str, ...]:
    """The forms that a field, and a document, are both read in."""
    mes = _MESES[day.month - 1]
    return (
        day.isoformat(),
        f"{day:%d/%m/%Y}",
        f"{day.day}/{day.month}/{day.year}",
        f"{day:%d.%m.%Y}",
        f"{day:%d-%m-%Y}",
        f"{day:%Y/%m/%d}",
        f"{day.day} de {mes} de {day.year}",
        f"{day.day}º de {mes.upper()} de {day.year}",
        f"{day.day} {mes} {day.year}",
        f"{day.day:02d}/{mes[:3]}/{day.year}",
        f"{day.day:02d}-{mes[:3].upper()}-{day.year}",
    )


@given(DAYS)
def test_a_date_in_any_of_its_forms_is_read_back(day: date) -> None:
    for written in forms_of(day):
        assert read_date(f" {written} ") == day.isoformat(), written
        found = [one.data for one in find_written_dates(fold_in_place(f"Fortaleza, {written}\n"))]
        assert found == [day], written


@given(DAYS, st.times())
def test_the_hour_beside_a_date_changes_nothing(day: date, hour: time) -> None:
    told = f"{hour:%H:%M}"
    for written in (f"{day:%d/%m/%Y} {told}", f"{day:%d/%m/%Y} às {told}", f"{day.isoformat()}T{told}:00-03:00", f"{day:%Y/%m/%d} {told}"):
        assert read_date(written) == day.isoformat(), written


@given(DAYS)
def test_a_field_is_read_in_english_and_without_marks_too(day: date) -> None:
    for written in (f"{_ENGLISH[day.month - 1]} {day.day}, {day.year}", f"{day.day} {_ENGLISH[day.month - 1]} {day.year}", f"{day:%Y%m%d}"):
        assert read_date(written) == day.isoformat(), written


@pytest.mark.parametrize(
    "written", ["31/02/2026", "2026-13-01", "00/10/2026", "05/10/26", "26-11-05", "1899-12-31", "03/2026", "", "ontem", None, 1.5]
)
def test_what_no_calendar_has_or_could_be_two_days_is_no_date(written: object) -> None:
    assert read_date(written) is None


@given(st.dates(date(1930, 1, 1), date(2026, 11, 26)))
def test_of_a_birth_two_figures_are_the_latest_year_not_after_it(day: date) -> None:
    read = read_date(f"{day:%d/%m/%y}", "2026-11-26")
    assert read is not None
    assert read[2:] == day.isoformat()[2:]
    assert read <= "2026-11-26"


@pytest.mark.parametrize(
    ("texto", "dias"),
    [
        ("aos 5 dias do mês de maio de 2026", [date(2026, 5, 5)]),
        ("1º de setembro de 2026 a 15 / 10 / 2026", [date(2026, 9, 1), date(2026, 10, 15)]),
        ("primeiro de abril de 2026", [date(2026, 4, 1)]),
        ("cláusula 4.1.12, em 05/06/59 e 05/06/60", [date(2059, 6, 5), date(1960, 6, 5)]),
        ("31/02/2026 e 30/02/2026", []),
    ],
)
def test_every_date_of_a_document_is_found(texto: str, dias: list[date]) -> None:
    assert [one.data for one in find_written_dates(fold_in_place(texto))] == dias


@pytest.mark.parametrize(("written", "last"), [("02/2028", "2028-02-29"), ("2026-09", "2026-09-30"), ("13/2026", None), ("0000-01", None)])
def test_a_month_ends_on_its_last_day(written: str, last: str | None) -> None:
    assert read_end_of_month(written) == last


def test_months_after_the_end_of_a_month_end_with_the_shorter_one() -> None:
    assert months_after(date(2026, 1, 31), 1) == date(2026, 2, 28)
    assert months_after(date(2026, 11, 30), 14) == date(2028, 1, 30)
