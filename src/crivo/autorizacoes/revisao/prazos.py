"""The day by which a pedido has to be answered. Source: RN 623/2024, art. 12."""

from __future__ import annotations

from datetime import date, timedelta
from functools import cache
from typing import Final

import holidays

_BUSINESS_DAYS: Final = 5
_SATURDAY: Final = 5


def prazo_de(recebido: date, *, urgente: bool) -> date:
    """The last day in time: the day of receipt where it is urgent, else the fifth business day after it.

    Business days are Brazil's, national holidays left out; the ten days for high complexity are not given, as a pedido does not state it.
    """
    return recebido if urgente else _after(recebido, _BUSINESS_DAYS)


def _after(start: date, days: int) -> date:
    day = start
    while days:
        day += timedelta(days=1)
        if day.weekday() < _SATURDAY and day not in _national(day.year):
            days -= 1
    return day


@cache
def _national(year: int) -> frozenset[date]:
    return frozenset(holidays.country_holidays("BR", years=year))
