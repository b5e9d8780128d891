"""Text folded for comparing, and the way back to where it stood."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crivo.kernel.linguagem import fala
from crivo.kernel.linguagem.dobra import (
    Tabela,
    composed,
    fold,
    fold_in_place,
    fold_letters,
    is_foreign_letter,
    is_writable,
    kind_of,
    without_accents,
    without_unseen,
)


def test_case_accents_and_runs_of_blanks_do_not_tell_texts_apart() -> None:
    assert fold("  São \n João ") == fold("SAO JOAO") == "sao joao"


def test_only_accents_go_where_only_accents_should() -> None:
    assert without_accents("Laudo  Médico Nº 2") == "Laudo  Medico No 2"


@given(st.text())
def test_folded_in_place_every_character_stands_where_it_stood(text: str) -> None:
    assert len(fold_in_place(text)) == len(fold_letters(text)) == len(text)


def test_ordinals_are_letters_or_stay_and_a_fraction_is_not_its_numerator() -> None:
    assert fold_in_place("2ª VIA nº 3") == "2a via no 3"
    assert fold_letters("2ª VIA nº 3") == "2ª via nº 3"
    assert fold_in_place("½ CAIXA") == "½ caixa"


def test_a_letter_typed_in_two_characters_is_one() -> None:
    assert composed("Jose\u0301") == "José"


def test_what_only_directs_how_text_is_shown_goes() -> None:
    assert without_unseen("a\u200bb\u202ec\u00e9") == "abcé"


def test_controls_and_halves_of_characters_cannot_be_written() -> None:
    assert [is_writable(char) for char in ("a", "é", "\x00", "\ud800")] == [True, True, False, False]


def test_a_letter_of_another_alphabet_is_foreign() -> None:
    assert [is_foreign_letter(char) for char in "aéа1Ω"] == [False, False, True, False, True]


@pytest.mark.parametrize(
    ("char", "kind"), [("\u0301", "nada"), ("\u200b", "nada"), ("\u00a0", "branco"), ("\n", "quebra"), ("\ud800", "metade"), ("x", "sinal")]
)
def test_each_character_is_of_a_kind(char: str, kind: str) -> None:
    assert kind_of(char) == kind


def test_a_table_tells_where_each_character_stood() -> None:
    tabela = Tabela(lambda char: {"-": "", "æ": "ae"}.get(char, char))
    assert tabela.read("abc") == ("abc", None)
    assert tabela.read("a-æb") == ("aaeb", (0, 2, 2, 3))


@given(st.text())
def test_a_message_folded_leads_back_to_places_in_the_message(text: str) -> None:
    found = fala.folded(text)
    for at in range(len(found.text)):
        start, end = found.span(at, at + 1)
        assert 0 <= start < end <= len(text)


def test_an_accent_typed_apart_stays_with_its_letter_on_the_way_back() -> None:
    found = fala.folded("Jose\u0301 – às 10h")
    assert found.text == "jose - as 10h"
    start, end = found.span(0, 4)
    assert found.original[start:end] == "Jose\u0301"
