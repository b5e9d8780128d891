"""Servers for the official conformance suite, each on a port: `python perfil_mcp.py FOLDER CLINIC PROFILE CHANNEL`.

CLINIC is a clinic as it is served. PROFILE is the same server with the suite's fixtures, mounted by the same function. CHANNEL is that
server on the SDK's transport with streams, for the scenarios in which a server speaks to its client in the middle of a call: a clinic
never does, and answers in one JSON document. The suite sends no token, so each of these is handed it on its way in.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

import uvicorn
from mcp.server.lowlevel import Server
from mcp.server.streamable_http import EventCallback, EventMessage, EventStore
from mcp.types import (
    CallToolRequestParams,
    CompleteRequestParams,
    CompleteResult,
    Completion,
    EmptyResult,
    GetPromptRequestParams,
    JSONRPCMessage,
    ListToolsResult,
    PaginatedRequestParams,
    ReadResourceRequestParams,
    SetLevelRequestParams,
    SubscribeRequestParams,
    UnsubscribeRequestParams,
)
from starlette.types import ASGIApp, Receive, Scope, Send

from cenario import CLOCK, SEED, clinic_on, token_of
from crivo.clinicas.clinica.folder import ClinicFolder
from crivo.clinicas.clinica.server import create_app, create_server, mount
from crivo.clinicas.clinica.serving import Place, open_desk, prepare, verifier_of
from perfil_ferramentas import RUNS, TOOLS, Context
from perfil_recursos import get_prompt, list_prompts, list_resources, list_templates, read_resource

_RETRY_MS: Final = 500


def with_fixtures(server: Server[Any]) -> Server[Any]:
    """A clinic's server that has the suite's tools beside its own, and resources and prompts."""
    own_list, own_call = server.get_request_handler("tools/list"), server.get_request_handler("tools/call")
    assert own_list is not None
    assert own_call is not None

    async def list_tools(context: Context, params: PaginatedRequestParams) -> ListToolsResult:
        own = await own_list.handler(context, params)
        assert isinstance(own, ListToolsResult)
        return ListToolsResult(tools=[*own.tools, *TOOLS])

    async def call_tool(context: Context, params: CallToolRequestParams) -> Any:
        run = RUNS.get(params.name)
        return await own_call.handler(context, params) if run is None else await run(context, params)

    server.add_request_handler("tools/list", PaginatedRequestParams, list_tools)
    server.add_request_handler("tools/call", CallToolRequestParams, call_tool)
    server.add_request_handler("resources/list", PaginatedRequestParams, list_resources)
    server.add_request_handler("resources/templates/list", PaginatedRequestParams, list_templates)
    server.add_request_handler("resources/read", ReadResourceRequestParams, read_resource)
    server.add_request_handler("resources/subscribe", SubscribeRequestParams, _done)
    server.add_request_handler("resources/unsubscribe", UnsubscribeRequestParams, _done)
    server.add_request_handler("prompts/list", PaginatedRequestParams, list_prompts)
    server.add_request_handler("prompts/get", GetPromptRequestParams, get_prompt)
    server.add_request_handler("completion/complete", CompleteRequestParams, _complete)
    server.add_request_handler("logging/setLevel", SetLevelRequestParams, _done)
    return server


async def _done(_: Context, __: Any) -> EmptyResult:
    return EmptyResult()


async def _complete(_: Context, __: CompleteRequestParams) -> CompleteResult:
    return CompleteResult(completion=Completion(values=[], total=0, has_more=False))


class _Events(EventStore):
    """What was sent on every stream, for a client that comes back to one."""

    def __init__(self) -> None:
        self._sent: list[tuple[str, JSONRPCMessage | None]] = []

    async def store_event(self, stream_id: str, message: JSONRPCMessage | None) -> str:
        self._sent.append((stream_id, message))
        return str(len(self._sent))

    async def replay_events_after(self, last_event_id: str, send_callback: EventCallback) -> str | None:
        seen = int(last_event_id)
        stream = self._sent[seen - 1][0]
        for number, (own, message) in enumerate(self._sent[seen:], seen + 1):
            if own == stream and message is not None:
                await send_callback(EventMessage(message, str(number)))
        return stream


def with_token(app: ASGIApp, token: str) -> ASGIApp:
    """An application to whose every request a token is added."""

    async def pass_on(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            scope = {**scope, "headers": [*scope["headers"], (b"authorization", f"Bearer {token}".encode())]}
        await app(scope, receive, send)

    return pass_on


def servers(folder: Path) -> tuple[ASGIApp, ASGIApp, ASGIApp]:
    """The clinic, the profile and the channel, over a silo in a folder."""
    place = Place(clinic_on(0), ClinicFolder(folder), CLOCK)
    prepare(place, lambda _: SEED)
    verifier, token = verifier_of(place), token_of(place.clinica.id, place.folder)

    @asynccontextmanager
    async def nothing() -> AsyncIterator[None]:
        yield

    profile = mount(with_fixtures(create_server(place.clinica, _no_desk)), nothing, verifier)
    channel = with_fixtures(create_server(place.clinica, _no_desk)).streamable_http_app(event_store=_Events(), retry_interval=_RETRY_MS)
    clinic = create_app(place.clinica, lambda: open_desk(place), verifier)
    return with_token(clinic, token), with_token(profile, token), channel


def _no_desk() -> Any:
    raise AssertionError("the suite calls no tool of a clinic")


async def _serve(folder: Path, ports: list[int]) -> None:
    configs = [uvicorn.Config(app, port=port, log_level="error", lifespan="on") for app, port in zip(servers(folder), ports, strict=True)]
    await asyncio.gather(*(uvicorn.Server(config).serve() for config in configs))


if __name__ == "__main__":
    asyncio.run(_serve(Path(sys.argv[1]), [int(port) for port in sys.argv[2:]]))
