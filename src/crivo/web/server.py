"""Runs the application on a port until it is told to stop; what was begun by then is finished first."""

from __future__ import annotations

import asyncio
import errno
import logging
import socket
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, nullcontext, suppress
from typing import ClassVar, Final

from prometheus_client import CollectorRegistry, start_http_server

from crivo.auditoria.ancoragem import anchoring
from crivo.bootstrap import Container, open_container
from crivo.kernel.connections import ServingConfig
from crivo.kernel.errors import CrivoError, Kind
from crivo.kernel.jobs.worker import working
from crivo.kernel.logs import logger
from crivo.kernel.serving import SignalledServer, Told
from crivo.kernel.settings import Settings
from crivo.kernel.storage.patience import PROMPT
from crivo.kernel.storage.schema_watch import watch_schema
from crivo.kernel.storage.session import Database
from crivo.web.app import create_app

_GRACE_SECONDS: Final = 30
_TOLD: Final = Told("servidor_no_ar", "servidor_encerrado")


class PortaOcupada(CrivoError):
    """Another program listens on that port."""

    codigo: ClassVar[str] = "porta_ocupada"
    kind: ClassVar[Kind] = Kind.MISUSE
    titulo: ClassVar[str] = "A porta já está em uso"


class EnderecoInvalido(CrivoError):
    """An address and port that this machine cannot listen on."""

    codigo: ClassVar[str] = "endereco_invalido"
    kind: ClassVar[Kind] = Kind.MISUSE
    titulo: ClassVar[str] = "Não é possível atender neste endereço"


def serve(settings: Settings, on_ready: Callable[[], None] = lambda: None) -> None:
    """Serve until SIGINT or SIGTERM; `on_ready` is called once requests are answered. Logs must have been configured.

    Raises PortaOcupada or EnderecoInvalido before anything is opened, and whatever opening the database may raise.
    """
    loop_factory = ServingConfig("").get_loop_factory()
    with _listening(settings.host, settings.porta) as listener, asyncio.Runner(loop_factory=loop_factory) as runner:
        runner.run(_serve(settings, listener, on_ready))


async def _serve(settings: Settings, listener: socket.socket, on_ready: Callable[[], None]) -> None:
    # Opened here rather than in the lifespan, so that a failure reaches the caller as it is.
    async with (
        open_container(settings, PROMPT) as container,
        anchoring(container.ancoragem, container.atos, container.auditoria),
        _working(container, settings.trabalhadores),
    ):
        app = create_app(settings, lambda _: nullcontext(container))
        # The application knows whom to believe about where a request comes from; uvicorn would believe whoever is on this machine.
        config = ServingConfig(app, proxy_headers=False, timeout_graceful_shutdown=_GRACE_SECONDS, lifespan="on")
        with _metrics_served(settings.host, settings.porta_metricas, app.state.metrics.registry):
            server = SignalledServer(config, _TOLD, on_ready)
            async with _ending_with_its_schema(server, container.database):
                await server.serve(sockets=[listener])


@asynccontextmanager
async def _ending_with_its_schema(server: SignalledServer, database: Database) -> AsyncIterator[None]:
    """Ends the server, as a signal does, once another version has moved the schema, and raises EsquemaMudou then.

    Whoever supervises it starts the version that is there by then; what was asked meanwhile was answered 503.
    """
    watching = asyncio.create_task(watch_schema(database))
    watching.add_done_callback(lambda _: setattr(server, "should_exit", True))
    try:
        yield
    finally:
        watching.cancel()
        with suppress(asyncio.CancelledError):
            await watching


@asynccontextmanager
async def _working(container: Container, ao_mesmo_tempo: int) -> AsyncIterator[None]:
    """Runs durable jobs beside the requests, a bounded number at a time; none where worker processes do that."""
    if ao_mesmo_tempo == 0:
        yield
        return
    async with container.trabalhador(ao_mesmo_tempo) as worker, working(worker):
        yield


@contextmanager
def _listening(host: str, port: int) -> Iterator[socket.socket]:
    try:
        family, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
        listener = socket.create_server(address[:2], family=family)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise PortaOcupada(
                f"A porta {port} já está em uso por outro programa. Encerre-o ou escolha outra com --porta ou CRIVO_PORTA."
            ) from None
        raise EnderecoInvalido(f"Esta máquina não pode atender em {host}, porta {port}. Confira CRIVO_HOST e CRIVO_PORTA.") from None
    with listener:
        yield listener


@contextmanager
def _metrics_served(host: str, port: int, registry: CollectorRegistry) -> Iterator[None]:
    """The metrics on a port of their own; without them where the port is taken, for the service matters more than its figures."""
    if port == 0:
        yield
        return
    try:
        server, thread = start_http_server(port, host, registry)
    except OSError:
        logger.log(logging.WARNING, "porta_de_metricas_ocupada", extra={"porta": port})
        yield
        return
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
