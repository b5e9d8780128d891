"""A server as every process of crivo runs it: it says when it is ready, and returns after a signal."""

from __future__ import annotations

import asyncio
import gc
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

import uvicorn

from crivo.kernel.connections import sweep
from crivo.kernel.logs import logger

_SWEEP_TICKS: Final = 5  # of a tenth of a second
_STOP_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def stop_signals() -> tuple[signal.Signals, ...]:
    """What tells a process to end: Ctrl-C, SIGTERM and the end of its terminal, but for what `nohup` has it not hear."""
    return tuple(number for number in _STOP_SIGNALS if signal.getsignal(number) is not signal.SIG_IGN)


def loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """Makes the event loop that servers and workers run on: the fastest that is installed."""
    return uvicorn.Config("").get_loop_factory()


@dataclass(frozen=True, slots=True)
class Told:
    """The names under which the log is told that a server answers, and that it ended."""

    up: str
    down: str


class SignalledServer(uvicorn.Server):
    """Uvicorn, which calls `on_ready` once requests are answered, and returns after a signal so that the rest can be closed too."""

    def __init__(self, config: uvicorn.Config, told: Told, on_ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._told = told
        self._on_ready = on_ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to answer."""
        await super().startup(sockets)
        # What the program is made of never becomes garbage: a full collection need not walk it while requests wait.
        gc.collect()
        gc.freeze()
        logger.info(self._told.up, extra={"porta": sockets[0].getsockname()[1] if sockets else None})
        self._on_ready()

    async def on_tick(self, counter: int) -> bool:
        """Look after the connections; whether it is time to end."""
        if counter % _SWEEP_TICKS == 0:
            sweep(self.server_state.connections, asyncio.get_running_loop().time())
        return await super().on_tick(counter)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Take the signals that end it for as long as the block lasts."""
        loop, heard = asyncio.get_running_loop(), stop_signals()
        for number in heard:
            loop.add_signal_handler(number, self.handle_exit, number, None)
        try:
            yield
        finally:
            for number in heard:
                loop.remove_signal_handler(number)
            logger.info(self._told.down)
