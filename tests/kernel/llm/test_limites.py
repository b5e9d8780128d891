"""How many calls a minute may have is counted over every process, by the database's clock."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack

import psycopg
import pytest

from crivo.kernel.llm.limites import LimitesDaInstalacao
from crivo.kernel.storage.session import Database
from crivo.kernel.storage.urls import libpq_url

Urls = tuple[str, str]
Abre = Callable[[int], LimitesDaInstalacao]


@pytest.fixture(autouse=True)
def _from_now_on(urls: Urls) -> Iterator[None]:
    """No turn is taken, before and after: all tests of a server share the one moment."""
    _set_next(urls)
    yield
    _set_next(urls)


@pytest.fixture
def pausas() -> list[float]:
    return []


@pytest.fixture
async def abre(urls: Urls, pausas: list[float]) -> AsyncIterator[Abre]:
    """Opens the limits as one more process would, which waits in no time."""

    async def sleep(seconds: float) -> None:
        pausas.append(seconds)

    async with AsyncExitStack() as stack:

        def make(por_minuto: int) -> LimitesDaInstalacao:
            database = Database(urls[1])
            stack.push_async_callback(database.close)
            limites = LimitesDaInstalacao(database, concorrencia=5, por_minuto=por_minuto, sleep=sleep)
            stack.push_async_callback(limites.close)
            return limites

        yield make


def _set_next(urls: Urls, hours: int = 0) -> None:
    with psycopg.connect(libpq_url(urls[0])) as connection:
        connection.execute("update modelo_ritmo set proxima = now() + make_interval(hours => %s)", (hours,))


def _next_in(urls: Urls) -> float:
    with psycopg.connect(libpq_url(urls[0])) as connection:
        row = connection.execute("select extract(epoch from proxima - clock_timestamp())::float8 from modelo_ritmo").fetchone()
    assert row is not None
    return float(row[0])


async def _turn(limites: LimitesDaInstalacao, patience: float = 1_000.0) -> None:
    async with limites.vez(patience):
        pass


async def test_the_calls_of_all_processes_are_spaced_by_how_many_a_minute_may_have(abre: Abre, pausas: list[float]) -> None:
    one, other = abre(2), abre(2)
    for process in (one, other, one, other):
        await _turn(process)
    assert [round(pausa / 30) for pausa in pausas] == [1, 2, 3]  # no time passed: the first went at once, the rest 30 s apart
    assert all(pausa <= 30 * (at + 1) for at, pausa in enumerate(pausas))


async def test_what_was_not_asked_for_a_while_is_asked_at_once(abre: Abre, urls: Urls, pausas: list[float]) -> None:
    _set_next(urls, -1)
    limites = abre(2)
    await _turn(limites)
    assert pausas == []
    assert 0 < _next_in(urls) <= 30  # and no turns were saved up


async def test_whoever_cannot_wait_so_long_takes_no_turn_from_the_others(abre: Abre, urls: Urls, pausas: list[float]) -> None:
    limites = abre(1)
    await _turn(limites)
    for _ in range(5):
        with pytest.raises(TimeoutError):
            await _turn(limites, patience=20.0)
    assert pausas == pytest.approx([20.0] * 5, abs=1)  # their time passes all the same
    assert 0 < _next_in(urls) <= 60


async def test_without_a_limit_nobody_waits_and_nothing_is_counted(abre: Abre, urls: Urls, pausas: list[float]) -> None:
    _set_next(urls, 1)
    limites = abre(0)
    for _ in range(50):
        await _turn(limites)
    assert pausas == []
    assert _next_in(urls) > 3_500


async def test_the_place_is_held_while_the_turn_is_waited_for(urls: Urls, pausas: list[float], database: Database) -> None:
    seen: list[int] = []

    async def look(seconds: float) -> None:
        with psycopg.connect(libpq_url(urls[0])) as connection:
            rows = connection.execute("select from pg_locks where locktype = 'advisory' and classid = x'63727661'::int and objid > 0")
            seen.append(len(rows.fetchall()))

    limites = LimitesDaInstalacao(database, concorrencia=1, por_minuto=2, sleep=look)
    try:
        for _ in range(2):
            await _turn(limites)
    finally:
        await limites.close()
    assert seen == [1]
