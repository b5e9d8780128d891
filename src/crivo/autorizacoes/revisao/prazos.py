"""The day by which a pedido has to be answered. Source: RN 623/2024, art. 12."""

from __future__ import annotations

from datetime import date
from typing import Final

from crivo.kernel.prazos import nth_business_day

_BUSINESS_DAYS: Final = 5


def prazo_de(recebido: date, *, urgente: bool) -> date:
    """The last day in time: the day of receipt where it is urgent, else the fifth business day after it.

    Business days are Brazil's, national holidays left out; the ten days for high complexity are not given, as a pedido does not state it.
    """
    return recebido if urgente else nth_business_day(recebido, _BUSINESS_DAYS)
