"""Conditions on what a project declares."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from crivo.triagem.edital import Condicao, Operador, OrcamentoItem, Projeto, Proponente
from crivo.triagem.habilitacao.condicoes import comparable, declared, meets


def condicao(operador: Operador, valor: Any = None) -> Condicao:
    return Condicao("municipio", operador, valor)


@pytest.mark.parametrize(
    ("operador", "valor", "declarado", "expected"),
    [
        ("igual", "Caucaia", "caucaia", True),
        ("igual", "São Luís", "SAO LUIS", True),
        ("igual", "Caucaia", "Maracanaú", False),
        ("igual", True, "sim", True),
        ("igual", "não", False, True),
        ("igual", 3, "3", True),
        ("diferente", "PJ", "PF", True),
        ("diferente", "PJ", "pj", False),
        ("em", ["Caucaia", "Maracanaú"], "maracanau", True),
        ("em", ["Caucaia"], "Fortaleza", False),
        ("em", ["música", "dança"], ["teatro", "Dança"], True),
        ("minimo", 18, 18, True),
        ("minimo", 18, "17", False),
        ("minimo", 2, "dois", False),
        ("maximo", 50000, "R$ 49.999,99", True),
        ("maximo", 50000, "50.000,01", False),
        ("minimo", "2024-01-01", "15/03/2024", True),
        ("maximo", "2024-01-01", "15/03/2024", False),
        ("existe", None, "qualquer coisa", True),
        ("existe", None, 0, True),
        ("existe", None, False, True),
        ("existe", True, "suspensão até 2027", True),
        ("existe", False, "suspensão até 2027", False),
        ("existe", False, None, True),
        ("existe", False, "  ", True),
        ("existe", "não", [], True),
    ],
)
def test_a_condition_is_met_as_people_would_read_it(operador: Operador, valor: Any, declarado: Any, expected: bool) -> None:
    assert meets(condicao(operador, valor), declarado) is expected


@pytest.mark.parametrize("operador", ["igual", "diferente", "em", "minimo", "maximo", "existe"])
@pytest.mark.parametrize("blank", [None, "", "  ", [], {}])
def test_what_is_not_declared_meets_no_condition_but_that_it_is_not(operador: Operador, blank: Any) -> None:
    assert not meets(condicao(operador, 1), blank)


def test_the_category_and_the_sum_of_the_budget_can_be_asked_for() -> None:
    itens = (OrcamentoItem("Cachê", Decimal(2), Decimal("150.50")), OrcamentoItem("Som", Decimal(1), Decimal(99)))
    projeto = Projeto("P1", "T", Proponente("Ana"), categoria="Música", campos={"municipio": "Caucaia"}, orcamento_itens=itens)
    assert declared(projeto, "categoria") == "Música"
    assert declared(projeto, "valor_total") == Decimal("400.00")
    assert declared(projeto, "municipio") == "Caucaia"
    assert declared(projeto, "idade") is None


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("1.234,50", Decimal("1234.50")),
        ("2026-02-30", "2026-02-30"),
        ("30/02/2026", "30/02/2026"),
        ("01/02/2026", date(2026, 2, 1)),
        ("NaN", "nan"),
    ],
)
def test_what_is_no_number_or_date_stays_text(written: str, read: object) -> None:
    assert comparable(written) == read
