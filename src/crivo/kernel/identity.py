"""Ids that sort by the instant they were made at, and are never made twice."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from typing import Final, Protocol
from uuid import UUID

from crivo.kernel.clock import Clock

_VERSION: Final = 0x7 << 76
_VARIANT: Final = 0b10 << 62
_COUNTER_BITS: Final = 12


class Ids(Protocol):
    """A source of new ids."""

    def new(self) -> UUID:
        """An id that was never given before, greater than every one this source gave."""
        ...


class Uuid7:
    """Version 7 UUIDs: 48 bits of Unix milliseconds, a 12-bit counter within the millisecond, 62 random bits.

    Under a clock that stands still, or that went back, the milliseconds advance with the counter, so that ids stay in order.
    Source: RFC 9562, 5.7 and 6.2.
    """

    def __init__(self, clock: Clock, random_bytes: Callable[[int], bytes] = os.urandom) -> None:
        self._clock = clock
        self._random_bytes = random_bytes
        self._lock = threading.Lock()
        self._last = 0

    def new(self) -> UUID:
        """An id greater than every one this source gave."""
        first_of_now = int(self._clock.now().timestamp() * 1000) << _COUNTER_BITS
        with self._lock:
            self._last = ticks = max(first_of_now, self._last + 1)
        milliseconds, counter = ticks >> _COUNTER_BITS, ticks & ((1 << _COUNTER_BITS) - 1)
        random = int.from_bytes(self._random_bytes(8), "big") >> 2
        return UUID(int=(milliseconds << 80) | _VERSION | (counter << 64) | _VARIANT | random)
