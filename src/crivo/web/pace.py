"""How long a request may keep this program waiting for its body."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from starlette.types import Message, Receive

from crivo.web.problems import CorpoLento


@dataclass(frozen=True, slots=True)
class Ritmo:
    """Seconds between two pieces of a body, and for all of it: `grace_seconds` and one more for every `bytes_per_second`.

    Only what is waited for the client counts: a body that this program takes its time to read is late by nobody's fault.
    """

    idle_seconds: float = 20.0
    grace_seconds: float = 30.0
    bytes_per_second: int = 4_096
    whole_seconds: float = 1_800.0


RITMO: Final = Ritmo()


class Paced:
    """The `receive` of one request, which raises CorpoLento where the body does not keep pace."""

    __slots__ = ("_bytes", "_is_whole", "_receive", "_ritmo", "_ticks", "_waited")

    def __init__(self, receive: Receive, ritmo: Ritmo, ticks: Callable[[], float]) -> None:
        """`ticks` are seconds of a clock that only goes forward."""
        self._receive = receive
        self._ritmo = ritmo
        self._ticks = ticks
        self._bytes = 0
        self._waited = 0.0
        self._is_whole = False

    async def __call__(self) -> Message:
        """The next message; once the body is whole, for as long as that takes."""
        if self._is_whole:
            return await self._receive()
        began = self._ticks()
        try:
            async with asyncio.timeout(self._patience()):
                message = await self._receive()
        except TimeoutError:
            raise CorpoLento from None
        self._waited += self._ticks() - began
        self._bytes += len(message.get("body", b""))
        self._is_whole = not message.get("more_body", False)
        return message

    def _patience(self) -> float:
        """Seconds that the next piece may take. Raises CorpoLento where there are none left."""
        ritmo = self._ritmo
        left = min(ritmo.whole_seconds, ritmo.grace_seconds + self._bytes / ritmo.bytes_per_second) - self._waited
        if left <= 0:
            raise CorpoLento
        return min(ritmo.idle_seconds, left)
