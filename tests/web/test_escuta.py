"""A stream that is silent for long says that it goes on."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from crivo.web.escuta import with_signs
from espera import takes


async def _pieces(*pauses: float) -> AsyncIterator[int]:
    for number, pause in enumerate(pauses):
        await takes(pause)
        yield number


async def test_silence_is_broken_and_nothing_of_what_comes_is_lost_or_late() -> None:
    heard = [piece async for piece in with_signs(_pieces(0, 0.12, 0, 0), every=0.05)]
    assert [piece for piece in heard if piece is not None] == [0, 1, 2, 3]
    assert heard.index(1) - heard.index(0) in {2, 3}
    assert heard[-2:] == [2, 3]


async def test_what_breaks_a_stream_is_told_to_whoever_reads_it() -> None:
    async def broken() -> AsyncIterator[int]:
        yield 1
        raise ValueError("parou")

    with pytest.raises(ValueError, match="parou"):
        [_ async for _ in with_signs(broken(), every=1)]


async def test_whoever_leaves_leaves_nothing_behind() -> None:
    signs = with_signs(_pieces(60), every=0.01)
    assert await anext(signs) is None
    before = len(asyncio.all_tasks())
    await signs.aclose()  # type: ignore[attr-defined]
    await asyncio.sleep(0)
    assert len(asyncio.all_tasks()) == before - 1
