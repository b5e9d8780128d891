"""A row that sums a table up is no regra, and is told. Source: design, RF3."""

from __future__ import annotations

from decimal import Decimal

import pytest

from crivo.autorizacoes.politicas.planilha.totais import is_total
from crivo.kernel.planilha.celulas import Estranho, LinhaDeValores, Valor

CAMPOS = [(0, "codigo"), (1, "descricao"), (2, "cobertura"), (3, "limites")]


@pytest.mark.parametrize(
    ("celulas", "calculadas"),
    [
        (("TOTAL", None, None, Decimal(33)), ()),
        ((None, "Total geral:", None, Decimal(33)), ()),
        ((None, "Total de procedimentos: 33"), ()),
        (("Total", None, Estranho.FORMULA, Estranho.FORMULA), (2, 3)),
        ((None, None, Decimal(3), Decimal(33)), (2, 3)),
        ((Decimal(33), None, None, Decimal(12)), (0, 3)),
    ],
)
def test_a_row_that_says_total_or_only_calculates_is_a_total(celulas: tuple[Valor, ...], calculadas: tuple[int, ...]) -> None:
    assert is_total(LinhaDeValores(9, celulas, calculadas), CAMPOS)


@pytest.mark.parametrize(
    ("celulas", "calculadas"),
    [
        (("40304361", "Total", "sim", None), ()),
        ((None, "Prótese total de quadril", "sim", None), ()),
        ((None, "Hemograma", "sim", Decimal(2)), (3,)),
        (("40304361", "VHS", "sim", Decimal(2)), (2, 3)),
        ((), ()),
    ],
)
def test_a_row_with_a_code_or_words_of_its_own_is_none(celulas: tuple[Valor, ...], calculadas: tuple[int, ...]) -> None:
    assert not is_total(LinhaDeValores(9, celulas, calculadas), CAMPOS)
