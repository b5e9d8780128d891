"""The day by which a pedido has to be answered."""

from __future__ import annotations

from datetime import date

import pytest

from crivo.autorizacoes.revisao.prazos import prazo_de


def test_what_is_urgent_is_due_on_the_day_it_came() -> None:
    assert prazo_de(date(2026, 11, 21), urgente=True) == date(2026, 11, 21)


@pytest.mark.parametrize(
    ("recebido", "prazo"),
    [
        (date(2026, 3, 2), date(2026, 3, 9)),  # Monday to Monday
        (date(2026, 3, 6), date(2026, 3, 13)),  # Friday to Friday
        (date(2026, 3, 7), date(2026, 3, 13)),  # Saturday begins to count on Monday
        (date(2026, 4, 15), date(2026, 4, 23)),  # Tiradentes in between
        (date(2026, 12, 22), date(2026, 12, 30)),  # Christmas in between
        (date(2026, 12, 29), date(2027, 1, 6)),  # the first day of the next year in between
    ],
)
def test_five_business_days_leave_weekends_and_national_holidays_out(recebido: date, prazo: date) -> None:
    assert prazo_de(recebido, urgente=False) == prazo
