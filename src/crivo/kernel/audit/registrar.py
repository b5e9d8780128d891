"""Where acts are noted that are done outside of the database: in the chain, or in a file until the chain can be reached.

An act that was done cannot be taken back because nobody could note it: it waits in the file, and goes into the chain with the moment at
which it was done. A note may be in the chain twice where the program dies in between, and never not at all.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Final

import msgspec

from crivo.kernel.atos import NewEntry
from crivo.kernel.atos.espera import EmEspera, Spool, by_actor
from crivo.kernel.atos.linhas import locked, read_all, replace_all
from crivo.kernel.audit.ledger import append
from crivo.kernel.clock import Clock
from crivo.kernel.errors import CrivoError, Kind
from crivo.kernel.logs import logger
from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import Scope

_PASSING: Final = frozenset({Kind.UNAVAILABLE, Kind.CONFLICT})


class Ledger:
    """Notes acts in the chain; while the database is away, in the file, from where the next one that gets through takes them along."""

    def __init__(self, database: Database, clock: Clock, spool: Spool) -> None:
        self._database = database
        self._clock = clock
        self._spool = spool

    async def registrar(self, scope: Scope, entries: Sequence[NewEntry]) -> None:
        """Note acts that were done just now. Raises AtoSemRegistro where neither the chain nor the file takes them."""
        try:
            async with self._database.unit_of_work(scope) as uow:
                await append(uow, self._clock.now(), entries)
        except CrivoError as error:
            if error.kind not in _PASSING:
                raise
            await self._spool.registrar(scope, entries)
        else:
            await self.gather()

    async def gather(self) -> int:
        """Put what waits in the file into the chains; how many acts. What cannot be put there stays. Raises OSError."""
        if self._spool.is_empty:
            return 0
        holding = locked(self._spool.path)
        descriptor = await asyncio.to_thread(holding.__enter__)
        try:
            lines = (await asyncio.to_thread(read_all, descriptor)).splitlines()
            left = [line for group in by_actor(lines) for line in await self._put(group)]
            if len(left) < len(lines):
                await asyncio.to_thread(replace_all, descriptor, b"".join([line + b"\n" for line in left]))
        finally:
            holding.__exit__(None, None, None)
        return len(lines) - len(left)

    async def _put(self, group: Sequence[bytes]) -> Sequence[bytes]:
        """The lines of one actor that are not in the chain even now."""
        try:
            acts = [msgspec.json.decode(line, type=EmEspera) for line in group]
            async with self._database.unit_of_work(Scope(acts[0].tenant, acts[0].ator)) as uow:
                await append(uow, self._clock.now(), [one.entry for one in acts])
        except (CrivoError, msgspec.DecodeError) as error:
            logger.warning("atos_em_espera", exc_info=error)
            return group
        return ()
