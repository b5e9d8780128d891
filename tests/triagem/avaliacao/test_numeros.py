"""The numbers that a text states."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crivo.triagem.avaliacao.numeros import numbers_in


@pytest.mark.parametrize(
    ("texto", "numeros"),
    [
        ("Doze rodas em 2027", [12, 2027]),
        ("vinte e cinco bordadeiras e três mestres", [25, 3]),
        ("cento e vinte crianças, duzentas famílias", [120, 200]),
        ("dois mil e quinhentos exemplares", [2500]),
        ("mil folhetos", [1000]),
        ("R$ 1.234,50 e 38.776,10", ["1234.50", "38776.10"]),
        ("nota 7,5 ou 7.5", ["7.5", "7.5"]),
        ("uma roda e um mestre", []),
        ("vinte e uma rodas", [21]),
        ("dois, três e quatro", [2, 3, 4]),
        ("A sexta feira do setembro", []),
    ],
)
def test_figures_and_words_are_read(texto: str, numeros: list[int | str]) -> None:
    assert list(numbers_in(texto)) == [Decimal(number).normalize() for number in numeros]


@given(st.text(max_size=80))
def test_any_text_can_be_read(texto: str) -> None:
    assert all(number >= 0 for number in numbers_in(texto))
