"""Runs the application on a port until it is told to stop; what was begun by then is finished first."""

from __future__ import annotations

import asyncio
import errno
import socket
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, nullcontext, suppress
from typing import ClassVar, Final

from fastapi import FastAPI

from crivo.auditoria.ancoragem import anchoring
from crivo.bootstrap import Container, open_coleta, open_container
from crivo.clinicas.conversas import Conversas
from crivo.kernel.connections import ServingConfig
from crivo.kernel.errors import CrivoError, Kind
from crivo.kernel.jobs.worker import working
from crivo.kernel.logs import logger
from crivo.kernel.portas import bound, by_whom
from crivo.kernel.rastros_otlp import exporting
from crivo.kernel.relogio import behind
from crivo.kernel.serving import SignalledServer, Told
from crivo.kernel.settings import Settings
from crivo.kernel.storage.patience import PROMPT
from crivo.kernel.storage.schema_watch import watch_schema
from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import Scope
from crivo.vigia.coleta import watch
from crivo.vigia.porta import of_server, served
from crivo.web.app import create_app
from crivo.web.draining import Draining
from crivo.web.state import WebState

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


def serve(
    settings: Settings,
    on_ready: Callable[[], None] = lambda: None,
    listener: socket.socket | None = None,
    on_metrics: Callable[[int | None], None] = lambda _: None,
) -> None:
    """Serve until SIGINT or SIGTERM; `on_ready` is called once requests are answered. Logs must have been configured.

    `listener` is a socket that listens already, on the settings' port; `on_metrics` hears at which port the metrics are, or that at none.

    Raises PortaOcupada or EnderecoInvalido before anything is opened, and whatever opening the database may raise.
    """
    loop_factory = ServingConfig("").get_loop_factory()
    with listener or listening(settings.host, [settings.porta]) as own, asyncio.Runner(loop_factory=loop_factory) as runner:
        runner.run(_serve(settings, own, on_ready, on_metrics))


async def _serve(
    settings: Settings, listener: socket.socket, on_ready: Callable[[], None], on_metrics: Callable[[int | None], None]
) -> None:
    with exporting(settings, "servidor"):
        await _serve_traced(settings, listener, on_ready, on_metrics)


async def _serve_traced(
    settings: Settings, listener: socket.socket, on_ready: Callable[[], None], on_metrics: Callable[[int | None], None]
) -> None:
    # Opened here rather than in the lifespan, so that a failure reaches the caller as it is.
    async with (
        open_container(settings, PROMPT) as container,
        anchoring(container.ancoragem, container.atos, container.auditoria),
        _working(container, settings.trabalhadores),
    ):
        if settings.agora is None:
            await _look_at_the_clock(container)
        app = create_app(settings, lambda _: nullcontext(container))
        # The application knows whom to believe about where a request comes from; uvicorn would believe whoever is on this machine.
        config = ServingConfig(Draining(app), proxy_headers=False, timeout_graceful_shutdown=_GRACE_SECONDS, lifespan="on")
        registry = app.state.metrics.registry
        async with open_coleta(container, lambda: _conversas_of(app)) as coleta:
            watch(registry, coleta, "servidor", asyncio.get_running_loop())
            with served(settings.host, of_server(settings), registry, on_metrics):
                server = SignalledServer(config, _TOLD, on_ready)
                async with _ending_with_its_schema(server, container.database):
                    await server.serve(sockets=[listener])


def _conversas_of(app: FastAPI) -> Conversas | None:
    """The conversations of the application, once it is up."""
    state: WebState | None = getattr(app.state, "web", None)
    return None if state is None else state.conversas


async def _look_at_the_clock(container: Container) -> None:
    async with container.database.unit_of_work(Scope(container.settings.tenant, "servidor")) as uow:
        if await behind(uow, container.clock) is not None:
            logger.warning("relogio_atrasado")


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
    async with container.trabalhador(ao_mesmo_tempo) as worker, working(worker, watching=False):
        yield


def listening(host: str, ports: Sequence[int]) -> socket.socket:
    """A socket on the first of these ports that is free. Raises PortaOcupada or EnderecoInvalido."""
    try:
        return bound(host, ports)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise PortaOcupada(
                f"A porta {ports[0]} já está em uso {by_whom(ports[0])}. Encerre-o ou escolha outra com --porta ou CRIVO_PORTA."
            ) from None
        if error.errno == errno.EACCES:
            raise EnderecoInvalido(f"A porta {ports[0]} é só de root. Escolha uma a partir de 1024, com --porta ou CRIVO_PORTA.") from None
        raise EnderecoInvalido(f"Esta máquina não pode atender em {host}, porta {ports[0]}. Confira CRIVO_HOST e CRIVO_PORTA.") from None
