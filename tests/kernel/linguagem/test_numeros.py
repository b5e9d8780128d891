"""Numbers and folding in three languages."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crivo.kernel.linguagem.dobra import fold_letters
from crivo.kernel.linguagem.fala import fold, folded
from crivo.kernel.linguagem.idioma import language
from crivo.kernel.linguagem.numeros import find_numbers, find_numeros


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("cinquenta miligramas", [50]),
        ("trezentos e quarenta e cinco", [345]),
        ("dez e onze", [10, 11]),
        ("vinte e um", [21]),
        ("12,5 mg", [12.5]),
        ("mil e duzentos", [1200]),
        ("three hundred forty-five", [345]),
        ("meio comprimido", [0.5]),
        ("tengo dos citas para el médico", [2]),
        ("os dados dos pacientes", []),
        ("once a day", []),
    ],
)
def test_numbers_are_read_in_figures_and_words(text: str, values: list[float]) -> None:
    assert [found.value for found in find_numbers(text)] == values


def test_folding_drops_accents_case_and_typography() -> None:
    assert fold("Às 8h30 – “Clínica” Nº 1") == 'as 8h30 - "clinica" no 1'


def test_a_folded_place_leads_back_to_the_original() -> None:
    page = folded("a\u200bb\u0301c")
    assert page.text == "abc"
    assert page.span(1, 2) == (2, 4)


@pytest.mark.parametrize(
    ("text", "idioma"),
    [
        ("Quero marcar uma consulta", "pt"),
        ("I want to book an appointment", "en"),
        ("Quiero una cita con el médico", "es"),
        ("18/07", "pt"),
    ],
)
def test_the_language_is_told_by_small_words(text: str, idioma: str) -> None:
    assert language(text) == idioma


_UNITS = (
    *("zero", "um", "dois", "três", "quatro", "cinco", "seis", "sete", "oito", "nove", "dez", "onze", "doze", "treze", "catorze", "quinze"),
    *("dezesseis", "dezessete", "dezoito", "dezenove"),
)
_TENS = ("", "", "vinte", "trinta", "quarenta", "cinquenta", "sessenta", "setenta", "oitenta", "noventa")
_HUNDREDS = (
    *("", "cento", "duzentos", "trezentos", "quatrocentos", "quinhentos", "seiscentos", "setecentos", "oitocentos"),
    "novecentos",
)


def below_a_thousand(number: int) -> str:
    if number == 100:
        return "cem"
    hundred, rest = divmod(number, 100)
    words = [_HUNDREDS[hundred]] if hundred else []
    if rest >= 20:
        words += [_TENS[rest // 10], *([_UNITS[rest % 10]] if rest % 10 else [])]
    elif rest or not hundred:
        words.append(_UNITS[rest])
    return " e ".join(words)


def in_words(number: int, join: str = " e ") -> str:
    thousands, rest = divmod(number, 1000)
    if not thousands:
        return below_a_thousand(rest)
    head = "mil" if thousands == 1 else f"{below_a_thousand(thousands)} mil"
    return f"{head}{join}{below_a_thousand(rest)}" if rest else head


@given(st.integers(0, 999_999), st.sampled_from((" e ", " ", ", ")))
def test_every_number_in_words_is_read_back(number: int, join: str) -> None:
    hundreds_follow = number % 1000 >= 100
    written = in_words(number, join if hundreds_follow else " e ")
    assert [found.value for found in find_numeros(fold_letters(written))] == [number]
    assert [found.value for found in find_numbers(written.upper())] == [number]


@given(st.integers(0, 999_999_999), st.integers(0, 99))
def test_every_number_in_figures_is_read_back(whole: int, cents: int) -> None:
    written = f"{whole:,}".replace(",", ".") + f",{cents:02d}"
    assert [found.value for found in find_numeros(f"R$ {written}.")] == [float(f"{whole}.{cents:02d}")]


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("vinte mil exemplares", [20_000]),
        ("um mil e quinhentos", [1_500]),
        ("R$ 3,5 milhões e 5 mil", [3_500_000, 5_000]),
        ("três milhões e quinhentos mil", [3_500_000]),
        ("vinte cinco alunos", [25]),
        ("dez por cento de duas dúzias", [10, 24]),
        ("meia dúzia e um terço", [6, 1 / 3]),
        ("a 1ª via da 2.ª chamada", [2]),
        ("nada", []),
    ],
)
def test_portuguese_numbers_are_read_as_people_write_them(text: str, values: list[float]) -> None:
    assert [found.value for found in find_numeros(fold_letters(text))] == values


@given(st.text(max_size=60))
def test_any_text_can_be_read_and_every_number_stands_where_it_is_said_to(text: str) -> None:
    for found in find_numbers(text):
        assert 0 <= found.start < found.end <= len(text)
