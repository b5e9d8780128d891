"""An answer that comes in pieces, heard as it is written and read as if it had come whole.

Whoever reads answers knows one form of each protocol: what a stream says is put together here, so that a service which streams, one that
does not, and one that was asked to and does not, are read alike. Source: OpenAI's Chat Completions and Responses; WHATWG, Server-sent
events.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator, Mapping
from contextlib import aclosing, contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final, Protocol

import httpx2
import msgspec

_STREAMED: Final = "text/event-stream"
_WHOLE: Final = "application/json"
_LAST_BYTES_SECONDS: Final = 0.25  # for what follows the last word, so that the connection can serve again
_DONE: Final = b"[DONE]"
_CHAT_ASKS: Final[Mapping[str, Any]] = MappingProxyType({"stream": True, "stream_options": {"include_usage": True}})
_RESPONSES_ASK: Final[Mapping[str, Any]] = MappingProxyType({"stream": True})
_ENDS: Final = frozenset({"response.completed", "response.incomplete", "response.failed"})


@dataclass(slots=True)
class Escuta:
    """Who hears an answer while it is written: told how many characters there are, and never which, as nobody has checked them.

    `entrada` and `saida` are the tokens that the service has told so far: what is known of an answer that breaks off.
    """

    ao_escrever: Callable[[int], None]
    modelo: str = ""
    caracteres: int = 0
    entrada: int = 0
    saida: int = 0

    def wrote(self, characters: int) -> None:
        """So many more characters are there."""
        if characters:
            self.caracteres += characters
            self.ao_escrever(self.caracteres)

    def took(self, entrada: int, saida: int) -> None:
        """The service told what it counts so far."""
        self.entrada, self.saida = entrada, saida


class _Texto(msgspec.Struct):
    text: str = ""


class _Delta(msgspec.Struct):
    content: str | list[_Texto] | None = None
    refusal: str | None = None


class _Choice(msgspec.Struct):
    index: int | None = None
    delta: _Delta | None = None
    finish_reason: str | None = None


class _Chunk(msgspec.Struct):
    id: str | None = None
    model: str | None = None
    created: int | None = None
    choices: list[_Choice] | None = None
    usage: dict[str, Any] | None = None
    error: Any = None


class _Event(msgspec.Struct):
    type: str = ""
    delta: Any = None
    response: msgspec.Raw = msgspec.Raw(b"null")


_heard_by: ContextVar[Escuta | None] = ContextVar("heard_by", default=None)


def asks_for_stream(*, chat: bool) -> dict[str, Any]:
    """What a request says beside all else, so that its answer comes in pieces and with its tokens counted."""
    return dict(_CHAT_ASKS if chat else _RESPONSES_ASK)


@contextmanager
def heard_by(escuta: Escuta | None) -> Iterator[None]:
    """What is answered within the block is heard so."""
    token = _heard_by.set(escuta)
    try:
        yield
    finally:
        _heard_by.reset(token)


def put_together(response: httpx2.Response, most_bytes: int, too_large: type[Exception]) -> bool:
    """Have a response that streams read as one that came whole; False where it does not stream, and is as it was.

    Raises `too_large` where what it says comes to more than `most_bytes`, ReadError where it breaks off.
    """
    body = response.stream
    if response.status_code != httpx2.codes.OK or not response.headers.get("content-type", "").startswith(_STREAMED):
        return False
    if isinstance(body, httpx2.AsyncByteStream):
        response.headers["content-type"] = _WHOLE
        escuta = _heard_by.get() or Escuta(lambda characters: None)
        chat = not response.request.url.path.endswith("/responses")
        reading = _Chat(escuta, most_bytes, too_large) if chat else _Responses(escuta)
        response.stream = _PutTogether(body, reading, most_bytes, too_large)
    return True


class _Reading(Protocol):
    """One protocol's stream, as far as it was read."""

    def read(self, data: bytes) -> bool:
        """Read one event; whether it was the last."""
        ...

    def whole(self) -> bytes:
        """All of it, as the same protocol answers at once. Raises ReadError where it has no end."""
        ...


class _PutTogether(httpx2.AsyncByteStream):
    def __init__(self, body: httpx2.AsyncByteStream, reading: _Reading, most_bytes: int, too_large: type[Exception]) -> None:
        self._body = body
        self._reading = reading
        self._most = most_bytes
        self._too_large = too_large

    async def __aiter__(self) -> AsyncIterator[bytes]:
        pieces = aiter(self._body)
        async with aclosing(_events(pieces, self._most, self._too_large)) as events:
            async for data in events:
                if self._reading.read(data):
                    break
        yield self._reading.whole()
        with suppress(TimeoutError):
            async with asyncio.timeout(_LAST_BYTES_SECONDS):
                async for _ in pieces:
                    pass

    async def aclose(self) -> None:
        await self._body.aclose()


class _Chat:
    """Chat Completions: pieces of one message, how it ended, and what it took."""

    def __init__(self, escuta: Escuta, most: int, too_large: type[Exception]) -> None:
        self._escuta = escuta
        self._left = most
        self._too_large = too_large
        self._texts: list[str] = []
        self._refusals: list[str] = []
        self._head: dict[str, Any] = {"id": "", "object": "chat.completion", "created": 0, "model": ""}
        self._usage: dict[str, Any] | None = None
        self._finish: str | None = None
        self._done = False

    def read(self, data: bytes) -> bool:
        if data.startswith(_DONE):
            self._done = True
            return True
        chunk = msgspec.json.decode(data, type=_Chunk)
        if chunk.error is not None:
            raise httpx2.ReadError("an error in place of the rest")
        self._head |= {name: value for name, value in (("id", chunk.id), ("created", chunk.created), ("model", chunk.model)) if value}
        self._escuta.modelo = self._head["model"]
        if chunk.usage is not None:
            read, written = (int(chunk.usage.get(name) or 0) for name in ("prompt_tokens", "completion_tokens"))
            self._usage = {"prompt_tokens": read, "completion_tokens": written, "total_tokens": read + written}
            self._usage |= {name: value for name, value in chunk.usage.items() if value is not None}
            self._escuta.took(read, written)
        for choice in chunk.choices or ():
            if not choice.index:
                self._finish = choice.finish_reason or self._finish
                self._hear(choice.delta or _Delta())
        return False

    def whole(self) -> bytes:
        if not self._done and self._finish is None:
            raise httpx2.ReadError("a stream without an end")
        message = {"role": "assistant", "content": "".join(self._texts), "refusal": "".join(self._refusals) or None}
        choice = {"index": 0, "finish_reason": self._finish, "message": message}
        return msgspec.json.encode({**self._head, "choices": [choice], "usage": self._usage})

    def _hear(self, delta: _Delta) -> None:
        said = delta.content if isinstance(delta.content, str) else "".join(part.text for part in delta.content or ())
        self._left -= len(said) + len(delta.refusal or "")
        if self._left < 0:
            raise self._too_large
        if said:
            self._texts.append(said)
            self._escuta.wrote(len(said))
        if delta.refusal:
            self._refusals.append(delta.refusal)


class _Responses:
    """Responses: its last event holds the whole answer."""

    def __init__(self, escuta: Escuta) -> None:
        self._escuta = escuta
        self._whole: bytes | None = None

    def read(self, data: bytes) -> bool:
        event = msgspec.json.decode(data, type=_Event)
        if event.type == "response.output_text.delta":
            self._escuta.wrote(len(event.delta))
        elif event.type in _ENDS:
            self._whole = bytes(event.response)
        elif event.type == "error":
            raise httpx2.ReadError("an error in place of the rest")
        return self._whole is not None

    def whole(self) -> bytes:
        if self._whole is None:
            raise httpx2.ReadError("a stream without an end")
        return self._whole


async def _events(pieces: AsyncIterator[bytes], most_bytes: int, too_large: type[Exception]) -> AsyncGenerator[bytes]:
    """The data of each event of a stream, of which none may be larger than so many bytes."""
    rest, lines = b"", []
    async for piece in pieces:
        *whole, rest = (rest + piece).split(b"\n")
        for line in whole:
            line = line.removesuffix(b"\r")
            if line.startswith(b"data:"):
                lines.append(line[5:].removeprefix(b" "))
            elif not line and lines:
                yield b"\n".join(lines)
                lines.clear()
        if len(rest) + sum(map(len, lines)) > most_bytes:
            raise too_large
    if lines:
        yield b"\n".join(lines)
