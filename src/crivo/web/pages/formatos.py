"""Values as Brazilians read them: the filters by which templates show instants, dates, numbers and money. Babel has its owner here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date, datetime
from decimal import Decimal
from typing import Final

from babel import Locale
from babel.dates import format_date, format_datetime
from babel.numbers import format_currency, format_decimal

from crivo.kernel.clock import BRASILIA

_AQUI: Final = Locale("pt", "BR")
_SHORTEST: Final = 10_000
_LONG: Final = 10_000_000


def instante(value: datetime) -> str:
    """An instant in Brasília: `20/11/2026 14:05`."""
    return format_datetime(value, "dd/MM/yyyy HH:mm", BRASILIA, _AQUI)


def hora(value: datetime) -> str:
    """The hour of an instant in Brasília: `14:05`."""
    return format_datetime(value, "HH:mm", BRASILIA, _AQUI)


def dia(value: date | datetime) -> str:
    """A date, or that of an instant in Brasília: `20/11/2026`."""
    return format_date(value.astimezone(BRASILIA) if isinstance(value, datetime) else value, "dd/MM/yyyy", _AQUI)


def mes(value: datetime) -> str:
    """A month in words: `novembro de 2026`."""
    return format_date(value.astimezone(BRASILIA).date(), "MMMM 'de' y", _AQUI)


def maquina(value: datetime) -> str:
    """An instant for machines, to the second, as the attribute of `<time>` has it."""
    return value.isoformat(timespec="seconds")


def numero(value: Decimal | float, casas: int | None = None) -> str:
    """A number: `1.250` and `7,5`; with `casas`, that many after the comma."""
    return format_decimal(value, "#,##0.##########" if casas is None else f"#,##0.{'0' * casas}", _AQUI)


def reais(value: Decimal) -> str:
    """Money: `R$ 1.250,00`."""
    return format_currency(value, "BRL", "¤ #,##0.00", _AQUI)


def dolares(value: Decimal, casas: int = 2) -> str:
    """What a model cost: `US$ 0,0312`."""
    return format_currency(value, "USD", f"¤ #,##0.{'0' * casas}", _AQUI, currency_digits=False)


def duracao(microssegundos: int) -> str:
    """How long something took, as people say it: `0,25 s`, `menos de 0,01 s`."""
    if microssegundos < _SHORTEST:
        return "menos de 0,01 s"
    return f"{numero(round(microssegundos / 1_000_000, 2 if microssegundos < _LONG else 0))} s"


FILTROS: Final[Mapping[str, Callable[..., str]]] = {
    "instante": instante,
    "hora": hora,
    "dia": dia,
    "maquina": maquina,
    "numero": numero,
    "reais": reais,
    "dolares": dolares,
    "duracao": duracao,
}
