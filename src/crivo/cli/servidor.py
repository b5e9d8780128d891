"""`crivo servir`: the pages and the API."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from crivo.cli.ambiente import Ambiente, AsJson, Tenant, tell_if_new
from crivo.cli.exposicao import exposure_of
from crivo.cli.saida import note

if TYPE_CHECKING:
    import socket

    from crivo.kernel.settings import LogNivel, Settings


def servir(
    ctx: typer.Context,
    host: Annotated[str | None, typer.Option("--host", metavar="ENDEREÇO", help="Onde atender; sem ela, CRIVO_HOST.")] = None,
    porta: Annotated[int | None, typer.Option("--porta", metavar="N", min=1, max=65535, help="A porta; sem ela, CRIVO_PORTA.")] = None,
    tenant: Tenant = None,
    as_json: AsJson = False,
) -> None:
    """Serve as páginas e a API até ser interrompido com Ctrl-C."""
    ambiente = Ambiente.of(ctx, tenant, as_json)
    settings, listener = open_port(ambiente.settings(host=host, porta=porta))
    exposed = exposure_of(settings)
    if exposed is not None:
        note(f"Atenção: {exposed}.")
    elsewhere = links_elsewhere(settings, ambiente.settings())
    if elsewhere:
        note(elsewhere)
    run(settings, f"Atendendo em {_where(settings)} (Ctrl-C encerra).", listener)


def _where(settings: Settings) -> str:
    """Where people reach the pages, and where this machine answers whoever hands their requests on."""
    if settings.endereco == settings.endereco_local:
        return settings.endereco
    return f"{settings.endereco}, nesta máquina em {settings.endereco_local}"


def links_elsewhere(serving: Settings, others: Settings) -> str:
    """What to do where other commands write links to another address than this server answers at; empty where they are the same."""
    if serving.endereco == others.endereco:
        return ""
    return (
        f"Os links que outros comandos escrevem, como os de `crivo usuarios entrar`, vão para {others.endereco}. "
        f"Para que venham para cá: CRIVO_ENDERECO_PUBLICO={serving.endereco}, neste servidor e nesses comandos."
    )


def open_port(settings: Settings) -> tuple[Settings, socket.socket]:
    """The port of the pages, listened on from now, and the settings that have it.

    A port that nobody chose moves to a free one while it is taken, and that is said.
    Raises PortaOcupada, EnderecoInvalido.
    """
    from crivo.kernel.portas import by_whom, near, port_of
    from crivo.web.server import listening

    chosen = settings.chose("porta") or bool(settings.endereco_publico)  # whoever forwards to it knows it by its number
    listener = listening(settings.host, [settings.porta] if chosen else near(settings.porta))
    wanted, found = settings.porta, port_of(listener)
    if found != wanted:
        note(f"A porta {wanted} já está em uso {by_whom(wanted)}: as páginas atendem na {found}. CRIVO_PORTA escolhe outra.")
    return settings.model_copy(update={"porta": found}), listener


def _tell_metrics(settings: Settings, found: int | None) -> None:
    """Say where the metrics are, where that is not the port that was meant."""
    from crivo.kernel.portas import by_whom

    wanted = settings.porta_metricas
    if found is None:
        note(f"Não foi possível atender na porta {wanted} das métricas: o servidor segue sem elas. CRIVO_PORTA_METRICAS escolhe outra.")
    elif found != wanted:
        note(f"A porta {wanted} já está em uso {by_whom(wanted)}: as métricas atendem na {found}. CRIVO_PORTA_METRICAS escolhe outra.")


def run(settings: Settings, told: str, listener: socket.socket, log_nivel: LogNivel | None = None) -> None:
    """Serve on an open port until told to stop, with logs on stderr; `told` is said there once requests are answered.

    The port of the metrics moves too where nobody chose it; where one was chosen and is taken, it goes on without, and that is said.
    """
    from crivo.kernel.logs import configure_logs
    from crivo.web.server import serve

    configure_logs(log_nivel or settings.log_nivel)
    tell_if_new(settings)
    serve(settings, lambda: note(told), listener, lambda found: _tell_metrics(settings, found))
