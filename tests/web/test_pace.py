"""Bodies that stop, drip, or come in time."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from starlette.types import Message

from crivo.web.edge import Edge
from crivo.web.failures import answer_unexpected
from crivo.web.metrics import Metrics
from crivo.web.pace import Paced, Ritmo
from crivo.web.problems import CorpoLento
from espera import never

SHORT = Ritmo(idle_seconds=0.05, grace_seconds=5.0, bytes_per_second=10)


class Clock:
    """Seconds that pass only when told to."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def dripping(clock: Clock, piece: bytes, seconds: float) -> Callable[[], Awaitable[Message]]:
    """A body that brings a piece each time, so many seconds after it is asked for one."""

    async def receive() -> Message:
        clock.now += seconds
        return {"type": "http.request", "body": piece, "more_body": True}

    return receive


async def taken(paced: Paced, most: int) -> int:
    """How many pieces came before it was given up."""
    for number in range(most):
        try:
            await paced()
        except CorpoLento:
            return number
    return most


async def test_a_body_that_drips_is_given_up_though_it_never_stops() -> None:
    """Source: design/sujeito.md, table, 8."""
    clock = Clock()
    assert await taken(Paced(dripping(clock, b"x", 1.0), Ritmo(), clock), 100) == 31  # half a minute, at a byte a second
    assert await taken(Paced(dripping(clock, b"x" * 4_096, 1.0), Ritmo(), clock), 1_000) == 1_000
    assert await taken(Paced(dripping(clock, b"x" * 81_920, 10.0), Ritmo(whole_seconds=60.0), clock), 100) == 6


async def test_what_this_program_takes_its_time_with_is_nobody_else_s_delay() -> None:
    clock = Clock()
    paced = Paced(dripping(clock, b"x", 0.0), Ritmo(), clock)
    came = 0
    for _ in range(50):
        came += await taken(paced, 1)
        clock.now += 100.0
    assert came == 50


async def test_a_body_that_stops_is_given_up_and_one_that_is_whole_is_waited_on() -> None:
    messages: asyncio.Queue[Message] = asyncio.Queue()
    paced = Paced(messages.get, SHORT, asyncio.get_running_loop().time)
    messages.put_nowait({"type": "http.request", "body": b"x", "more_body": True})
    await paced()
    with pytest.raises(CorpoLento):
        await paced()
    messages.put_nowait({"type": "http.request", "body": b"", "more_body": False})
    await paced()
    waiting = asyncio.create_task(paced())  # for the client to leave: as long as that takes
    done, _ = await asyncio.wait((waiting,), timeout=0.1)
    assert not done
    messages.put_nowait({"type": "http.disconnect"})
    assert (await waiting)["type"] == "http.disconnect"


async def test_an_idle_upload_is_answered_with_what_is_wrong(app: FastAPI, key: str) -> None:
    """Source: design/sujeito.md, table, 8."""
    edge = Edge(app, Metrics(), answer_unexpected, lambda: "numero-1", asyncio.get_running_loop().time, SHORT)

    async def stopping() -> Any:
        yield b'{"a": '
        await never()

    headers = {"authorization": f"Bearer {key}"}
    for path, kind in (("/api/autorizacoes", "application/json"), ("/api/editais", "application/zip"), ("/api/politicas", "")):
        sent = headers | ({"content-type": kind} if kind else {})
        async with httpx.AsyncClient(transport=httpx.ASGITransport(edge), base_url="http://crivo.teste", headers=sent) as client:
            answer = await client.post(path, content=stopping())
        assert (answer.status_code, answer.json()["codigo"], answer.headers["connection"]) == (408, "corpo_lento", "close"), path
    held = app.state.web.importacoes
    with held.taken("um"), held.taken("outro"):
        pass  # what the upload had taken is free again


@pytest.mark.usefixtures("published")
async def test_a_lote_that_stops_ends_with_a_line_that_says_so(app: FastAPI, key: str, pedido: dict[str, Any]) -> None:
    edge = Edge(app, Metrics(), answer_unexpected, lambda: "numero-1", asyncio.get_running_loop().time, SHORT)

    async def stopping() -> Any:
        yield json.dumps(pedido).encode() + b"\n"
        await never()

    headers = {"authorization": f"Bearer {key}", "content-type": "application/x-ndjson"}
    async with httpx.AsyncClient(transport=httpx.ASGITransport(edge), base_url="http://crivo.teste", headers=headers) as client:
        lines = (await client.post("/api/autorizacoes/lote", content=stopping())).text.splitlines()
    assert json.loads(lines[0])["pedido_id"] == pedido["pedido_id"]
    assert (json.loads(lines[1])["linha"], json.loads(lines[1])["erro"]["codigo"]) == (2, "corpo_lento")
    assert len(lines) == 2
