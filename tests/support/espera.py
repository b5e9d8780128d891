"""Waiting: for what comes about, looked at again and again; and what a stand-in takes over an answer. No other test sleeps."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import NoReturn

_LOOK_SECONDS = 0.02


async def until(holds: Callable[[], bool], seconds: float = 30) -> None:
    """Return once it holds. Raises TimeoutError."""
    async with asyncio.timeout(seconds):
        while not holds():  # noqa: ASYNC110 - what is waited for tells nobody
            await asyncio.sleep(_LOOK_SECONDS)


def wait_until(holds: Callable[[], bool], seconds: float = 60) -> None:
    """The same, where no event loop runs. Raises AssertionError."""
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, "it did not come about"
        time.sleep(_LOOK_SECONDS)


async def takes(seconds: float) -> None:
    """What a stand-in takes over its answer: the time is what the test is about."""
    await asyncio.sleep(seconds)


def dawdles(seconds: float) -> None:
    """The same, of one that holds everybody up."""
    time.sleep(seconds)


async def never() -> NoReturn:
    """What a stand-in that hangs does: longer than any test lasts."""
    await asyncio.sleep(3_600)  # an event that nobody holds would be swept away, and its task with it
    raise AssertionError
