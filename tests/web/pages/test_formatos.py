"""What filters of templates make of values."""

from __future__ import annotations

from datetime import UTC, date, datetime
from decimal import Decimal

import pytest

from crivo.web.pages.formatos import dia, dolares, duracao, hora, instante, maquina, mes, numero, reais

_VIRADA = datetime(2026, 1, 1, 2, 30, 5, 7, tzinfo=UTC)


def test_times_are_told_as_in_brasilia_and_to_machines_as_they_are() -> None:
    assert instante(_VIRADA) == "31/12/2025 23:30"
    assert hora(_VIRADA) == "23:30"
    assert dia(_VIRADA) == "31/12/2025"
    assert dia(date(2026, 1, 1)) == "01/01/2026"
    assert maquina(_VIRADA) == "2026-01-01T02:30:05+00:00"


@pytest.mark.parametrize(
    ("value", "casas", "shown"),
    [
        (0, None, "0"),
        (1250, None, "1.250"),
        (Decimal("7.50"), None, "7,5"),
        (1.5, None, "1,5"),
        (Decimal("7.5"), 2, "7,50"),
        (Decimal("1234567.125"), 2, "1.234.567,12"),
        (-3, None, "-3"),
    ],
)
def test_numbers_have_points_between_thousands_and_a_comma(value: Decimal | float, casas: int | None, shown: str) -> None:
    assert numero(value, casas) == shown


def test_money_is_told_in_its_currency() -> None:
    assert reais(Decimal(1250)) == "R$ 1.250,00"
    assert dolares(Decimal("0.03125"), 4) == "US$ 0,0312"
    assert dolares(Decimal(12)) == "US$ 12,00"


def test_how_long_something_took_and_a_month_are_told_in_words() -> None:
    assert [duracao(us) for us in (196, 250_000, 1_234_567, 61_400_000)] == ["menos de 0,01 s", "0,25 s", "1,23 s", "61 s"]
    assert mes(datetime(2026, 12, 1, 1, tzinfo=UTC)) == "novembro de 2026"
