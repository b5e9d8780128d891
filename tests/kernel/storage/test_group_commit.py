"""Small writes share transactions, and each sender hears of its own."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import ClassVar

import pytest

from crivo.kernel.errors import CrivoError
from crivo.kernel.storage.group_commit import GroupCommit


class Refused(CrivoError):
    codigo: ClassVar[str] = "recusado"


class Writer:
    """Answers ten times the item; keeps what it was given, and waits for `gate` before it answers."""

    def __init__(self) -> None:
        self.batches: list[tuple[str, list[int]]] = []
        self.gate = asyncio.Event()

    async def flush(self, tenant_id: str, items: Sequence[int]) -> list[int | CrivoError]:
        self.batches.append((tenant_id, list(items)))
        await self.gate.wait()
        if -1 in items:
            raise ConnectionError("away")
        return [Refused("não") if item == 13 else item * 10 for item in items]


async def test_what_arrives_during_a_commit_goes_together_in_the_next() -> None:
    writer = Writer()
    group = GroupCommit[int, int](writer.flush)
    sent = [asyncio.create_task(group.submit("a", item)) for item in range(5)]
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    later = [asyncio.create_task(group.submit("a", item)) for item in range(5, 8)]
    await asyncio.sleep(0)
    writer.gate.set()
    assert await asyncio.gather(*sent, *later) == [item * 10 for item in range(8)]
    assert [items for _, items in writer.batches] == [[0, 1, 2, 3, 4], [5, 6, 7]]


async def test_a_batch_is_never_larger_than_its_limit_and_keeps_the_order() -> None:
    writer = Writer()
    writer.gate.set()
    group = GroupCommit[int, int](writer.flush, largest_batch=4)
    assert await asyncio.gather(*(group.submit("a", item) for item in range(10))) == [item * 10 for item in range(10)]
    assert [items for _, items in writer.batches] == [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9]]


async def test_one_tenants_items_never_share_a_batch_with_anothers() -> None:
    writer = Writer()
    writer.gate.set()
    group = GroupCommit[int, int](writer.flush)
    await asyncio.gather(group.submit("a", 1), group.submit("b", 2), group.submit("a", 3))
    assert sorted(writer.batches) == [("a", [1, 3]), ("b", [2])]


async def test_an_items_own_fault_is_told_to_its_sender_alone() -> None:
    writer = Writer()
    writer.gate.set()
    group = GroupCommit[int, int](writer.flush)
    answers = await asyncio.gather(*(group.submit("a", item) for item in (12, 13, 14)), return_exceptions=True)
    assert (answers[0], answers[2]) == (120, 140)
    assert isinstance(answers[1], Refused)


async def test_a_fault_of_the_batch_is_told_to_all_of_it_and_the_next_goes_on() -> None:
    writer = Writer()
    writer.gate.set()
    group = GroupCommit[int, int](writer.flush, largest_batch=2)
    answers = await asyncio.gather(*(group.submit("a", item) for item in (1, -1, 3)), return_exceptions=True)
    assert [type(answer) for answer in answers] == [ConnectionError, ConnectionError, int]


async def test_an_item_whose_sender_has_gone_is_written_all_the_same() -> None:
    writer = Writer()
    group = GroupCommit[int, int](writer.flush)
    gone = asyncio.create_task(group.submit("a", 1))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    gone.cancel()
    writer.gate.set()
    assert await group.submit("a", 2) == 20
    assert [item for _, items in writer.batches for item in items] == [1, 2]
    with pytest.raises(asyncio.CancelledError):
        await gone
