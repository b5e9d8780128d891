"""Load from a process of its own: connections kept open, each with one request in flight, for so many seconds.

What is sent in the first quarter of a second is not counted: the connections all begin at once, which is no load that lasts. On a machine
so busy that nothing was counted by the end, the load goes on until something is.

`python -m bench.rajada PORTA CAMINHO PEDIDOS.ndjson --conexoes 32 --segundos 2`, with the key in the variable `BANCADA_CHAVE`, prints a
`Rajada` as JSON. With `--paginas` the lines are addresses under `CAMINHO`, opened in turn by whoever's session the variable holds.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from collections.abc import Iterator
from itertools import cycle
from pathlib import Path
from time import perf_counter
from typing import Final, cast

import msgspec
import uvloop

from bench.medida import percentile

CHAVE: Final = "BANCADA_CHAVE"
_LAST_ANSWER_SECONDS: Final = 60.0
_RAMP_SECONDS: Final = 0.25


class Rajada(msgspec.Struct, frozen=True):
    """What came back: answers with 200, everything else, and how long an answer took."""

    aceitas: int
    recusadas: int
    segundos: float
    p50_ms: float
    p99_ms: float

    @property
    def por_segundo(self) -> float:
        """Answers with 200 a second."""
        return self.aceitas / self.segundos


class _Placar:
    """What all connections have counted together."""

    def __init__(self, pedidos: Iterator[bytes], began: float, segundos: float) -> None:
        self.pedidos = pedidos
        self.since = began + _RAMP_SECONDS
        self.until = self.since + segundos
        self.took: list[float] = []
        self.recusadas = 0
        self.last = self.since

    @property
    def over(self) -> bool:
        """Whether it has lasted long enough, and counted something."""
        return bool(self.took) and perf_counter() >= self.until

    def count(self, *, accepted: bool, sent_at: float, answered_at: float) -> None:
        """One answer more; a refusal counts whenever it was sent."""
        if not accepted:
            self.recusadas += 1
        elif sent_at >= self.since:
            self.took.append(answered_at - sent_at)
            self.last = answered_at


class _Conexao(asyncio.Protocol):
    """One connection: sends a request, and the next as soon as the answer is whole."""

    def __init__(self, placar: _Placar) -> None:
        self._placar = placar
        self._transport: asyncio.Transport | None = None
        self._received = b""
        self._sent_at = 0.0
        self.done: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)  # uvloop's is one in all but its class
        self._send()

    def data_received(self, data: bytes) -> None:
        self._received += data
        head, found, body = self._received.partition(b"\r\n\r\n")
        if not found or len(body) < _content_length(head):
            return
        now = perf_counter()
        self._received = b""
        self._placar.count(accepted=head.startswith(b"HTTP/1.1 200"), sent_at=self._sent_at, answered_at=now)
        self._send()

    def connection_lost(self, error: Exception | None) -> None:
        if not self.done.done():
            self.done.set_result(None)

    def _send(self) -> None:
        assert self._transport is not None
        if self._placar.over:
            self._transport.close()
            return
        self._sent_at = perf_counter()
        self._transport.write(next(self._placar.pedidos))


def _content_length(head: bytes) -> int:
    for line in head.split(b"\r\n")[1:]:
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            return int(value)
    return 0


async def load(porta: int, pedidos: Iterator[bytes], conexoes: int, segundos: float) -> Rajada:
    """Keep the connections busy for so many seconds."""
    placar = _Placar(pedidos, perf_counter(), segundos)
    loop = asyncio.get_running_loop()
    opened = [await loop.create_connection(lambda: _Conexao(placar), "127.0.0.1", porta) for _ in range(conexoes)]
    await asyncio.wait([protocol.done for _, protocol in opened], timeout=_RAMP_SECONDS + segundos + _LAST_ANSWER_SECONDS)
    took = [seconds * 1000 for seconds in placar.took] or [0.0]
    return Rajada(len(placar.took), placar.recusadas, placar.last - placar.since, percentile(took, 50), percentile(took, 99))


def request_bytes(caminho: str, chave: str, body: bytes) -> bytes:
    """A whole HTTP/1.1 request, ready to be sent."""
    head = (
        f"POST {caminho} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {chave}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


def page_bytes(caminho: str, sessao: str) -> bytes:
    """A whole HTTP/1.1 request of a page by a person who has signed in, ready to be sent."""
    return f"GET {caminho} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/html\r\nCookie: crivo_sessao={sessao}\r\n\r\n".encode()


def main() -> None:
    """Reads the arguments, loads, prints."""
    parser = argparse.ArgumentParser()
    parser.add_argument("porta", type=int)
    parser.add_argument("caminho")
    parser.add_argument("pedidos", type=Path)
    parser.add_argument("--conexoes", type=int, default=32)
    parser.add_argument("--segundos", type=float, default=2.0)
    parser.add_argument("--paginas", action="store_true")
    given = parser.parse_args()
    lines, chave = given.pedidos.read_bytes().splitlines(), os.environ[CHAVE]
    if given.paginas:
        prepared = [page_bytes(given.caminho + line.decode(), chave) for line in lines]
    else:
        prepared = [request_bytes(given.caminho, chave, line) for line in lines]
    rajada = uvloop.run(load(given.porta, cycle(prepared), given.conexoes, given.segundos))
    sys.stdout.buffer.write(msgspec.json.encode(rajada) + b"\n")


if __name__ == "__main__":
    main()
