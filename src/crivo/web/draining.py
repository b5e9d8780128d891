"""A refusal of what is too large reaches who sent it: the rest is taken off the line, up to a bound, before the answer ends.

A connection closed over unread bytes is reset, and a client that was still sending never sees the 413. One that is kept open the server
drains by itself; this is for those that ask for it to be closed.
"""

from __future__ import annotations

import asyncio
from typing import Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

DRAINED_BYTES: Final = 32_000_000
DRAINED_SECONDS: Final = 5.0
_TOO_LARGE: Final = 413


class Draining:
    """An application whose 413 ends only once the request was read, or `DRAINED_BYTES` or `DRAINED_SECONDS` more of it."""

    def __init__(self, app: ASGIApp, seconds: float = DRAINED_SECONDS) -> None:
        """Of what the line is drained: nothing of it is kept."""
        self._app = app
        self._seconds = seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        # Who asks before sending (`Expect: 100-continue`) sends nothing more once refused.
        if scope["type"] != "http" or any(name == b"expect" for name, _ in scope["headers"]):
            await self._app(scope, receive, send)
            return
        refused, ended = False, False

        async def receiving() -> Message:
            nonlocal ended
            message = await receive()
            ended = ended or not message.get("more_body", False)
            return message

        async def sending(message: Message) -> None:
            nonlocal refused
            if message["type"] == "http.response.start":
                refused = message["status"] == _TOO_LARGE
            if not refused or ended or message["type"] != "http.response.body" or message.get("more_body", False):
                await send(message)
                return
            await send({**message, "more_body": True})
            await self._drain(receive)
            await send({"type": "http.response.body", "body": b"", "more_body": False})

        await self._app(scope, receiving, sending)

    async def _drain(self, receive: Receive) -> None:
        left = DRAINED_BYTES
        try:
            async with asyncio.timeout(self._seconds):
                while left > 0:
                    message = await receive()
                    left -= len(message.get("body", b""))
                    if not message.get("more_body", False):
                        return
        except TimeoutError:
            return
