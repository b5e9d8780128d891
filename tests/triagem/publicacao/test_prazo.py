"""Until when recursos are suggested: the edital's day while it is to come, else as many business days from tomorrow."""

from __future__ import annotations

from datetime import date

from crivo.kernel.prazos import Calendario
from crivo.triagem.edital import FaseDatada
from crivo.triagem.publicacao.prazo import PrazoSugerido, suggest

SEXTA = date(2026, 11, 27)
UTIL = Calendario().is_business_day
FASE = FaseDatada("recursos", date(2026, 11, 30), date(2026, 12, 4))


def test_the_editals_own_last_day_is_taken_while_it_is_to_come() -> None:
    assert suggest([FASE], SEXTA, UTIL) == PrazoSugerido(date(2026, 12, 4), 5, do_edital=True)
    assert suggest([FASE], date(2026, 12, 3), UTIL) == PrazoSugerido(date(2026, 12, 4), 2, do_edital=True)
    assert suggest([FASE], date(2026, 12, 4), UTIL) == PrazoSugerido(date(2026, 12, 4), 1, do_edital=True)


def test_an_edital_that_is_late_gives_as_many_business_days_as_it_had_meant_to() -> None:
    assert suggest([FASE], date(2026, 12, 7), UTIL) == PrazoSugerido(date(2026, 12, 14), 5, do_edital=False)


def test_without_a_phase_three_business_days_after_a_friday_end_on_a_wednesday() -> None:
    assert suggest([], SEXTA, UTIL) == PrazoSugerido(date(2026, 12, 2), 3, do_edital=False)
    assert suggest([FaseDatada("resultado_final", date(2026, 12, 20))], SEXTA, UTIL).ate == date(2026, 12, 2)


def test_a_calendar_that_knows_a_holiday_goes_one_day_further() -> None:
    assert suggest([], SEXTA, Calendario(folgas=frozenset([date(2026, 11, 30)])).is_business_day).ate == date(2026, 12, 3)
