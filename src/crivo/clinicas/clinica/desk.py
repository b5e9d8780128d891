"""Many callers at one silo: reads at once, and the writes that arrive together in one durable transaction."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from crivo.clinicas.clinica.prova import Order
from crivo.clinicas.clinica.store import Silo
from crivo.clinicas.clinica.values import Answered
from crivo.kernel.storage.group_commit import GroupCommit

_QUEUE: Final = "silo"  # one clinic, one queue


class Desk:
    """A silo as a running server uses it: a connection for reading and one for writing, the latter on a thread of its own."""

    def __init__(self, reading: Silo, writing: Silo) -> None:
        self.silo = reading  # a read is shorter than the way to a thread and back
        self._writing = writing
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="silo")
        self._writes = GroupCommit[Order, Answered](self._flush)

    @property
    def casa(self) -> str:
        """The tenant whose the clinic is."""
        return self.silo.casa

    async def write(self, order: Order) -> Answered:
        """The outcome of a booking, change or cancellation, once it is on disk. Raises SiloIndisponivel."""
        return await self._writes.submit(_QUEUE, order)

    async def _flush(self, _: str, orders: Sequence[Order]) -> list[Answered]:
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._writing.write, orders)

    def close(self) -> None:
        """Finish what was begun, and let go of the file."""
        self._thread.shutdown()
        self._writing.close()
        self.silo.close()
