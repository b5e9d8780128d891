"""The days in which recursos are taken: whole days in Brasília, of the published result before those of the edital."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from crivo.kernel.clock import BRASILIA
from crivo.triagem.edital import FaseDatada
from crivo.triagem.recursos.prazo import Prazo, prazo_of

FASES = (
    FaseDatada("recursos", date(2026, 11, 18), date(2026, 11, 20)),
    FaseDatada("avaliacao", date(2026, 11, 21), date(2026, 11, 30)),
    FaseDatada("recursos", date(2026, 12, 2)),
)


@pytest.mark.parametrize(
    ("em", "situacao"),
    [
        (datetime(2026, 11, 17, 23, 59, 59, tzinfo=BRASILIA), "por_abrir"),
        (datetime(2026, 11, 18, 0, 0, tzinfo=BRASILIA), "aberto"),
        (datetime(2026, 11, 20, 23, 59, 59, tzinfo=BRASILIA), "aberto"),
        (datetime(2026, 11, 21, 2, 59, 59, tzinfo=UTC), "aberto"),
        (datetime(2026, 11, 21, 3, 0, tzinfo=UTC), "encerrado"),
    ],
)
def test_a_day_is_whole_where_the_organisation_is(em: datetime, situacao: str) -> None:
    assert Prazo(date(2026, 11, 18), date(2026, 11, 20)).situacao(em) == situacao


@pytest.mark.parametrize(
    ("dia", "inicio"), [(10, date(2026, 11, 18)), (20, date(2026, 11, 18)), (25, date(2026, 12, 2)), (2, date(2026, 11, 18))]
)
def test_of_several_phases_it_is_the_one_under_way_or_the_next(dia: int, inicio: date) -> None:
    assert prazo_of(FASES, datetime(2026, 11, dia, 12, tzinfo=BRASILIA)).inicio == inicio


def test_after_all_of_them_it_is_the_last_which_may_be_one_day() -> None:
    assert prazo_of(FASES, datetime(2027, 1, 1, tzinfo=BRASILIA)) == Prazo(date(2026, 12, 2), date(2026, 12, 2))


def test_a_published_result_goes_before_and_without_dates_there_are_none() -> None:
    em = datetime(2026, 11, 19, 1, 0, tzinfo=UTC)  # still the 18th in Brasília
    assert prazo_of(FASES, em, (em, date(2026, 11, 24))) == Prazo(date(2026, 11, 18), date(2026, 11, 24))
    assert prazo_of((), em).situacao(em) == "sem_datas"
