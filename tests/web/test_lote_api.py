"""Many pedidos in one request, streamed both ways."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from typing import Any

import httpx
import msgspec
import pytest
from fastapi import FastAPI
from starlette.types import Message

from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import Scope

NDJSON = {"content-type": "application/x-ndjson"}
pytestmark = pytest.mark.usefixtures("published")


async def results(api: httpx.AsyncClient, content: bytes | AsyncIterator[bytes]) -> list[dict[str, Any]]:
    answer = await api.post("/api/autorizacoes/lote", content=content, headers=NDJSON)
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/x-ndjson"
    return [json.loads(line) for line in answer.text.splitlines()]


async def in_pieces(content: bytes, size: int) -> AsyncIterator[bytes]:
    for start in range(0, len(content), size):
        yield content[start : start + size]


async def test_each_line_gets_its_result_in_order(api: httpx.AsyncClient, pedido: dict[str, Any]) -> None:
    lines = [json.dumps(pedido | {"pedido_id": f"L-{number}"}) for number in range(300)]
    got = await results(api, "\n".join(lines).encode())
    assert [line["pedido_id"] for line in got] == [f"L-{number}" for number in range(300)]


async def test_a_bad_line_is_a_result_that_says_which_line_and_why(api: httpx.AsyncClient, pedido: dict[str, Any]) -> None:
    good = json.dumps(pedido).encode()
    got = await results(api, b"\n".join([good, b"nada", b"", b"[]", good]) + b"\n")
    assert [line.get("linha") for line in got] == [None, 2, 3, 4, None]
    assert [line["erro"]["codigo"] for line in got[1:4]] == ["json_invalido", "linha_vazia", "pedido_ilegivel"]
    assert set(got[1]["erro"]) == {"codigo", "mensagem", "problemas"}


@pytest.mark.parametrize("size", [1, 7, 1000])
async def test_lines_may_be_cut_anywhere_between_chunks(api: httpx.AsyncClient, pedido: dict[str, Any], size: int) -> None:
    content = b"\r\n".join(json.dumps(pedido | {"pedido_id": f"ção-{number}"}, ensure_ascii=False).encode() for number in range(5))
    got = await results(api, in_pieces(content, size))
    assert [line["pedido_id"] for line in got] == [f"ção-{number}" for number in range(5)]


async def test_a_line_over_the_limit_is_skipped_and_the_next_ones_are_decided(api: httpx.AsyncClient, pedido: dict[str, Any]) -> None:
    good = json.dumps(pedido).encode()
    content = b"\n".join([good, b"x" * 3_000_000, good])
    got = await results(api, in_pieces(content, 60_000))
    assert [line.get("erro", {}).get("codigo") for line in got] == [None, "linha_grande_demais", None]


async def test_no_lines_give_no_results(api: httpx.AsyncClient) -> None:
    assert await results(api, b"") == []


async def test_lines_are_decided_and_not_stored(api: httpx.AsyncClient, pedido: dict[str, Any], database: Database, scope: Scope) -> None:
    line = (await results(api, json.dumps(pedido).encode()))[0]
    stored = await api.post("/api/autorizacoes", json=pedido)
    assert line == stored.json()
    assert len((await api.get("/api/autorizacoes")).json()["itens"]) == 1


async def test_another_type_of_body_is_refused(api: httpx.AsyncClient) -> None:
    refused = await api.post("/api/autorizacoes/lote", content=b"{}", headers={"content-type": "text/html"})
    assert (refused.status_code, refused.json()["codigo"]) == (415, "tipo_nao_aceito")


async def test_results_leave_while_lines_still_come(app: FastAPI, api: httpx.AsyncClient, pedido: dict[str, Any]) -> None:
    received: asyncio.Queue[Message] = asyncio.Queue()
    sent: asyncio.Queue[Message] = asyncio.Queue()
    line = msgspec.json.encode(pedido) + b"\n"
    scope = {
        "type": "http",
        "method": "POST",
        "path": "/api/autorizacoes/lote",
        "raw_path": b"",
        "query_string": b"",
        "scheme": "http",
        "headers": [(b"host", b"crivo.teste"), (b"authorization", api.headers["authorization"].encode())],
        "app": app,
        "server": ("crivo.teste", 80),
    }
    serving = asyncio.create_task(app(scope, received.get, sent.put))
    await received.put({"type": "http.request", "body": line, "more_body": True})
    assert (await sent.get())["status"] == 200
    first = await asyncio.wait_for(sent.get(), 5)
    assert first["body"].count(b"\n") == 1
    await received.put({"type": "http.request", "body": line, "more_body": False})
    rest = b""
    while (message := await asyncio.wait_for(sent.get(), 5))["more_body"]:
        rest += message["body"]
    await serving
    assert rest == first["body"]


async def test_a_client_that_reads_only_after_sending_everything_is_served(
    app: FastAPI, api: httpx.AsyncClient, pedido: dict[str, Any]
) -> None:
    everything_sent = asyncio.Event()
    line = msgspec.json.encode(pedido) + b"\n"
    left = 3_000
    body = bytearray()

    async def receive() -> Message:
        nonlocal left
        left -= 100
        if left <= 0:
            everything_sent.set()
        return {"type": "http.request", "body": line * 100, "more_body": left > 0}

    async def send(message: Message) -> None:
        if message["type"] == "http.response.body":
            await asyncio.wait_for(everything_sent.wait(), 20)  # as a socket whose other end does not read
            body.extend(message["body"])

    scope = {
        "type": "http",
        "method": "POST",
        "path": "/api/autorizacoes/lote",
        "raw_path": b"",
        "query_string": b"",
        "scheme": "http",
        "headers": [(b"host", b"crivo.teste"), (b"authorization", api.headers["authorization"].encode())],
        "app": app,
        "server": ("crivo.teste", 80),
    }
    await app(scope, receive, send)
    assert body.count(b"\n") == 3_000


async def test_a_client_that_leaves_midway_is_no_fault(
    app: FastAPI, api: httpx.AsyncClient, pedido: dict[str, Any], caplog: pytest.LogCaptureFixture
) -> None:
    messages: Iterator[Message] = iter(
        [{"type": "http.request", "body": msgspec.json.encode(pedido) + b"\n", "more_body": True}, {"type": "http.disconnect"}]
    )

    async def receive() -> Message:
        return next(messages)

    async def send(message: Message) -> None:
        return None

    scope = {
        "type": "http",
        "method": "POST",
        "path": "/api/autorizacoes/lote",
        "raw_path": b"",
        "query_string": b"",
        "scheme": "http",
        "headers": [(b"host", b"crivo.teste"), (b"authorization", api.headers["authorization"].encode())],
        "app": app,
        "server": ("crivo.teste", 80),
    }
    await app(scope, receive, send)
    assert "falha_inesperada" not in caplog.messages
