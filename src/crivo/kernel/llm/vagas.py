"""Places for calls to models, shared by every process on one database.

A place is a session lock of PostgreSQL, held over one connection of the process: whatever ends the process ends the connection, and
frees its places. Among processes the turnstile, a lock too, lets in whoever came first; within one, waiters stand in a queue.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Any, Final

import psycopg
from psycopg import AsyncConnection

from crivo.kernel.storage.errors import unavailable
from crivo.kernel.storage.session import SET_RUNTIME_SESSION, Database
from crivo.kernel.storage.urls import libpq_url

_PLACES: Final = 0x6372_7661  # 'crva': the class of the locks, of which 0 is the turnstile and the rest are places
_LOOK_SECONDS: Final = 0.02  # whoever stands in the turnstile looks for places that other processes free
_CONNECT_SECONDS: Final = 5
# A machine that vanishes says no goodbye: the server finds out within a minute. Neither waiting nor holding has an end of its own.
_SET_SESSION: Final = (
    f"{SET_RUNTIME_SESSION}; set lock_timeout to 0; set statement_timeout to 0; set idle_session_timeout to 0; "
    "set tcp_keepalives_idle to 30; set tcp_keepalives_interval to 10; set tcp_keepalives_count to 3"
)
# A lock can be had twice over one connection, and `case` alone keeps one that is held from being tried.
_FREE: Final = (
    "array(select place from generate_series(1, %(most)s) place "
    "where case when place <> all (%(held)s) then pg_try_advisory_lock(%(places)s, place) end limit %(wanted)s)"
)
_TAKE: Final = f"select {_FREE}"
# Nobody who waits in the turnstile is overtaken: it is passed in the same breath, or else one stands in line.
_PASS: Final = f"select case when pg_try_advisory_xact_lock(%(places)s, 0) then {_FREE} end"
_LEAVE: Final = "select pg_advisory_unlock(%(places)s, place) from unnest(%(left)s) place"
_STAND: Final = "select pg_advisory_lock(%(places)s, 0)"
_STEP_OUT: Final = "select pg_advisory_unlock(%(places)s, 0)"


@dataclass(frozen=True, slots=True)
class _Vaga:
    """A place, and the connection that it is held over: with that one it was lost."""

    numero: int
    conexao: AsyncConnection[Any]


class Vagas:
    """A limit of calls in flight, shared by all processes on one database."""

    def __init__(self, database: Database, quantas: int) -> None:
        self._database = database
        self._quantas = quantas
        self._waiting: deque[asyncio.Future[_Vaga]] = deque()
        self._in_use: set[_Vaga] = set()
        self._left: list[int] = []  # places still held, that nobody here uses
        self._changed = asyncio.Event()
        self._porter: asyncio.Task[None] | None = None
        self._holding: AsyncConnection[Any] | None = None
        self._standing: AsyncConnection[Any] | None = None

    @asynccontextmanager
    async def uma(self) -> AsyncIterator[None]:
        """One place, for as long as the block lasts. Raises BancoIndisponivel."""
        turn: asyncio.Future[_Vaga] = asyncio.get_running_loop().create_future()
        self._waiting.append(turn)
        self._call_porter()
        try:
            vaga = await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled() and turn.exception() is None:  # given in the very moment of leaving
                self._give_back(turn.result())
            raise
        try:
            yield
        finally:
            self._give_back(vaga)

    async def close(self) -> None:
        """Leave the turnstile and every place."""
        if self._porter is not None:
            self._porter.cancel()
            with suppress(asyncio.CancelledError):
                await self._porter
        await self._hang_up()

    def _give_back(self, vaga: _Vaga) -> None:
        self._in_use.discard(vaga)
        if vaga.conexao is self._holding:
            self._left.append(vaga.numero)
        self._call_porter()

    def _call_porter(self) -> None:
        self._changed.set()
        if self._porter is None or self._porter.done():
            self._porter = asyncio.create_task(self._serve())

    async def _serve(self) -> None:
        """Free what was left, and hand out places in the order of asking, until nobody waits."""
        again = True  # a connection that was found dead is made anew, once
        while self._left or self._next() is not None:
            self._changed.clear()
            try:
                if not again:
                    await self._database.ensure_running()
                await self._serve_one()
                again = True
            except psycopg.OperationalError:
                await self._hang_up()
                if not again:
                    self._refuse(unavailable())
                again = not again
            except Exception as error:  # noqa: BLE001 - whatever it was, whoever waits must hear of it
                await self._hang_up()
                self._refuse(error)

    async def _serve_one(self) -> None:
        """Hand out places, those that were left here first; where others wait, or have them all, stand in line for one."""
        holding = await self._held_over()
        wanted = min(self._count_waiting(), self._quantas - len(self._in_use))
        if wanted <= 0:
            await self._free_left(holding)
            if self._next() is not None:
                await self._changed.wait()
            return
        left = tuple(self._left)
        more = await self._free_places(holding, _PASS, left, max(0, wanted - len(left)))
        if more is None or not (left or more):
            await self._free_left(holding)
            await self._stand_in_line(holding)
            return
        self._left = [place for place in self._left if place not in left[:wanted]]
        for place in (*left[:wanted], *more):
            self._hand_out(_Vaga(place, holding))

    async def _stand_in_line(self, holding: AsyncConnection[Any]) -> None:
        """Hand out the first place that is free once it is this process's turn, unless nobody here waits for one any longer."""
        standing = await self._stood_over()
        line = asyncio.ensure_future(standing.execute(_STAND, {"places": _PLACES}))
        try:
            while not line.done():
                changed = asyncio.ensure_future(self._changed.wait())
                try:
                    await asyncio.wait((line, changed), return_when=asyncio.FIRST_COMPLETED)
                finally:
                    changed.cancel()
                self._changed.clear()
                await self._free_left(holding)
            await line
        except BaseException:
            line.cancel()  # where the server had let us in already, hanging up lets the next one in
            await asyncio.gather(line, return_exceptions=True)
            await self._hang_up()
            raise
        while self._next() is not None:
            if len(self._in_use) < self._quantas and (found := await self._free_places(holding, _TAKE, [], 1)):
                self._hand_out(_Vaga(found[0], holding))
                break
            with suppress(TimeoutError):
                async with asyncio.timeout(_LOOK_SECONDS):
                    await self._changed.wait()
            self._changed.clear()
            await self._free_left(holding)
        await standing.execute(_STEP_OUT, {"places": _PLACES})

    async def _free_places(self, holding: AsyncConnection[Any], statement: str, left: Sequence[int], wanted: int) -> Sequence[int] | None:
        """Takes up to that many further places, or as many as are free; None if other processes wait for them."""
        held = [*(vaga.numero for vaga in self._in_use if vaga.conexao is holding), *left]
        given = {"places": _PLACES, "most": self._quantas, "held": held, "wanted": wanted}
        row = await (await holding.execute(statement.encode(), given)).fetchone()
        return None if row is None else row[0]

    async def _free_left(self, holding: AsyncConnection[Any]) -> None:
        left, self._left = self._left, []
        if left:
            await holding.execute(_LEAVE, {"places": _PLACES, "left": left})

    def _next(self) -> asyncio.Future[_Vaga] | None:
        """Who has waited longest and still does."""
        while self._waiting and self._waiting[0].done():
            self._waiting.popleft()
        return self._waiting[0] if self._waiting else None

    def _hand_out(self, vaga: _Vaga) -> None:
        turn = self._next()
        if turn is None:
            self._left.append(vaga.numero)
            return
        self._in_use.add(vaga)
        self._waiting.popleft()
        turn.set_result(vaga)

    def _count_waiting(self) -> int:
        return sum(not turn.done() for turn in self._waiting)

    def _refuse(self, error: Exception) -> None:
        while (turn := self._next()) is not None:
            turn.set_exception(error)

    async def _held_over(self) -> AsyncConnection[Any]:
        if self._holding is None:
            self._holding = await self._connect()
        return self._holding

    async def _stood_over(self) -> AsyncConnection[Any]:
        if self._standing is None:
            self._standing = await self._connect()
        return self._standing

    async def _connect(self) -> AsyncConnection[Any]:
        connection = await AsyncConnection.connect(
            libpq_url(self._database.url), autocommit=True, connect_timeout=_CONNECT_SECONDS, prepare_threshold=1
        )
        await connection.execute(_SET_SESSION)
        return connection

    async def _hang_up(self) -> None:
        """Give up both connections, and with them every place and the turnstile."""
        given_up = [connection for connection in (self._holding, self._standing) if connection is not None]
        self._holding = self._standing = None
        self._left.clear()
        for connection in given_up:
            await connection.close()
