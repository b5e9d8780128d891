"""One POST, one JSON-RPC answer.

Requests of the handshake generations go straight to the SDK's `serve_one`, without the streams and task groups that its transport
makes for each; those of 2026-07-28 are the SDK's own from here on.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Final

import anyio
import msgspec
from mcp import MCPError
from mcp.server.connection import Connection
from mcp.server.lowlevel import Server
from mcp.server.runner import serve_one
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import RequestBodyLimitMiddleware
from mcp.shared.dispatcher import CallOptions
from mcp.shared.exceptions import NoBackChannelError
from mcp.shared.message import MessageMetadata, ServerMessageMetadata
from mcp.shared.transport_context import TransportContext
from mcp.types import INVALID_PARAMS, INVALID_REQUEST, PARSE_ERROR, RequestId
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS
from pydantic import ValidationError
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import Message, Receive, Scope, Send

_UNDECLARED_VERSION: Final = "2025-03-26"  # what the specification takes a request without the header for
_PROTOCOL_HEADER: Final = "mcp-protocol-version"
_DEEPEST: Final = 64  # levels of a document; ours have four


@dataclass
class _Exchange:
    """What the SDK asks about a request, which here has no way back to its sender but the answer."""

    transport: TransportContext
    request_id: RequestId
    message_metadata: MessageMetadata
    cancel_requested: anyio.Event = field(default_factory=anyio.Event)
    can_send_request: bool = False

    async def send_raw_request(self, method: str, params: Mapping[str, Any] | None, opts: CallOptions | None = None) -> dict[str, Any]:
        raise NoBackChannelError(method)

    async def notify(self, method: str, params: Mapping[str, Any] | None, opts: CallOptions | None = None) -> None:
        """Nobody is listening."""

    async def progress(self, progress: float, total: float | None = None, message: str | None = None) -> None:
        """Nobody is listening."""


class McpEndpoint:
    """An MCP server as an ASGI endpoint for POST; whatever bytes arrive, the answer is JSON-RPC."""

    def __init__(self, server: Server[Any], *, largest_body: int) -> None:
        self._server = server
        self._modern = StreamableHTTPSessionManager(server, json_response=True, stateless=True, max_request_body_size=largest_body)
        self._limited = RequestBodyLimitMiddleware(self._read, largest_body)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Keep the SDK's part of it running."""
        async with self._modern.run():
            yield

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a POST."""
        await self._limited(scope, receive, send)

    async def _read(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        media_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if media_type != "application/json":
            await _error(None, INVALID_REQUEST, "Envie JSON, com Content-Type: application/json.", 415)(scope, receive, send)
            return
        try:
            body = await request.body()
        except ClientDisconnect:
            return
        response = await self._answer(request, body)
        if response is not None:
            await response(scope, receive, send)
            return
        await self._modern.handle_request(scope, _replaying(body, receive), send)

    async def _answer(self, request: Request, body: bytes) -> Response | None:
        """The answer, or None where the request is the SDK's to answer."""
        try:
            message = msgspec.json.decode(body)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            return _error(None, PARSE_ERROR, "O corpo não é um JSON que se possa ler.", 400)
        if _depth_passes(message, _DEEPEST):
            return _error(None, INVALID_REQUEST, "O documento tem níveis demais.", 400)
        version = request.headers.get(_PROTOCOL_HEADER)
        if version is not None and version not in HANDSHAKE_PROTOCOL_VERSIONS:
            return None
        if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
            return _error(None, INVALID_REQUEST, "Envie um pedido JSON-RPC 2.0 de cada vez.", 400)
        if "id" not in message or ("method" not in message and ("result" in message or "error" in message)):
            return Response(status_code=202)  # a notification, or an answer to what was never asked: nobody waits
        return await self._serve(request, message, version or _UNDECLARED_VERSION)

    async def _serve(self, request: Request, message: dict[str, Any], version: str) -> Response:
        request_id, method, params = message["id"], message.get("method"), message.get("params")
        if not isinstance(request_id, str | int) or isinstance(request_id, bool):
            return _error(None, INVALID_REQUEST, "O id do pedido deve ser um texto ou um número inteiro.", 400)
        if not isinstance(method, str) or not isinstance(params, dict | None):
            return _error(request_id, INVALID_REQUEST, "O pedido precisa de method, um texto, e de params, um objeto.", 400)
        exchange = _Exchange(
            TransportContext(kind="streamable-http", can_send_request=False, headers=request.headers),
            request_id,
            ServerMessageMetadata(request_context=request),
        )
        connection = Connection.from_envelope(version, None, None)
        try:
            result = await serve_one(self._server, exchange, method, params, connection=connection, lifespan_state={})
        except MCPError as error:
            return _error(request_id, error.error.code, error.error.message, 200)
        except ValidationError:  # its text would quote what was sent
            return _error(request_id, INVALID_PARAMS, "Os parâmetros deste método não são válidos.", 200)
        return _json({"jsonrpc": "2.0", "id": request_id, "result": result}, 200)


def _depth_passes(value: object, limit: int) -> bool:
    level = [value]
    for _ in range(limit):
        level = [item for parent in level for item in _items(parent)]
        if not level:
            return False
    return True


def _items(value: object) -> list[Any]:
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else []


def _replaying(body: bytes, receive: Receive) -> Receive:
    """A body that has been read, to be read again."""
    waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def replay() -> Message:
        return waiting.pop() if waiting else await receive()

    return replay


def _error(request_id: RequestId | None, code: int, message: str, status: int) -> Response:
    return _json({"jsonrpc": "2.0", "id": request_id, "error": {"code": code, "message": message}}, status)


def _json(document: object, status: int) -> Response:
    return Response(msgspec.json.encode(document), status, media_type="application/json")
