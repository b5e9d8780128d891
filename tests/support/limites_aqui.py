"""Limits of one process, for what is tried of a gateway without a database."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class LimitesAqui:
    """So many at once; every turn that was taken is noted, by the seconds that its taker would have waited."""

    def __init__(self, concorrencia: int = 1, falha: Exception | None = None) -> None:
        self.vezes: list[float] = []
        self._places = asyncio.Semaphore(concorrencia)
        self._falha = falha

    @asynccontextmanager
    async def vez(self, paciencia_seconds: float) -> AsyncIterator[None]:
        self.vezes.append(paciencia_seconds)
        if self._falha is not None:
            raise self._falha
        async with self._places:
            yield

    async def close(self) -> None:
        pass
