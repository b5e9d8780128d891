"""Rings when something changed, for whoever waits to see it."""

from __future__ import annotations

import asyncio
from contextlib import suppress


class Sino:
    """A count of changes that can be waited on; in one process and one event loop."""

    def __init__(self) -> None:
        self.vezes = 0
        self._next = asyncio.Event()

    def ring(self) -> None:
        """Something changed."""
        self.vezes += 1
        rung, self._next = self._next, asyncio.Event()
        rung.set()

    async def after(self, vezes: int, seconds: float) -> int:
        """The count, as soon as it differs from `vezes`, or after `seconds` seconds."""
        if self.vezes == vezes:
            with suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await self._next.wait()
        return self.vezes
