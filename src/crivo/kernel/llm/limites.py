"""How many calls to models may be under way, and how many a minute may have: of the installation, whatever the number of its processes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Final, Protocol

from crivo.kernel.llm.vagas import Vagas
from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import LOCAL_TENANT, Scope

_EVERYBODY: Final = Scope(LOCAL_TENANT, "modelo")  # the moment is of the installation, and outside every tenant
# By the database's clock, which all processes share. Whoever could not wait so long takes no turn from the others. That a turn was
# taken need not be on disk: a database that crashed was asked by nobody meanwhile.
_TURN: Final = """
    update modelo_ritmo set proxima = greatest(proxima, clock_timestamp()) + make_interval(secs => %(intervalo)s)
    where proxima <= clock_timestamp() + make_interval(secs => %(paciencia)s)
    returning extract(epoch from proxima - clock_timestamp())::float8 - %(intervalo)s as espera,
        set_config('synchronous_commit', 'off', true)"""


class Limites(Protocol):
    """What holds calls to models back."""

    def vez(self, paciencia_seconds: float) -> AbstractAsyncContextManager[None]:
        """A place among the calls under way, for as long as the block lasts, and a turn among those of the minute.

        Raises TimeoutError after `paciencia_seconds` where no turn would come before, BancoIndisponivel where nobody can tell.
        Whoever waits for a place waits until cancelled.
        """
        ...

    async def close(self) -> None:
        """Hold on to nothing any longer."""
        ...


class LimitesDaInstalacao:
    """Limits that every process on the same database counts together."""

    def __init__(
        self,
        database: Database,
        *,
        concorrencia: int,
        por_minuto: int,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._database = database
        self._vagas = Vagas(database, concorrencia)
        self._interval = 60.0 / por_minuto if por_minuto else 0.0
        self._sleep = sleep

    @asynccontextmanager
    async def vez(self, paciencia_seconds: float) -> AsyncIterator[None]:
        """As the port says."""
        now = asyncio.get_running_loop().time
        until = now() + paciencia_seconds
        async with self._vagas.uma():
            if self._interval:
                await self._wait_turn(max(0.0, until - now()))
            yield

    async def close(self) -> None:
        """As the port says."""
        await self._vagas.close()

    async def _wait_turn(self, patience: float) -> None:
        async with self._database.unit_of_work(_EVERYBODY) as uow:
            found = await uow.connection.exec_driver_sql(_TURN, {"intervalo": self._interval, "paciencia": patience})
            row = found.one_or_none()
        if row is None:
            await self._sleep(patience)
            raise TimeoutError
        if row.espera > 0:
            await self._sleep(row.espera)
