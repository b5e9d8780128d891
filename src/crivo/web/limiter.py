"""How often one key may ask, and how much of what all share one tenant may hold at once."""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal

from limits import RateLimitItemPerMinute
from limits.aio.storage import MemoryStorage
from limits.aio.strategies import SlidingWindowCounterRateLimiter

from crivo.kernel.cotas import POR_NOME, CotaEsgotada, refusal
from crivo.web.problems import CotaCheia, PedidosDemais, SemVaga


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


class PerTenant:
    """At most as many requests of an organisation in any minute as its own quota says, by all its keys, counted in this process."""

    def __init__(self) -> None:
        self._strategy = SlidingWindowCounterRateLimiter(MemoryStorage())

    async def hit(self, tenant_id: str, per_minute: int) -> None:
        """Count a request. Raises CotaEsgotada where it is one too many; always where the quota is 0."""
        item = RateLimitItemPerMinute(max(1, per_minute))
        if per_minute and await self._strategy.hit(item, tenant_id):
            return
        resets_at = (await self._strategy.get_window_stats(item, tenant_id)).reset_time
        limite = Decimal(per_minute)
        raise CotaEsgotada(refusal(POR_NOME["pedidos_por_minuto"], limite, limite), max(1, math.ceil(resets_at - time.time())))


class Places:
    """At most `most` of one thing in flight in this process, and at most `share` of them for one tenant."""

    def __init__(self, most: int, share: int) -> None:
        self._free = most
        self._share = share
        self._held: Counter[str] = Counter()

    @contextmanager
    def taken(self, tenant_id: str) -> Iterator[None]:
        """One place of a tenant's, for as long as the block lasts.

        Raises CotaCheia where that tenant holds all that one may, SemVaga where everybody together holds all there are.
        """
        if self._held[tenant_id] >= self._share:
            raise CotaCheia
        if self._free == 0:
            raise SemVaga
        self._free -= 1
        self._held[tenant_id] += 1
        try:
            yield
        finally:
            self._free += 1
            self._held[tenant_id] -= 1
            if not self._held[tenant_id]:
                del self._held[tenant_id]  # a tenant that holds nothing is not remembered
