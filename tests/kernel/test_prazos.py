"""Deadlines in business days, counted by hand on real calendars."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest

from crivo.kernel.clock import BRASILIA
from crivo.kernel.prazos import Calendario, business_day_before, is_in_time, nth_business_day, prazo_em_dias_uteis, read_folgas, ufs

NACIONAL = Calendario()


@pytest.mark.parametrize(
    ("inicio", "dias", "fim"),
    [
        (date(2026, 11, 27), 1, date(2026, 11, 30)),  # a Friday: Monday is the first
        (date(2026, 11, 27), 5, date(2026, 12, 4)),
        (date(2026, 11, 28), 5, date(2026, 12, 4)),  # a Saturday begins to count on Monday as well
        (date(2026, 11, 17), 3, date(2026, 11, 23)),  # Wed 18, Thu 19, not Fri 20 (Consciência Negra), Mon 23
        (date(2026, 12, 23), 3, date(2026, 12, 29)),  # Thu 24, not Fri 25, Mon 28, Tue 29: the eve of Christmas is a business day
        (date(2026, 12, 30), 2, date(2027, 1, 4)),  # Thu 31, not Fri 1, Mon 4
        (date(2027, 3, 24), 2, date(2027, 3, 29)),  # Thu 25, not Good Friday 26, Mon 29
        (date(2027, 2, 5), 3, date(2027, 2, 10)),  # Carnaval (Mon 8, Tue 9) is no national holiday: 8, 9, 10
        (date(2027, 4, 20), 1, date(2027, 4, 22)),  # not Tiradentes
    ],
)
def test_the_first_day_is_left_out_and_the_last_is_counted(inicio: date, dias: int, fim: date) -> None:
    assert nth_business_day(inicio, dias, NACIONAL) == fim


def test_a_deadline_lasts_until_the_last_second_of_its_day_in_brasilia() -> None:
    prazo = prazo_em_dias_uteis(datetime(2026, 11, 27, 15, 0, tzinfo=BRASILIA), 5, NACIONAL)
    assert prazo == datetime(2026, 12, 4, 23, 59, 59, tzinfo=BRASILIA) == datetime(2026, 12, 5, 2, 59, 59, tzinfo=UTC)
    assert is_in_time(prazo, prazo)
    assert is_in_time(prazo + timedelta(microseconds=999_999), prazo)
    assert not is_in_time(prazo + timedelta(seconds=1), prazo)


def test_the_day_it_begins_on_is_brasilias_and_not_the_servers() -> None:
    """23h30 of Friday in Brasília is Saturday in UTC; 0h30 of Monday in UTC is Sunday in Brasília."""
    assert prazo_em_dias_uteis(datetime(2026, 11, 28, 2, 30, tzinfo=UTC), 1, NACIONAL).date() == date(2026, 11, 30)
    assert prazo_em_dias_uteis(datetime(2026, 11, 30, 0, 30, tzinfo=UTC), 1, NACIONAL).date() == date(2026, 11, 30)
    assert prazo_em_dias_uteis(datetime(2026, 11, 30, 3, 30, tzinfo=UTC), 1, NACIONAL).date() == date(2026, 12, 1)


def test_carnaval_is_left_out_where_an_organisation_says_so() -> None:
    assert nth_business_day(date(2027, 2, 5), 3, read_folgas("carnaval")) == date(2027, 2, 12)  # 10, 11, 12
    assert nth_business_day(date(2027, 2, 5), 3, read_folgas("carnaval, cinzas")) == date(2027, 2, 15)
    assert nth_business_day(date(2026, 2, 13), 1, read_folgas("carnaval")) == date(2026, 2, 18)  # Mon 16 and Tue 17 of 2026
    assert nth_business_day(date(2026, 6, 3), 1, read_folgas("corpus-christi")) == date(2026, 6, 5)  # Thu 4 of 2026


def test_a_states_own_holidays_are_left_out_where_it_is_named() -> None:
    assert nth_business_day(date(2027, 3, 24), 1, Calendario("CE")) == date(2027, 3, 29)  # Thu 25, Data Magna do Ceará, and Good Friday
    assert nth_business_day(date(2026, 7, 8), 1, Calendario("SP")) == date(2026, 7, 10)  # Thu 9, Revolução Constitucionalista
    assert nth_business_day(date(2026, 7, 8), 1, NACIONAL) == date(2026, 7, 9)
    assert len(ufs()) == 27


def test_days_off_of_ones_own_are_single_or_of_every_year() -> None:
    calendario = read_folgas("2026-12-07, 12-08")
    assert nth_business_day(date(2026, 12, 4), 1, calendario) == date(2026, 12, 9)
    assert nth_business_day(date(2027, 12, 6), 2, calendario) == date(2027, 12, 9)


@pytest.mark.parametrize("said", ["amanhã", "2026-13-01", "31-12", "2026/12/01", "carnavais"])
def test_what_is_no_day_is_refused(said: str) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        read_folgas(said)


@pytest.mark.parametrize("dias", [0, -1, 366])
def test_no_deadline_is_shorter_than_a_day_or_longer_than_a_year(dias: int) -> None:
    with pytest.raises(ValueError, match="365"):
        nth_business_day(date(2026, 11, 27), dias, NACIONAL)


def test_the_day_of_a_reminder_is_the_business_day_before() -> None:
    assert business_day_before(date(2026, 11, 30)) == date(2026, 11, 27)
    assert business_day_before(date(2026, 11, 23)) == date(2026, 11, 19)  # not Fri 20
