"""`crivo clinicas mcp`: the conversation as a tool of an MCP client, over standard input and output."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING, Annotated

import typer

from crivo.cli.ambiente import Ambiente, AsJson, Tenant
from crivo.cli.clinicas import Dados, open_clinicas

if TYPE_CHECKING:
    from crivo.clinicas.orquestrador.conversa.mcp_stdio import Wire
    from crivo.clinicas.service import Clinicas


def mcp(
    ctx: typer.Context,
    sem_subir: Annotated[bool, typer.Option("--sem-subir", help="Fala só com as clínicas que já estão no ar.")] = False,
    dados: Dados = None,
    tenant: Tenant = None,
    as_json: AsJson = False,
) -> None:
    """Oferece a conversa a um cliente MCP, pela entrada e saída padrão.

    Sobe as clínicas que não estiverem no ar e as encerra no fim. Quem roda este comando é o cliente MCP; à mão, use conversar.
    """
    from crivo.clinicas.orquestrador.conversa.mcp_stdio import claimed_streams, until_stopped
    from crivo.kernel.logs import configure_logs

    clinicas = open_clinicas(Ambiente.of(ctx, tenant, as_json), dados, log_nivel="ERROR")
    configure_logs("ERROR")
    with claimed_streams() as wire:
        asyncio.run(until_stopped(_offer(clinicas, wire, starts=not sem_subir)))


async def _offer(clinicas: Clinicas, wire: Wire, *, starts: bool) -> None:
    from crivo.clinicas.orquestrador.conversa.mcp_server import create_server
    from crivo.clinicas.orquestrador.conversa.mcp_stdio import serve

    async with AsyncExitStack() as stack:
        if starts:
            await stack.enter_async_context(clinicas.running())
        conversations = await stack.enter_async_context(clinicas.conversations())
        await serve(create_server(conversations.open), wire)
