"""Who sends too much reads why: the rest is taken off the line, up to a bound, before the refusal ends."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from crivo.web.draining import DRAINED_BYTES, Draining


class Line:
    """A client that sends pieces of one size, and what it has of the answer when each is asked for."""

    def __init__(self, pieces: int, size: int = 65_536, *, silent: bool = False) -> None:
        self.left, self.size, self.silent = pieces, size, silent
        self.sent: list[dict[str, Any]] = []

    async def receive(self) -> dict[str, Any]:
        if self.silent:
            await asyncio.Event().wait()
        self.left -= 1
        return {"type": "http.request", "body": b" " * self.size, "more_body": self.left > 0}

    async def send(self, message: Any) -> None:
        self.sent.append(message)


def refusing(status: int) -> Any:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "http.response.start", "status": status, "headers": []})
        await send({"type": "http.response.body", "body": b"why"})

    return app


async def answered(line: Line, status: int = 413, headers: tuple[tuple[bytes, bytes], ...] = (), **own: Any) -> Line:
    await Draining(refusing(status), **own)({"type": "http", "headers": headers}, line.receive, line.send)
    return line


async def test_a_refusal_is_said_at_once_and_ends_when_all_was_taken() -> None:
    line = await answered(Line(20))
    assert line.left == 0
    assert [(one.get("body"), one.get("more_body")) for one in line.sent[1:]] == [(b"why", True), (b"", False)]


async def test_no_more_than_the_bound_is_taken() -> None:
    line = await answered(Line(10_000))
    assert (10_000 - line.left) * line.size <= DRAINED_BYTES + 2 * line.size
    assert line.sent[-1]["more_body"] is False


async def test_who_goes_silent_is_not_waited_for() -> None:
    line = Line(20)

    async def app(scope: Any, receive: Any, send: Any) -> None:
        line.silent = True
        await send({"type": "http.response.start", "status": 413, "headers": []})
        await send({"type": "http.response.body", "body": b"why"})

    await Draining(app, 0.01)({"type": "http", "headers": []}, line.receive, line.send)
    assert line.sent[-1]["more_body"] is False


@pytest.mark.parametrize(
    ("status", "pieces", "headers"),
    [(200, 20, ()), (401, 20, ()), (413, 1, ()), (413, 20, ((b"expect", b"100-continue"),))],
    ids=["an answer", "another refusal", "all was read", "one who asked first"],
)
async def test_every_other_answer_is_left_as_it_is(status: int, pieces: int, headers: tuple[tuple[bytes, bytes], ...]) -> None:
    line = await answered(Line(pieces), status, headers)
    assert line.left == pieces - 1
    assert line.sent[1:] == [{"type": "http.response.body", "body": b"why"}]
