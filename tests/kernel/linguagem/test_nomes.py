"""Names of people and organisations: as they are found, compared and shown."""

from __future__ import annotations

import pytest

from crivo.kernel.linguagem.nomes import find_names, folded_name, masked_name


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("o projeto de Ana Clara da Silva e de João Souza", ["Ana Clara da Silva", "João Souza"]),
        ("A Associação dos Brincantes do Cariri pede", ["Associação dos Brincantes do Cariri"]),
        ("Maria pede uma sala", []),
    ],
)
def test_two_words_in_capitals_together_are_a_name(text: str, names: list[str]) -> None:
    assert [text[start:end] for start, end in find_names(text)] == names


def test_a_name_is_compared_without_case_accents_and_punctuation() -> None:
    assert folded_name(" João-Luís D'Ávila ") == folded_name("JOAO LUIS D AVILA") == "joao luis d avila"


def test_a_name_is_shown_by_its_first_word_and_initials() -> None:
    assert masked_name("Maria Antônia da Silva") == "Maria A. S."
    assert masked_name("") == ""
