"""An event loop whose clock jumps to what is waited for next: long waits are shown without waiting."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Callable, Coroutine
from typing import Any


class Jumping(selectors.DefaultSelector):
    """Never waits: the clock goes on by what would have been waited."""

    now = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        self.now += timeout or 0.0
        return super().select(0)


class JumpingLoop(asyncio.SelectorEventLoop):
    def __init__(self) -> None:
        self.jumping = Jumping()
        super().__init__(self.jumping)

    def time(self) -> float:
        return self.jumping.now


def waited(work: Callable[[Callable[[], float]], Coroutine[Any, Any, object]]) -> float:
    """The seconds that some work would have taken, given the clock that tells them."""
    with asyncio.Runner(loop_factory=JumpingLoop) as runner:
        loop = runner.get_loop()
        runner.run(work(loop.time))
        return loop.time()
