"""How often one key may ask."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from contextlib import contextmanager

from limits import RateLimitItemPerMinute
from limits.aio.storage import MemoryStorage
from limits.aio.strategies import SlidingWindowCounterRateLimiter

from crivo.web.problems import PedidosDemais, SemVaga


class Limiter:
    """At most `per_minute` requests of a key in any minute, counted in this process; 0 is no limit."""

    def __init__(self, per_minute: int) -> None:
        self._item = RateLimitItemPerMinute(per_minute) if per_minute else None
        self._strategy = SlidingWindowCounterRateLimiter(MemoryStorage())

    async def hit(self, tenant_id: str, ator: str) -> None:
        """Count a request. Raises PedidosDemais where it is one too many."""
        if self._item is None or await self._strategy.hit(self._item, tenant_id, ator):
            return
        resets_at = (await self._strategy.get_window_stats(self._item, tenant_id, ator)).reset_time
        raise PedidosDemais(max(1, math.ceil(resets_at - time.time())))


class Places:
    """So many of one thing at a time in this process."""

    def __init__(self, most: int) -> None:
        self._free = most

    @contextmanager
    def taken(self) -> Iterator[None]:
        """One place, for as long as the block lasts. Raises SemVaga where all are taken."""
        if self._free == 0:
            raise SemVaga
        self._free -= 1
        try:
            yield
        finally:
            self._free += 1
