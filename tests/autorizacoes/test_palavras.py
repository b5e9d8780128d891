"""Numbers, dates and agreement in Portuguese."""

from __future__ import annotations

import pytest

from crivo.autorizacoes.palavras import count, day, faixa_etaria, listing, nome_documento, number


@pytest.mark.parametrize(
    ("value", "text"), [(0, "0"), (7, "7"), (1234, "1.234"), (1.5, "1,5"), (1234567.25, "1.234.567,25"), (-5, "-5"), (0.1 + 0.2, "0,3")]
)
def test_numbers_take_point_for_thousands_and_comma_for_decimals(value: float, text: str) -> None:
    assert number(value) == text


@pytest.mark.parametrize(("value", "text"), [(0, "0 dias"), (1, "1 dia"), (1.5, "1,5 dia"), (2, "2 dias"), (1000, "1.000 dias")])
def test_nouns_agree_with_their_number(value: float, text: str) -> None:
    assert count(value, "dia", "dias") == text


def test_a_date_is_day_month_year() -> None:
    assert day("2026-11-20") == "20/11/2026"


@pytest.mark.parametrize(("items", "text"), [([], ""), (["a"], "a"), (["a", "b"], "a e b"), (["a", "b", "c"], "a, b e c")])
def test_a_list_ends_in_and(items: list[str], text: str) -> None:
    assert listing(items) == text


@pytest.mark.parametrize(
    ("minimo", "maximo", "text"),
    [(18, 60, "de 18 a 60 anos"), (18, None, "a partir de 18 anos"), (None, 12, "de até 12 anos"), (None, 1, "de até 1 ano")],
)
def test_an_age_range_is_told_as_people_say_it(minimo: int | None, maximo: int | None, text: str) -> None:
    assert faixa_etaria(minimo, maximo) == text


def test_a_document_type_nobody_knows_is_still_readable() -> None:
    assert nome_documento("LAUDO_MEDICO") == "laudo médico"
    assert nome_documento("TERMO_XYZ") == "termo xyz"
