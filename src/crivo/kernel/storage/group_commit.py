"""Many small writes in few transactions: what arrives while one batch is being committed goes together in the next.

A durable commit waits for the disk, and the audit chain lets one writer of a tenant in at a time. Sharing the wait is what
lets one tenant write more than a few hundred decisions a second, and it delays nobody: a lone write starts at once.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from typing import Generic, TypeVar

from crivo.kernel.errors import CrivoError

Item = TypeVar("Item")
Result = TypeVar("Result")
Flush = Callable[[str, Sequence[Item]], Awaitable[Sequence[Result | CrivoError]]]


class GroupCommit(Generic[Item, Result]):
    """A queue for each tenant, drained by one task at a time.

    `flush(tenant_id, items)` answers for each item, in order, a result or the error that concerns it alone; an error that
    it raises concerns them all. An item whose sender has gone is written all the same.
    """

    def __init__(self, flush: Flush[Item, Result], *, largest_batch: int = 64) -> None:
        self._flush = flush
        self._largest_batch = largest_batch
        self._waiting: dict[str, deque[tuple[Item, asyncio.Future[Result]]]] = {}
        self._drains: dict[str, asyncio.Task[None]] = {}

    async def submit(self, tenant_id: str, item: Item) -> Result:
        """The result of an item, once the transaction that holds it is committed."""
        answer: asyncio.Future[Result] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(tenant_id, deque()).append((item, answer))
        if tenant_id not in self._drains:
            self._drains[tenant_id] = asyncio.create_task(self._drain(tenant_id))
        return await answer

    async def _drain(self, tenant_id: str) -> None:
        waiting = self._waiting[tenant_id]
        try:
            while waiting:
                batch = [waiting.popleft() for _ in range(min(self._largest_batch, len(waiting)))]
                await self._write(tenant_id, batch)
        finally:
            del self._drains[tenant_id], self._waiting[tenant_id]
            for _, answer in waiting:
                answer.cancel()

    async def _write(self, tenant_id: str, batch: list[tuple[Item, asyncio.Future[Result]]]) -> None:
        try:
            results = await self._flush(tenant_id, [item for item, _ in batch])
        except asyncio.CancelledError:
            for _, answer in batch:
                answer.cancel()
            raise
        except Exception as error:  # noqa: BLE001 - whatever it was, each sender must hear of it, and the queue go on
            results = []
            for _, answer in batch:
                if not answer.done():
                    answer.set_exception(error)
        for (_, answer), result in zip(batch, results, strict=False):
            if answer.done():
                continue
            if isinstance(result, CrivoError):
                answer.set_exception(result)
            else:
                answer.set_result(result)
