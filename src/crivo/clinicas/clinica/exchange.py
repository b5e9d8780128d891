"""One POST, one JSON-RPC answer.

Requests of the handshake generations go straight to the SDK's `serve_one`, without the streams and task groups that its transport
makes for each; those of 2026-07-28 are the SDK's own from here on.
"""

from __future__ import annotations

import asyncio
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
from mcp.types import INVALID_PARAMS, RequestId
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS
from pydantic import ValidationError
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import Message, Receive, Scope, Send

from crivo.clinicas import jsonrpc

BODY_SECONDS: Final = 20.0  # for the whole of a body, of which the largest is small
_UNDECLARED_VERSION: Final = "2025-03-26"  # what the specification takes a request without the header for
_PROTOCOL_HEADER: Final = "mcp-protocol-version"


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


class _BodyLate(Exception):
    """The body was not whole in time."""


class McpEndpoint:
    """An MCP server as an ASGI endpoint for POST; whatever bytes arrive, the answer is JSON-RPC."""

    def __init__(self, server: Server[Any], *, largest_body: int, body_seconds: float = BODY_SECONDS) -> None:
        self._server = server
        self._body_seconds = body_seconds
        self._modern = StreamableHTTPSessionManager(server, json_response=True, stateless=True, max_request_body_size=largest_body)
        self._limited = RequestBodyLimitMiddleware(self._read, largest_body)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Keep the SDK's part of it running."""
        async with self._modern.run():
            yield

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a POST."""
        try:
            await self._limited(scope, _in_time(receive, self._body_seconds), send)
        except _BodyLate:
            late = _refused(jsonrpc.Wrong(jsonrpc.INVALID_REQUEST, "O conteúdo parou de chegar, ou chega devagar demais."), 408)
            late.headers["connection"] = "close"
            await late(scope, receive, send)

    async def _read(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        media_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if media_type != "application/json":
            wrong = jsonrpc.Wrong(jsonrpc.INVALID_REQUEST, "Envie JSON, com Content-Type: application/json.")
            await _refused(wrong, 415)(scope, receive, send)
            return
        try:
            body = await request.body()
        except ClientDisconnect:
            return
        response = await self._answer(request, body)
        if response is not None:
            await response(scope, receive, send)
            return
        await self._modern.handle_request(_trimmed(scope), _replaying(body, receive), send)

    async def _answer(self, request: Request, body: bytes) -> Response | None:
        """The answer, or None where the request is the SDK's to answer."""
        document = jsonrpc.decode(body)
        if isinstance(document, jsonrpc.Wrong):
            return _refused(document)
        version = request.headers.get(_PROTOCOL_HEADER)
        if version is not None and version not in HANDSHAKE_PROTOCOL_VERSIONS:
            return None
        match jsonrpc.read(document):
            case jsonrpc.Wrong() as wrong:
                return _refused(wrong)
            case jsonrpc.Request() as asked:
                return await self._serve(request, asked, version or _UNDECLARED_VERSION)
            case jsonrpc.Notification() | None:
                return Response(status_code=202)

    async def _serve(self, request: Request, asked: jsonrpc.Request, version: str) -> Response:
        exchange = _Exchange(
            TransportContext(kind="streamable-http", can_send_request=False, headers=request.headers),
            asked.id,
            ServerMessageMetadata(request_context=request),
        )
        connection = Connection.from_envelope(version, None, None)
        try:
            result = await serve_one(self._server, exchange, asked.method, asked.params, connection=connection, lifespan_state={})
        except MCPError as error:
            return _error(asked.id, error.error.code, error.error.message, 200)
        except ValidationError:  # its text would quote what was sent
            return _error(asked.id, INVALID_PARAMS, "Os parâmetros deste método não são válidos.", 200)
        return _json({"jsonrpc": "2.0", "id": asked.id, "result": result}, 200)


def _in_time(receive: Receive, seconds: float) -> Receive:
    """The same messages. Raises _BodyLate where the body is not complete after `seconds` seconds."""
    ends, is_whole = asyncio.get_running_loop().time() + seconds, False

    async def timed() -> Message:
        nonlocal is_whole
        if is_whole:
            return await receive()
        try:
            async with asyncio.timeout_at(ends):
                message = await receive()
        except TimeoutError:
            raise _BodyLate from None
        is_whole = not message.get("more_body", False)
        return message

    return timed


def _trimmed(scope: Scope) -> Scope:
    """The request with its header values as RFC 9110 reads them: without the blanks around them, which the HTTP parser leaves."""
    return {**scope, "headers": [(name, value.strip(b" \t")) for name, value in scope["headers"]]}


def _replaying(body: bytes, receive: Receive) -> Receive:
    """A body that has been read, to be read again."""
    waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def replay() -> Message:
        return waiting.pop() if waiting else await receive()

    return replay


def _refused(wrong: jsonrpc.Wrong, status: int = 400) -> Response:
    return _error(wrong.id, wrong.code, wrong.message, status)


def _error(request_id: RequestId | None, code: int, message: str, status: int) -> Response:
    return _json({"jsonrpc": "2.0", "id": request_id, "error": {"code": code, "message": message}}, status)


def _json(document: object, status: int) -> Response:
    return Response(msgspec.json.encode(document), status, media_type="application/json")
