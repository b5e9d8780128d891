"""Where the metrics of a process are served: on a port of their own, the first that is free of those that it may have."""

from __future__ import annotations

import errno
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Final

from prometheus_client import CollectorRegistry, start_http_server

from crivo.kernel.logs import logger
from crivo.kernel.portas import ANY, near
from crivo.kernel.settings import Settings

_PROCESSES: Final = 64  # ports in a row for workers: as many as the processes that one command starts
_LAST_PORT: Final = 65_535


def of_server(settings: Settings) -> tuple[int, ...]:
    """The ports that a server tries: the one that was chosen and no other, or those that one that nobody chose moves to."""
    port = settings.porta_metricas
    if port == 0 or settings.chose("porta_metricas"):
        return (port,) if port else ()
    return tuple(one for one in near(port) if one != ANY)


def of_worker(settings: Settings) -> tuple[int, ...]:
    """The ports that each process that works tries, beside the server's: one after the other, as there may be many of them."""
    port = settings.porta_metricas
    return tuple(range(port + 1, min(port + _PROCESSES, _LAST_PORT) + 1)) if port else ()


@contextmanager
def served(
    host: str, ports: Sequence[int], registry: CollectorRegistry, told: Callable[[int | None], None] = lambda _: None
) -> Iterator[None]:
    """The metrics on the first of these ports that is free, for as long as the block lasts; `told` hears which, or that none was.

    Without a free one the process goes on without, and the log says so: the service matters more.
    """
    started = None
    for port in ports:
        try:
            started = start_http_server(port, host, registry)
        except OSError as error:
            if error.errno != errno.EADDRINUSE:  # no other port of that address would be had either
                break
            continue
        logger.info("metricas_no_ar", extra={"porta": port})
        told(port)
        break
    if ports and started is None:
        logger.warning("porta_de_metricas_ocupada", extra={"porta": ports[0]})
        told(None)
    try:
        yield
    finally:
        if started is not None:
            server, thread = started
            server.shutdown()
            server.server_close()
            thread.join()
