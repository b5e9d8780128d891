"""Where the metrics of a process are served: on a port of their own, which moves on where another program has it."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from prometheus_client import CollectorRegistry, start_http_server

from crivo.kernel.logs import logger

_PORTS: Final = 64  # that are tried, one after the other: as many as processes that one command starts
_LAST_PORT: Final = 65_535


@contextmanager
def served(host: str, port: int, registry: CollectorRegistry, *, moved: int = logging.WARNING) -> Iterator[None]:
    """The metrics at the first free port from `port` on for as long as the block lasts; at none where that is 0.

    A port that is taken is told at the level `moved`. Without a free one the process goes on without: the service matters more.
    """
    started = None
    for at in range(port, min(port + _PORTS, _LAST_PORT + 1)) if port else ():
        try:
            started = start_http_server(at, host, registry)
        except OSError:
            if at == port:
                logger.log(moved, "porta_de_metricas_ocupada", extra={"porta": at})
            continue
        logger.info("metricas_no_ar", extra={"porta": at})
        break
    try:
        yield
    finally:
        if started is not None:
            server, thread = started
            server.shutdown()
            server.server_close()
            thread.join()
