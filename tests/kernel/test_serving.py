from __future__ import annotations

import asyncio
import gc
import logging
import os
import signal
import socket
from collections.abc import Iterator

import httpx
import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from crivo.kernel.serving import SignalledServer, Told


@pytest.fixture
def listener() -> Iterator[socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as opened:
        yield opened
    gc.unfreeze()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_it_says_when_it_answers_and_returns_after_a_signal(
    listener: socket.socket, caplog: pytest.LogCaptureFixture, number: signal.Signals
) -> None:
    caplog.set_level(logging.INFO, "crivo")
    app = Starlette(routes=[Route("/", lambda _: PlainTextResponse("aqui"))])
    ready = asyncio.Event()
    config = uvicorn.Config(app, log_config=None, access_log=False, lifespan="off")
    serving = asyncio.create_task(SignalledServer(config, Told("subiu", "desceu"), ready.set).serve(sockets=[listener]))
    async with asyncio.timeout(30):
        await ready.wait()
        port = listener.getsockname()[1]
        async with httpx.AsyncClient() as client:
            assert (await client.get(f"http://127.0.0.1:{port}/")).text == "aqui"
        os.kill(os.getpid(), number)
        await serving
    told = [(record.message, getattr(record, "porta", None)) for record in caplog.records if record.name == "crivo"]
    assert told == [("subiu", port), ("desceu", None)]
