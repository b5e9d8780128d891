"""Long work beside the loop that serves everybody else."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final, ParamSpec, TypeVar

_P = ParamSpec("_P")
_T = TypeVar("_T")
LARGE: Final = 32_768
"""From so many bytes of input on, what is made of it may take the loop longer than anybody should wait."""


async def aside(size: int, work: Callable[_P, _T], *args: _P.args, **kwargs: _P.kwargs) -> _T:
    """What `work` returns, done in a thread where its input is of `LARGE` bytes or more: for less a thread is not worth its cost."""
    if size < LARGE:
        return work(*args, **kwargs)
    return await asyncio.to_thread(work, *args, **kwargs)
