"""Sentences and clauses: where they end, and where they do not."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crivo.kernel.linguagem.frases import cut, find_clauses, find_sentences, sentence_around


@pytest.mark.parametrize(
    ("texto", "frases"),
    [
        ("Uma. Duas! Três?", ["Uma.", "Duas!", "Três?"]),
        ("Conforme o art. 5º da Lei. Fim.", ["Conforme o art. 5º da Lei.", "Fim."]),
        ("Com o Dr. Davi e a Sra. Ana. Sim.", ["Com o Dr. Davi e a Sra. Ana.", "Sim."]),
        ("São R$ 1.200,50 ao todo. Só.", ["São R$ 1.200,50 ao todo.", "Só."]),
        ("Ele disse: “vamos.” E foi.", ["Ele disse: “vamos.", "E foi."]),
        ("título\n\n- um item\n- outro", ["título", "- um item", "- outro"]),
        ("uma linha\nque segue; outra", ["uma linha\nque segue;", "outra"]),
    ],
)
def test_a_text_is_cut_into_its_sentences(texto: str, frases: list[str]) -> None:
    assert [texto[start:end] for start, end in find_sentences(texto)] == frases


def test_a_semicolon_ends_a_sentence_and_a_line_does_only_where_that_is_asked() -> None:
    assert len(find_sentences("uma; outra\nlinha", semicolons=False)) == 1
    assert len(find_sentences("uma; outra\nlinha", semicolons=False, lines=True)) == 2


def test_a_sentence_is_cut_into_its_clauses() -> None:
    plain = "quero sexta, mas nao de manha - so a tarde"
    assert [plain[start:end].strip() for start, end in find_clauses(plain)] == ["quero sexta", "nao de manha", "so a tarde"]


def test_the_sentence_around_a_place_reaches_no_further_than_it_may() -> None:
    plain = "antes. este e o lugar; depois. fim"
    at = plain.index("lugar")
    assert plain[slice(*sentence_around(plain, at, at + 5, 100))] == "este e o lugar"
    assert plain[slice(*sentence_around(plain, at, at + 5, 100, semicolons=False))] == "este e o lugar; depois"
    assert plain[slice(*sentence_around(plain, at, at + 5, 2))] == "o lugar"


@given(st.text(alphabet="ab .;!?\n-", max_size=60))
def test_sentences_are_apart_and_leave_nothing_but_marks_and_blanks_out(texto: str) -> None:
    spans = find_sentences(texto)
    assert all(end <= start for (_, end), (start, _) in pairwise(spans))
    left = "".join(texto[end:start] for (_, end), (start, _) in zip([(0, 0), *spans], [*spans, (len(texto), 0)], strict=True))
    assert not left.strip()


def test_blank_stretches_are_left_out() -> None:
    assert list(cut("a,, ,b", re.compile(","))) == [(0, 1), (5, 6)]
