"""Connections that keep a server waiting: half-open, unread, too many. Each server here has limits small enough to be met in a second."""

from __future__ import annotations

import asyncio
import gc
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress

import pytest
from starlette.types import Receive, Scope, Send

from crivo.kernel.connections import Limites, ServingConfig, limites_of
from crivo.kernel.serving import SignalledServer, Told
from espera import until

HALF = b"GET / HTTP/1.1\r\nHost: x\r\nX-Half: "
WHOLE = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"
OK = b"HTTP/1.1 200 OK\r\n"
QUICK = Limites(conexoes=1_000, fila=128, head_seconds=0.3, unread_seconds=0.3)
Client = tuple[asyncio.StreamReader, asyncio.StreamWriter]
Connect = Callable[[], Awaitable[Client]]


@asynccontextmanager
async def serving(app: object, limites: Limites, held: Callable[[SignalledServer], None] = lambda _: None) -> AsyncIterator[Connect]:
    """A server with these limits in this process, and clients of it, all hung up at the end."""
    ready, clients = asyncio.Event(), list[Client]()
    with socket.create_server(("127.0.0.1", 0)) as listener:
        server = SignalledServer(ServingConfig(app, limites, lifespan="off"), Told("subiu", "desceu"), ready.set)
        held(server)
        running = asyncio.create_task(server.serve(sockets=[listener]))

        async def connect() -> Client:
            clients.append(await asyncio.open_connection(*listener.getsockname()))
            return clients[-1]

        try:
            await ready.wait()
            yield connect
        finally:
            for _, writer in clients:
                writer.transport.abort()
            server.should_exit = True
            await running
            gc.unfreeze()


async def answering(scope: Scope, receive: Receive, send: Send) -> None:
    """Say yes; at `/espera` only once the client has gone."""
    if scope["path"] == "/espera":
        while (await receive())["type"] != "http.disconnect":
            pass
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"3")]})
    await send({"type": "http.response.body", "body": b"sim"})


def noting(begun: list[str]) -> object:
    """The same, which notes what it begins with."""

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        begun.append(scope["path"])
        await answering(scope, receive, send)

    return app


async def asked(connect: Connect, request: bytes = WHOLE) -> bytes:
    """The first line of the answer to a request on a connection of its own; nothing where it is hung up on."""
    reader, writer = await connect()
    writer.write(request)
    with suppress(ConnectionError):
        async with asyncio.timeout(10):
            return await reader.readline()
    return b""


async def is_hung_up(client: Client) -> bool:
    with suppress(ConnectionError):
        async with asyncio.timeout(5):
            return await client[0].read() == b""
    return True


async def test_two_hundred_half_open_connections_are_ended_and_others_answered_meanwhile() -> None:
    """Source: design/sujeito.md, table, 8."""
    async with serving(answering, QUICK) as connect:
        clients = [await connect() for _ in range(200)]
        for number, (_, writer) in enumerate(clients):
            writer.write(HALF if number % 2 else b"")  # half of them say nothing at all
        assert await asked(connect) == OK
        assert all(await asyncio.gather(*map(is_hung_up, clients)))
        assert await asked(connect) == OK


async def test_a_second_request_may_be_late_and_may_not_drip() -> None:
    async with serving(answering, QUICK) as connect:
        late, dripping = await connect(), await connect()
        for reader, writer in (late, dripping):
            writer.write(WHOLE)
            assert await reader.readline() == OK
        ended = asyncio.create_task(is_hung_up((await _read_answer(dripping[0]), dripping[1])))
        for _ in range(20):  # each byte on its own is in time
            dripping[1].write(b"\r\n" if _ == 0 else b"G" if _ == 1 else b"")
            await asyncio.sleep(0.05)
        await _read_answer(late[0])
        late[1].write(WHOLE)
        assert await late[0].readline() == OK
        assert await ended


async def _read_answer(reader: asyncio.StreamReader) -> asyncio.StreamReader:
    await reader.readuntil(b"sim")
    return reader


async def test_over_the_limit_those_that_only_wait_make_room_and_those_at_work_stay() -> None:
    """Source: design/sujeito.md, table, 8."""
    begun: list[str] = []
    async with serving(noting(begun), Limites(conexoes=8, fila=16, head_seconds=60)) as connect:
        working = [await connect() for _ in range(4)]
        for _, writer in working:
            writer.write(WHOLE.replace(b"/", b"/espera", 1))
        await until(lambda: begun == ["/espera"] * 4)
        for _ in range(40):
            (await connect())[1].write(HALF)
        assert await asked(connect) == OK
        assert not any(reader.at_eof() for reader, _ in working)


async def test_where_all_work_the_newcomer_is_the_one_to_go() -> None:
    begun: list[str] = []
    async with serving(noting(begun), Limites(conexoes=2, fila=16)) as connect:
        working = [await connect() for _ in range(2)]
        for _, writer in working:
            writer.write(WHOLE.replace(b"/", b"/espera", 1))
        await until(lambda: begun == ["/espera"] * 2)
        assert await asked(connect) == b""
        assert not any(reader.at_eof() for reader, _ in working)


async def test_an_answer_that_nobody_reads_is_given_up() -> None:
    """Source: design/sujeito.md, table, 8."""
    gone = asyncio.Event()

    async def endless(scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        for _ in range(400):
            await send({"type": "http.response.body", "body": b"x" * 100_000, "more_body": True})
        gone.set()

    async with serving(endless, QUICK) as connect:
        reader, writer = await connect()
        writer.write(WHOLE)
        writer.transport.pause_reading()  # type: ignore[attr-defined]
        async with asyncio.timeout(5):
            await gone.wait()
        assert reader is not None


async def test_an_answer_left_unread_at_the_end_does_not_keep_its_connection() -> None:
    async def last_words(scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": [(b"connection", b"close")]})
        await send({"type": "http.response.body", "body": b"x" * 30_000_000})

    servers: list[SignalledServer] = []
    async with serving(last_words, QUICK, servers.append) as connect:
        reader, writer = await connect()
        writer.write(WHOLE)
        assert await reader.readline() == OK
        writer.transport.pause_reading()  # type: ignore[attr-defined]
        await until(lambda: not servers[0].server_state.connections)
        writer.transport.resume_reading()  # type: ignore[attr-defined]
        received = 0
        with suppress(ConnectionError):
            while chunk := await reader.read(1 << 20):
                received += len(chunk)
        assert received < 30_000_000


@pytest.mark.parametrize("endless", [b"x" * 1_000, b"x: " + b"y" * 1_000, b"x: y\r\n" * 200])
async def test_a_head_without_an_end_is_refused(endless: bytes) -> None:
    async with serving(answering, QUICK) as connect:
        reader, writer = await connect()
        writer.write(b"GET / HTTP/1.1\r\nHost: x\r\n")
        with suppress(ConnectionError):
            for _ in range(100):
                writer.write(endless)
                await writer.drain()
                await asyncio.sleep(0)
        with suppress(ConnectionError):
            assert await reader.readline() == b"HTTP/1.1 431 Request Header Fields Too Large\r\n"


async def test_fields_that_trail_a_body_are_not_kept() -> None:
    kept: list[int] = []

    async def noting(scope: Scope, receive: Receive, send: Send) -> None:
        while (await receive()).get("more_body"):
            pass
        kept.append(len(scope["headers"]))
        await answering(scope, receive, send)

    async with serving(noting, QUICK) as connect:
        trailed = b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n" + b"x: y\r\n" * 50 + b"\r\n"
        assert await asked(connect, trailed) == OK
    assert kept == [2]


@pytest.mark.parametrize("files", [256, 1_024, 4_096, 65_536, 1 << 30])
def test_connections_leave_room_for_the_files_of_all_else(files: int) -> None:
    found = limites_of(files)
    assert found.conexoes + found.fila + 100 <= files
    assert found.conexoes >= 16
