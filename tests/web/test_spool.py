"""A queue of bytes between a fast task and a slow one."""

from __future__ import annotations

import asyncio
from pathlib import Path

from crivo.web.spool import Spool


async def drained(spool: Spool) -> bytes:
    taken = b""
    while chunk := await spool.take():
        taken += chunk
    return taken


async def test_bytes_come_out_as_they_went_in(tmp_path: Path) -> None:
    async with Spool(tmp_path) as spool:
        for number in range(5_000):
            await spool.put(b"%d," % number * 100)
        await spool.finish()
        assert await drained(spool) == b"".join(b"%d," % number * 100 for number in range(5_000))


async def test_an_empty_queue_ends_at_once(tmp_path: Path) -> None:
    async with Spool(tmp_path) as spool:
        await spool.finish()
        assert await spool.take() == b""


async def test_taking_waits_for_what_is_put_later(tmp_path: Path) -> None:
    async with Spool(tmp_path) as spool:
        taking = asyncio.create_task(spool.take())
        await asyncio.sleep(0)
        assert not taking.done()
        await spool.put(b"a")
        assert await taking == b"a"


async def test_putting_waits_where_too_much_lies_untaken(tmp_path: Path) -> None:
    async with Spool(tmp_path, largest_bytes=10) as spool:
        await spool.put(b"x" * 10)
        putting = asyncio.create_task(spool.put(b"y"))
        done, _ = await asyncio.wait((putting,), timeout=0.05)
        assert not done
        assert await spool.take() == b"x" * 10
        await putting
        assert await spool.take() == b"y"


async def test_what_lies_on_disk_leaves_no_file_behind(tmp_path: Path) -> None:
    async with Spool(tmp_path / "nova") as spool:
        await spool.put(b"x" * 3_000_000)
        assert len(await spool.take()) == 65_536
    assert list((tmp_path / "nova").iterdir()) == []
