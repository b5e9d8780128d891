"""Times of day as people write them. Source: design, the verifier's fourth rule and the embedded planner."""

from __future__ import annotations

from datetime import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crivo.kernel.linguagem.horas import find_times


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("às 8h30", "08:30"),
        ("às dez e meia", "10:30"),
        ("ao meio-dia", "12:00"),
        ("at 2pm", "14:00"),
        ("at 9 a.m.", "09:00"),
        ("a las ocho y media de la mañana", "08:30"),
        ("às três da tarde", "15:00"),
        ("15h", "15:00"),
        ("dez da manhã", "10:00"),
        ("quinze para as cinco da tarde", "16:45"),
        ("half past ten", "10:30"),
        ("às 10 horas da noite", "22:00"),
        ("às 3", "15:00"),
        ("às 10:24h", "10:24"),
    ],
)
def test_a_time_is_read(text: str, time: str) -> None:
    assert [found.time for found in find_times(text)] == [time]


@pytest.mark.parametrize(
    "text",
    [
        "a cada 8 horas",
        "de 8 em 8 horas",
        "jejum de 12 horas",
        "12/12h",
        "as 3 opções",
        "dias 18 e 21",
        "em 24 horas",
        "18/07",
        "2025-07-18",
    ],
)
def test_how_long_and_how_many_are_no_times(text: str) -> None:
    assert find_times(text) == []


def test_an_hour_alone_may_be_of_the_morning_or_of_the_afternoon() -> None:
    found = find_times("às 3")[0]
    assert set(found.readings) == {"03:00", "15:00"}
    assert not found.exact


def test_a_part_of_the_day_has_no_time() -> None:
    found = find_times("de manhã")[0]
    assert (found.time, found.period) == (None, "manha")


def test_a_time_that_does_not_exist_is_told() -> None:
    assert find_times("às 25h")[0].impossible


@pytest.mark.parametrize(("text", "relation"), [("depois das 14h", "after"), ("até as 10h", "before"), ("às 10h", "at")])
def test_a_bound_is_no_appointment(text: str, relation: str) -> None:
    assert find_times(text)[0].relation == relation


@pytest.mark.parametrize("text", ["dias 21 e 22", "dias vinte e um e vinte e dois", "os dias dezoito e vinte", "dia nove e quinze"])
def test_days_are_no_time(text: str) -> None:
    assert find_times(text) == []


def test_a_time_after_a_day_is_still_one() -> None:
    assert [found.time for found in find_times("dia dezoito, às oito e meia")] == ["08:30"]


def test_a_time_after_a_day_and_an_hour_sharp_are_told() -> None:
    assert [found.time for found in find_times("dia 20, uma da tarde")] == ["13:00"]
    assert [found.time for found in find_times("dia 18, nove em ponto")] == ["09:00"]
    assert [found.time for found in find_times("meio-dia e meia de quinta")] == ["12:30"]


@given(
    st.times(),
    st.sampled_from(
        ("{h:02d}:{m:02d}", "{h:02d}h{m:02d}", "{h:02d}h{m:02d}min", "{h:02d} h {m:02d}", "{h:02d}:{m:02d}:00", "{h:02d}:{m:02d}h")
    ),
)
def test_a_time_in_any_of_its_forms_is_read_back(hour: time, form: str) -> None:
    written = form.format(h=hour.hour, m=hour.minute)
    assert [found.time for found in find_times(f"às {written}")] == [f"{hour:%H:%M}"], written


@given(
    st.integers(1, 11),
    st.sampled_from((("da manhã", 0), ("de la tarde", 12), ("in the afternoon", 12), ("da noite", 12), ("a.m.", 0), ("pm", 12))),
)
def test_an_hour_with_its_part_of_the_day_is_read_back(hour: int, part: tuple[str, int]) -> None:
    words, later = part
    assert [found.time for found in find_times(f"{hour} {words}")] == [f"{hour + later:02d}:00"]
