"""Whoever listens is asked again who they are: a stream of events ends with the access that it was opened by. Source: design/sujeito.md."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Final, TypeVar

from starlette.requests import Request

from crivo.web.access import is_still_admitted

EVENT_STREAM: Final = "text/event-stream"
STREAMED: Final = {"x-accel-buffering": "no"}  # proxies must hand each event on at once
ASKED_EVERY: Final = 5.0  # seconds that a quiet stream goes without being asked
SIGN_EVERY: Final = 10.0  # seconds of silence: a page gives a stream up after 30, a proxy after 60
_ANSWERED_WITHIN: Final = 1.0  # seconds in which the pieces of one answer follow one another unasked
Ainda = Callable[[], Awaitable[bool]]
Piece = TypeVar("Piece")


def still(request: Request) -> Ainda:
    """Asks whether whoever opened a stream may still listen to it."""
    return lambda: is_still_admitted(request)


async def with_signs(pieces: AsyncIterator[Piece], every: float = SIGN_EVERY) -> AsyncIterator[Piece | None]:
    """The pieces as they come, and None each time that nothing came for so many seconds: whoever waits is told that it goes on."""
    coming = asyncio.ensure_future(anext(pieces))
    try:
        while True:
            await asyncio.wait({coming}, timeout=every)
            if not coming.done():
                yield None
                continue
            try:
                piece = coming.result()
            except StopAsyncIteration:
                return
            coming = asyncio.ensure_future(anext(pieces))
            yield piece
    finally:
        coming.cancel()


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
