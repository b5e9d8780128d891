"""A clinic over the Model Context Protocol, by the official SDK: tools only, no session, one JSON answer to each request."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Collection, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from importlib.metadata import version
from typing import Any, Final

import msgspec
from mcp import MCPError
from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.types import (
    INTERNAL_ERROR,
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    PaginatedRequestParams,
    TextContent,
)
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.routing import Route

from crivo.clinicas.argumentos import ArgumentosInvalidos, read_arguments
from crivo.clinicas.clinica.desk import Desk
from crivo.clinicas.clinica.errors import SiloIndisponivel
from crivo.clinicas.clinica.exchange import McpEndpoint
from crivo.clinicas.clinica.gate import BEARER, Gate
from crivo.clinicas.clinica.prova import Quem
from crivo.clinicas.clinica.tokens import Bearer, Verifier
from crivo.clinicas.clinica.tools import TOOLS, Answer
from crivo.clinicas.clinica.values import Answered
from crivo.clinicas.codigos import LONGEST_ORIGEM, META_CODIGO, META_ORIGEM, META_PEDIDO, SHORTEST_PEDIDO, read_code
from crivo.clinicas.protocol import INVALID_PARAMS, UNKNOWN_METHOD, Refusal
from crivo.clinicas.registro import Clinica
from crivo.kernel.logs import logger

LOOPBACK: Final = ("127.0.0.1", "localhost", "[::1]")
LARGEST_BODY: Final = 64 * 1024  # bytes; the longest honest call is under 4 KiB

Context = ServerRequestContext[Any, Request]
OpenDesk = Callable[[], AbstractAsyncContextManager[Desk]]
Held = Callable[[], AbstractAsyncContextManager[None]]

_INSTRUCTIONS: Final = (
    "Agenda de {nome} ({especialidade}). Liste os horários livres antes de marcar. Datas em AAAA-MM-DD e horas em HH:MM, de Brasília."
)


def create_app(clinica: Clinica, open_desk: OpenDesk, verifier: Verifier, hosts: Collection[str] = LOOPBACK) -> Starlette:
    """The clinic as an ASGI application that answers POST /mcp, to `hosts` and to holders of a token alone."""
    desks: list[Desk] = []

    @asynccontextmanager
    async def open_for_business() -> AsyncIterator[None]:
        async with open_desk() as desk:
            desks.append(desk)
            yield

    return mount(create_server(clinica, lambda: desks[-1]), open_for_business, verifier, hosts)


def mount(server: Server[Any], held: Held, verifier: Verifier, hosts: Collection[str] = LOOPBACK) -> Starlette:
    """An MCP server behind the gate; what is `held` is entered before the first request and left after the last."""
    endpoint = McpEndpoint(server, largest_body=LARGEST_BODY)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        async with held(), endpoint.running():
            yield

    return Starlette(routes=[Route("/mcp", Gate(endpoint, verifier, hosts), methods=["POST"])], lifespan=lifespan)


def create_server(clinica: Clinica, desk: Callable[[], Desk]) -> Server[Any]:
    """The clinic as an MCP server, on no transport yet."""

    async def on_list_tools(_: Context, __: PaginatedRequestParams | None) -> ListToolsResult:
        return _LISTING

    async def on_call_tool(context: Context, params: CallToolRequestParams) -> CallToolResult:
        return _result(await _call(desk(), _quem(context, params), params))

    server: Server[Any] = Server(
        clinica.id,
        version=version("crivo"),
        title=clinica.nome,
        instructions=_INSTRUCTIONS.format(nome=clinica.nome, especialidade=clinica.especialidade),
        on_list_tools=on_list_tools,
        on_call_tool=on_call_tool,
        get_tool_input_schema=lambda _: None,  # no argument of ours travels in a header
    )
    server.middleware.append(_finish)
    return server


async def _call(desk: Desk, quem: Quem, params: CallToolRequestParams) -> Answered | Answer:
    tool = TOOLS.get(params.name)
    if tool is None:
        raise MCPError(INVALID_PARAMS, f"Ferramenta desconhecida. As desta clínica são: {', '.join(TOOLS)}.")
    try:
        return await tool.call(desk, quem, read_arguments(tool.ferramenta.takes, params.arguments))
    except ArgumentosInvalidos as error:
        raise MCPError(INVALID_PARAMS, error.mensagem) from None
    except SiloIndisponivel as error:
        logger.error("silo_indisponivel", extra={"codigo": error.codigo}, exc_info=error)
        # The path of the silo is the clinic's own affair.
        raise MCPError(INTERNAL_ERROR, "A agenda da clínica não respondeu. Nada foi alterado; tente de novo.") from None


def _quem(context: Context, params: CallToolRequestParams) -> Quem:
    """Who asks, by the token of the request and what the call brings beside its arguments."""
    held = context.request.scope.get(BEARER) if context.request is not None else None
    bearer = held if isinstance(held, Bearer) else Bearer("atendimento")
    meta: Mapping[str, object] = dict(params.meta or {})
    code, pedido, origem = meta.get(META_CODIGO), meta.get(META_PEDIDO), meta.get(META_ORIGEM)
    return Quem(
        bearer.papel,
        bearer.em_nome_de,
        (read_code(code) or "") if isinstance(code, str) else "",
        pedido if isinstance(pedido, str) and len(pedido) >= SHORTEST_PEDIDO else "",
        origem if isinstance(origem, str) and SHORTEST_PEDIDO <= len(origem) <= LONGEST_ORIGEM else "",
    )


def _result(done: Answered | Answer) -> CallToolResult:
    answer, codigo = (done.answer, done.codigo) if isinstance(done, Answered) else (done, "")
    result = CallToolResult(
        content=[TextContent(text=msgspec.json.encode(answer).decode())],
        structured_content=msgspec.to_builtins(answer),
        is_error=isinstance(answer, Refusal),
    )
    return result.model_copy(update={"meta": {META_CODIGO: codigo}}) if codigo else result


async def _finish(ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
    """Lay a tool's payload flat in the result as well, as the blueprint's client reads it; quote no method that is not there."""
    try:
        result = await call_next(ctx)
    except MCPError as error:
        if error.error.code != UNKNOWN_METHOD:
            raise
        raise MCPError(UNKNOWN_METHOD, "Método desconhecido. Esta clínica atende tools/list e tools/call.") from None
    if ctx.method == "tools/call" and isinstance(result, dict) and isinstance(result.get("structuredContent"), dict):
        return {**result["structuredContent"], **result}
    return result


_LISTING: Final = ListToolsResult(tools=[tool.listed() for tool in TOOLS.values()])
