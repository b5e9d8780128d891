"""MCP on this process's own standard input and output: a JSON message to a line, and nothing else on them.

The SDK serves the messages; its transport for standard streams is not used, because it drops a line that it cannot read without an
answer, takes lines of any length, and cannot be told to stop while it waits for one.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import threading
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeVar

import anyio
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.server.lowlevel import Server
from mcp.shared.message import SessionMessage
from mcp.types import INTERNAL_ERROR, ErrorData, JSONRPCError, JSONRPCMessage, JSONRPCNotification, JSONRPCRequest, JSONRPCResponse

from crivo.clinicas import jsonrpc

T = TypeVar("T")
Wire = tuple[int, int]  # the descriptors that the client writes to and reads from

LONGEST_LINE: Final = 64 * 1024  # bytes; the longest honest message is under 32 KiB
_CHUNK: Final = 64 * 1024
_LAST_ANSWERS_SECONDS: Final = 30.0  # longer than any turn takes
_STOP_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_CANCELLED: Final = "notifications/cancelled"
_FAULT: Final = ErrorData(code=INTERNAL_ERROR, message="O crivo falhou por um defeito dele. Confira o que foi feito e tente de novo.")


@contextmanager
def claimed_streams() -> Iterator[Wire]:
    """The client's ends of the standard streams.

    Meanwhile standard input is empty and standard output is standard error, here and in every process started from here.
    """
    wire = os.dup(0), os.dup(1)
    with Path(os.devnull).open("rb") as nothing:
        os.dup2(nothing.fileno(), 0)
    os.dup2(2, 1)
    try:
        yield wire
    finally:
        sys.stdout.flush()
        for descriptor, own in enumerate(wire):
            os.dup2(own, descriptor)


async def until_stopped(work: Coroutine[Any, Any, None]) -> None:
    """Do some work, to its end or until SIGINT, SIGTERM or SIGHUP, which cancel it once; what it raises."""
    told, loop = asyncio.Event(), asyncio.get_running_loop()
    for number in _STOP_SIGNALS:
        loop.add_signal_handler(number, told.set)
    working, stopping = asyncio.create_task(work), asyncio.create_task(told.wait())
    await asyncio.wait((working, stopping), return_when=asyncio.FIRST_COMPLETED)
    stopping.cancel()
    working.cancel()
    await asyncio.wait((working, stopping))
    if working.cancelled():
        return
    try:
        working.result()
    except* (anyio.BrokenResourceError, anyio.ClosedResourceError):
        # A message was on its way between two tasks, of which the cancellation reached the receiver first.
        if not told.is_set():
            raise


async def serve(server: Server[Any], wire: Wire) -> None:
    """Serve a client until it leaves. What it asked before the end of its messages is answered first."""
    to_server, from_client = anyio.create_memory_object_stream[SessionMessage | Exception]()
    to_client, from_server = anyio.create_memory_object_stream[SessionMessage]()
    unanswered = _Unanswered()
    async with asyncio.TaskGroup() as tasks:
        reading = tasks.create_task(_read(wire[0], to_server, to_client.clone(), unanswered))
        tasks.create_task(_write(wire[1], from_server, unanswered, reading.cancel))
        await server.run(from_client, to_client, server.create_initialization_options())


class _Unanswered:
    """The requests that wait for an answer."""

    def __init__(self) -> None:
        self._ids: set[str | int | None] = set()
        self._none = asyncio.Event()
        self._none.set()

    def add(self, request_id: str | int) -> None:
        self._ids.add(request_id)
        self._none.clear()

    def discard(self, request_id: str | int | None) -> None:
        self._ids.discard(request_id)
        if not self._ids:
            self._none.set()

    async def none(self) -> None:
        """Wait until no request waits, or for as long as that can take."""
        with suppress(TimeoutError):
            async with asyncio.timeout(_LAST_ANSWERS_SECONDS):
                await self._none.wait()


async def _read(
    descriptor: int,
    to_server: MemoryObjectSendStream[SessionMessage | Exception],
    to_client: MemoryObjectSendStream[SessionMessage],
    unanswered: _Unanswered,
) -> None:
    async with to_server, to_client:
        async for line in _lines(descriptor):
            match _message(line):
                case jsonrpc.Request(id_, method, params):
                    unanswered.add(id_)
                    await to_server.send(SessionMessage(JSONRPCRequest(jsonrpc="2.0", id=id_, method=method, params=params)))
                case jsonrpc.Notification(method, params):
                    if method == _CANCELLED:  # is not answered, by the specification
                        unanswered.discard(_id_in(params))
                    await to_server.send(SessionMessage(JSONRPCNotification(jsonrpc="2.0", method=method, params=params)))
                case jsonrpc.Wrong(code, message, id_):
                    error = ErrorData(code=code, message=message)
                    await to_client.send(SessionMessage(JSONRPCError(jsonrpc="2.0", id=id_, error=error)))
                case None:
                    pass
        await unanswered.none()


def _id_in(params: dict[str, Any] | None) -> str | int | None:
    named = (params or {}).get("requestId")
    return named if isinstance(named, str | int) else None


def _message(line: bytes) -> jsonrpc.Request | jsonrpc.Notification | jsonrpc.Wrong | None:
    if not line.strip():
        return None
    if len(line) > LONGEST_LINE:
        return jsonrpc.Wrong(jsonrpc.INVALID_REQUEST, f"Cada mensagem pode ter até {LONGEST_LINE} bytes.")
    document = jsonrpc.decode(line)
    return document if isinstance(document, jsonrpc.Wrong) else jsonrpc.read(document)


async def _lines(descriptor: int) -> AsyncIterator[bytes]:
    """The lines of a file as they come, without their end; of one that is too long, one byte too many."""
    line = bytearray()
    while chunk := await _apart(partial(_read_some, descriptor)):
        first, *others = chunk.split(b"\n")
        line += first[: LONGEST_LINE + 1 - len(line)]
        for piece in others:
            yield bytes(line)
            line = bytearray(piece[: LONGEST_LINE + 1])
    yield bytes(line)


async def _write(
    descriptor: int, from_server: MemoryObjectReceiveStream[SessionMessage], unanswered: _Unanswered, on_gone: Callable[[], object]
) -> None:
    is_gone = False
    async with from_server:
        async for outgoing in from_server:
            message = _without_inner_words(outgoing.message)
            line = message.model_dump_json(by_alias=True, exclude_unset=True).encode() + b"\n"
            if not is_gone and await _apart(partial(_write_all, descriptor, line)):
                is_gone = True
                on_gone()
            if isinstance(message, JSONRPCResponse | JSONRPCError):
                unanswered.discard(message.id)


def _without_inner_words(message: JSONRPCMessage) -> JSONRPCMessage:
    """For an error that nobody foresaw, which the SDK gives the code 0 and the exception's own words, a sentence without them."""
    if isinstance(message, JSONRPCError) and message.error.code == 0:
        return JSONRPCError(jsonrpc="2.0", id=message.id, error=_FAULT)
    return message


def _read_some(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, _CHUNK)
    except OSError:  # a terminal that was closed, say
        return b""


def _write_all(descriptor: int, line: bytes) -> bool:
    """Write a line; whether nobody is there to read it."""
    try:
        while line:
            line = line[os.write(descriptor, line) :]
    except OSError:
        return True
    return False


async def _apart(work: Callable[[], T]) -> T:
    """What some work returns that may take for ever, on a thread that neither who waits nor the end of the program has to wait for."""
    outcome = Future[T]()

    def run() -> None:
        outcome.set_running_or_notify_cancel()
        outcome.set_result(work())

    threading.Thread(target=run, daemon=True).start()
    return await asyncio.wrap_future(outcome)
