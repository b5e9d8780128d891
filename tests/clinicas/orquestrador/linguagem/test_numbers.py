"""Numbers and folding in three languages."""

from __future__ import annotations

import pytest

from crivo.clinicas.orquestrador.linguagem.idioma import language
from crivo.clinicas.orquestrador.linguagem.numbers import find_numbers
from crivo.kernel.linguagem.fala import fold, folded


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
