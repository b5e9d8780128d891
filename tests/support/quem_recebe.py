"""A system that decisions are delivered to, on this machine: it does with each message what it is told to, and keeps those that came."""

from __future__ import annotations

import asyncio
import hmac
import json
import ssl
from base64 import b64decode
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

Reage = Callable[["Recebida", asyncio.StreamWriter], Awaitable[None]]


@dataclass(frozen=True)
class Recebida:
    """A message as it came: the path, the headers and the exact bytes."""

    alvo: str
    cabecalhos: dict[str, str]
    corpo: bytes

    @property
    def id(self) -> str:
        return self.cabecalhos["webhook-id"]

    @property
    def dados(self) -> Any:
        return json.loads(self.corpo)["data"]


def answers(status: int, **headers: str) -> Reage:
    async def react(_: Recebida, writer: asyncio.StreamWriter) -> None:
        more = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        writer.write(f"HTTP/1.1 {status} Foi\r\ncontent-length: 0\r\n{more}\r\n".encode())

    return react


@dataclass
class QuemRecebe:
    """What a test says of a receiver, and what it has."""

    porta: int = 0
    reage: Reage = field(default_factory=lambda: answers(204))
    recebidas: list[Recebida] = field(default_factory=list)

    def url(self, alvo: str = "/crivo", host: str = "127.0.0.1") -> str:
        return f"http://{host}:{self.porta}{alvo}"

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
            headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:] if line)}
            came = Recebida(head[0].split(" ")[1], headers, await reader.readexactly(int(headers["content-length"])))
            self.recebidas.append(came)
            await self.reage(came, writer)
            await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()


@asynccontextmanager
async def receiving(contexto: ssl.SSLContext | None = None) -> AsyncIterator[QuemRecebe]:
    made = QuemRecebe()
    server = await asyncio.start_server(made.serve, "127.0.0.1", 0, ssl=contexto)
    made.porta = server.sockets[0].getsockname()[1]
    try:
        yield made
    finally:
        server.close()


def is_signed(recebida: Recebida, segredo: str) -> bool:
    """As Standard Webhooks has receivers do it, stated a second time."""
    moment = recebida.cabecalhos["webhook-timestamp"]
    content = b".".join([recebida.id.encode(), moment.encode(), recebida.corpo])
    right = hmac.new(b64decode(segredo.removeprefix("whsec_")), content, "sha256").digest()
    given = [b64decode(one.removeprefix("v1,")) for one in recebida.cabecalhos["webhook-signature"].split(" ")]
    return any(hmac.compare_digest(right, one) for one in given)
