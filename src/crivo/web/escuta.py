"""Whoever listens is asked again who they are: a stream of events ends with the access that it was opened by. Source: design/sujeito.md."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Final, TypeVar

from starlette.requests import Request

from crivo.web.access import is_still_admitted

EVENT_STREAM: Final = "text/event-stream"
STREAMED: Final = {"x-accel-buffering": "no"}  # proxies must hand each event on at once
ASKED_EVERY: Final = 5.0  # seconds that a quiet stream goes without being asked
_ANSWERED_WITHIN: Final = 1.0  # seconds in which the pieces of one answer follow one another unasked
Ainda = Callable[[], Awaitable[bool]]
Piece = TypeVar("Piece")


def still(request: Request) -> Ainda:
    """Asks whether whoever opened a stream may still listen to it."""
    return lambda: is_still_admitted(request)


async def while_admitted(
    request: Request, pieces: AsyncIterator[Piece], ticks: Callable[[], float] = time.monotonic
) -> AsyncIterator[Piece]:
    """The pieces of an answer that takes its time, until whoever asked may hear no more: asked once a second, as one was just let in."""
    asked_at = ticks()
    async for piece in pieces:
        if ticks() - asked_at >= _ANSWERED_WITHIN:
            if not await is_still_admitted(request):
                return
            asked_at = ticks()
        yield piece
