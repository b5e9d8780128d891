"""Confiança is computed from what can be counted."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crivo.triagem.avaliacao.confianca import compute_confianca, median

D = Decimal
NOTAS = st.lists(st.decimals(0, 10, places=2), min_size=1, max_size=7)
SHARES = st.decimals(0, 1, places=4)


def test_three_samples_that_agree_on_a_project_read_whole_give_nine_tenths() -> None:
    """Avaliação: "Confiança is computed (spread of the samples, share of quotes found, completeness)"."""
    assert compute_confianca([D(7)] * 3, 3, D(10), 6, 6, D(1)) == D("0.90")


def test_one_sample_can_never_give_the_top() -> None:
    assert compute_confianca([D(7)], 1, D(10), 3, 3, D(1)) == D("0.70")


@pytest.mark.parametrize(
    ("notas", "pedidas", "achadas", "citadas", "completude", "esperada"),
    [
        ([D(6), D(7), D(8)], 3, 6, 6, D(1), "0.54"),  # spread of two points in ten
        ([D(2), D(7), D(8)], 3, 6, 6, D(1), "0.00"),  # more than half of the range apart
        ([D(7), D(7)], 3, 6, 6, D(1), "0.56"),  # a sample lost
        ([D(7)] * 3, 3, 3, 6, D(1), "0.45"),  # half of the passages found
        ([D(7)] * 3, 3, 6, 6, D("0.5"), "0.45"),  # half of the project read
        ([D(7)] * 3, 3, 0, 6, D(1), "0.00"),
        ([D(7)] * 3, 3, 0, 0, D(1), "0.00"),
        ([], 3, 0, 0, D(1), "0.00"),
    ],
)
def test_each_thing_that_weakens_a_nota_lowers_it(
    notas: list[Decimal], pedidas: int, achadas: int, citadas: int, completude: Decimal, esperada: str
) -> None:
    assert compute_confianca(notas, pedidas, D(10), achadas, citadas, completude) == D(esperada)


@given(NOTAS, st.integers(1, 9), st.integers(0, 9), st.integers(0, 9), SHARES, st.decimals(0, 20, places=2))
def test_it_stays_between_zero_and_one_in_cents_and_below_the_top_of_its_samples(
    notas: list[Decimal], pedidas: int, achadas: int, citadas: int, completude: Decimal, amplitude: Decimal
) -> None:
    found = compute_confianca(notas, pedidas, amplitude, achadas, citadas, completude)
    assert 0 <= found <= 1 - D("0.3") / len(notas)
    assert found == found.quantize(D("0.01"))


@given(NOTAS)
def test_the_median_is_among_the_notas_and_the_same_in_any_order(notas: list[Decimal]) -> None:
    assert min(notas) <= median(notas) <= max(notas)
    assert median(notas) == median(notas[::-1])


def test_of_an_even_number_of_notas_the_two_in_the_middle_are_averaged() -> None:
    assert median([D("8.25"), D(1), D(7), D("10")]) == D("7.62")
