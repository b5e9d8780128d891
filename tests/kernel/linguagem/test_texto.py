"""A text read once: its values, with their places and how each is said."""

from __future__ import annotations

from datetime import date
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from crivo.kernel.linguagem.texto import read

HOJE = date(2025, 7, 16)


def test_each_value_is_found_once_in_its_place_and_with_how_it_is_said() -> None:
    texto = read("Não posso dia 18/07 às 10h, mas o CPF 529.982.247-25 está certo. Tem duas vagas sexta às 14h?")
    found = [
        (one.tipo, texto.original[one.start : one.end], one.modalidade.negado, one.modalidade.perguntado) for one in texto.valores(HOJE)
    ]
    assert found == [
        ("data", "dia 18/07", True, False),
        ("hora", "às 10h", True, False),
        ("cpf", "529.982.247-25", False, False),
        ("numero", "duas", False, True),
        ("data", "sexta", False, True),
        ("hora", "às 14h", False, True),
    ]


def test_what_hangs_on_today_is_the_day_that_it_comes_to() -> None:
    assert [one.date for one in read("amanhã").datas(HOJE)] == ["2025-07-17"]
    assert [one.date for one in read("amanhã").datas(date(2025, 7, 20))] == ["2025-07-21"]


def test_a_text_is_read_once() -> None:
    assert read("quero amanhã") is read("quero amanhã")
    assert read("quero amanhã").horas is read("quero amanhã").horas


@given(st.text(max_size=80))
def test_any_text_can_be_read_and_its_values_stand_apart(text: str) -> None:
    valores = read(text).valores(HOJE)
    assert all(0 <= one.start < one.end <= len(text) for one in valores)
    assert all(left.end <= right.start for left, right in pairwise(valores))
