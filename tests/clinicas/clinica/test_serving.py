"""The sample's agenda over days, without a server."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import closing
from datetime import date, datetime, timedelta
from functools import partial
from pathlib import Path

import pytest

from cenario import MORNING, SEED, clinic_on
from crivo.clinicas import amostra
from crivo.clinicas.clinica.folder import ClinicFolder
from crivo.clinicas.clinica.serving import Place, Plant, keep_days_coming, prepare
from crivo.clinicas.clinica.values import Seed

AHEAD = 10  # days of the sample's agenda beyond the present one


class Calendar:
    """A clock that is turned by hand."""

    def __init__(self) -> None:
        self.instant = MORNING
        self.looks = 0

    def now(self) -> datetime:
        self.looks += 1
        return self.instant


@pytest.fixture
def calendar() -> Calendar:
    return Calendar()


@pytest.fixture
def place(tmp_path: Path, calendar: Calendar) -> Place:
    return Place(clinic_on(8003), ClinicFolder(tmp_path / "clinic_c"), calendar)


def last_day(place: Place) -> str:
    with closing(place.open_silo()) as silo:
        return max(slot.date for slot in silo.all_slots())


def is_after(place: Place, day: str) -> bool:
    return last_day(place) > day


async def until(holds: Callable[[], bool], seconds: float = 20) -> None:
    async with asyncio.timeout(seconds):
        while not holds():  # noqa: ASYNC110 - what is waited for is in a file
            await asyncio.sleep(0.02)


def sample(day: date) -> Seed:
    return amostra.seed("clinic_c", day)


def kept(place: Place, plant: Plant) -> asyncio.Task[None]:
    return asyncio.create_task(keep_days_coming(place, plant, look=0.01))


async def test_a_sample_that_stays_up_for_days_has_slots_of_the_coming_days_each_day(place: Place, calendar: Calendar) -> None:
    prepare(place, sample)
    keeping = kept(place, sample)
    for day in range(1, 4):
        before = last_day(place)
        calendar.instant = MORNING + timedelta(days=7 * day)
        await until(partial(is_after, place, before))
        assert last_day(place) <= (calendar.instant + timedelta(days=AHEAD)).date().isoformat()
    keeping.cancel()


async def test_a_real_agenda_is_never_added_to(place: Place, calendar: Calendar) -> None:
    prepare(place, lambda _: SEED)
    keeping = kept(place, sample)
    with closing(place.open_silo()) as silo:
        before = silo.all_slots()
        calendar.instant += timedelta(days=3)
        calendar.looks = 0
        await until(lambda: calendar.looks > 5)
        assert silo.all_slots() == before
    keeping.cancel()


async def test_a_day_that_could_not_be_added_is_tried_again(place: Place, calendar: Calendar, caplog: pytest.LogCaptureFixture) -> None:
    prepare(place, sample)
    before = last_day(place)
    aside = place.folder.silo.with_name("aside")
    place.folder.silo.rename(aside)
    place.folder.silo.mkdir()
    keeping = kept(place, sample)
    calendar.instant += timedelta(days=7)
    await until(lambda: "agenda_nao_completada" in caplog.messages)
    place.folder.silo.rmdir()
    aside.rename(place.folder.silo)
    await until(partial(is_after, place, before))
    assert last_day(place) > before
    keeping.cancel()
