"""Numbers as a text writes them."""

from __future__ import annotations

import pytest

from crivo.autorizacoes.redacao.quantias import find_quantias
from crivo.kernel.linguagem.dobra import fold_letters
from crivo.kernel.linguagem.numeros import find_numeros


def values(text: str) -> list[float]:
    return [numero.value for numero in find_numeros(fold_letters(text))]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("dezesseis", [16]),
        ("trezentos e dez", [310]),
        ("cento e oitenta dias", [180]),
        ("dois mil e seis", [2006]),
        ("meia dúzia", [6]),
        ("duas dúzias", [24]),
        ("1.200,50 e 12,5", [1200.5, 12.5]),
        ("dez e quinze", [10, 15]),
        ("vinte e cinco e trinta", [25, 30]),
        ("cem sessões, mil sessões", [100, 1000]),
        ("vinte por cento", [20]),
        ("um terço das sessões", [1 / 3]),
    ],
)
def test_numbers_are_read_in_figures_and_in_words(text: str, expected: list[float]) -> None:
    assert values(text) == expected


@pytest.mark.parametrize("text", ["O primeiro passo", "na 1ª sessão", "o 2º pedido", "segunda-feira", "nenhuma"])
def test_ordinals_and_words_that_count_nothing_are_no_numbers(text: str) -> None:
    assert values(text) == []


def test_um_may_be_no_more_than_an_article() -> None:
    assert [numero.artigo for numero in find_numeros("um profissional, vinte e uma sessoes")] == [True, False]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("de 18 a 60 anos", [(18, "anos"), (60, "anos")]),
        ("por um mês e meio", [(1.5, "meses")]),
        ("5 dias úteis ou 45 dias", [(5, "uteis"), (45, "dias")]),
        ("15 % e vinte por cento", [(15, "percentual"), (20, "percentual")]),
        ("dez das dezesseis sessões", [(10, "nenhuma"), (16, "procedimento")]),
        ("três documentos e dois ajustes", [(3, "documentos"), (2, "contagem")]),
    ],
)
def test_a_number_comes_with_its_unit(text: str, expected: list[tuple[float, str]]) -> None:
    assert [(quantia.value, quantia.unidade) for quantia in find_quantias(fold_letters(text))] == expected
