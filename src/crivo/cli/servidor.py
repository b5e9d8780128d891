"""`crivo servir`: the pages and the API."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from crivo.cli.ambiente import Ambiente, AsJson, Tenant
from crivo.cli.exposicao import exposure_of
from crivo.cli.saida import note

if TYPE_CHECKING:
    from crivo.kernel.settings import LogNivel, Settings


def servir(
    ctx: typer.Context,
    host: Annotated[str | None, typer.Option("--host", metavar="ENDEREÇO", help="Onde atender; sem ela, CRIVO_HOST.")] = None,
    porta: Annotated[int | None, typer.Option("--porta", metavar="N", min=1, max=65535, help="A porta; sem ela, CRIVO_PORTA.")] = None,
    tenant: Tenant = None,
    as_json: AsJson = False,
) -> None:
    """Serve as páginas e a API até ser interrompido com Ctrl-C."""
    settings = Ambiente.of(ctx, tenant, as_json).settings(host=host, porta=porta)
    exposed = exposure_of(settings)
    if exposed is not None:
        note(f"Atenção: {exposed}.")
    run(settings, f"Atendendo em {settings.endereco} (Ctrl-C encerra).")


def run(settings: Settings, told: str, log_nivel: LogNivel | None = None) -> None:
    """Serve until told to stop, with logs on stderr; `told` is said there once requests are answered."""
    from crivo.kernel.logs import configure_logs
    from crivo.web.server import serve

    configure_logs(log_nivel or settings.log_nivel)
    serve(settings, on_ready=lambda: note(told))
