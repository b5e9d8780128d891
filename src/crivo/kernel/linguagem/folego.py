"""How much processor time the reading of one message may take: where it is used up, the reading ends by itself.

An expression under way cannot be stopped from beside it, since Python's `re` holds the interpreter: that none runs long is the
business of the expressions (`tests/test_expressoes.py`). This ends what many short ones together would make long.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

CPU_SECONDS: Final = 2.0
"""The processor time that planning a turn, or verifying a text of it, may take."""

_ENDS: ContextVar[tuple[float, Callable[[], float]] | None] = ContextVar("crivo_clinicas_folego", default=None)


class SemFolego(Exception):
    """The message took more processor time than one may."""


@contextmanager
def breath(seconds: float = CPU_SECONDS, clock: Callable[[], float] = time.thread_time) -> Iterator[None]:
    """A limit in seconds of `clock` for the work within; `check` raises SemFolego once it is exceeded."""
    token = _ENDS.set((clock() + seconds, clock))
    try:
        yield
    finally:
        _ENDS.reset(token)


def check() -> None:
    """Go on, where there is time left. Raises SemFolego."""
    ends = _ENDS.get()
    if ends is not None and ends[1]() > ends[0]:
        raise SemFolego
