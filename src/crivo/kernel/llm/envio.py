"""A request to a service of models, sent by the SDK as it is given.

The SDK walks over every field of a request by its type, and over every member of each union, in search of names and files to put into
another form: a third of what a call costs this process. A question has texts and a schema alone, which have one form.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

import msgspec
from openai import AsyncOpenAI, NotGiven, Omit
from openai.resources.chat.completions import AsyncCompletions
from openai.resources.responses import AsyncResponses
from openai.types.chat import ChatCompletion
from openai.types.responses import Response

_OPTIONS: Final[Mapping[str, str]] = MappingProxyType(
    {"extra_headers": "headers", "extra_query": "params", "extra_body": "extra_json", "timeout": "timeout"}
)


@dataclass(frozen=True, slots=True)
class Escrita:
    """A request as it would have been sent: where to, below the service's address, and its body in JSON."""

    caminho: str
    corpo: bytes


class NaoEnviada(Exception):
    """A request was written down and not sent."""

    def __init__(self, escrita: Escrita) -> None:
        super().__init__(escrita.caminho)
        self.escrita = escrita


_written: ContextVar[bool] = ContextVar("written", default=False)
_answer: ContextVar[bytes | None] = ContextVar("answer", default=None)


@contextmanager
def written_down() -> Iterator[None]:
    """In the block nothing is sent: asking raises NaoEnviada, with what would have been."""
    token = _written.set(True)
    try:
        yield
    finally:
        _written.reset(token)


@contextmanager
def answered_with(corpo: bytes) -> Iterator[None]:
    """In the block nothing is sent: this body, had another way, is the answer. Asking raises ValueError where it is no JSON object."""
    token = _answer.set(corpo)
    try:
        yield
    finally:
        _answer.reset(token)


def send_as_given(client: AsyncOpenAI) -> None:
    """Have a client send questions as they are given; what it is asked to stream, and all else, goes its usual way."""
    vars(client.chat)["completions"] = _Conversas(client)  # where the SDK keeps its own, made when it is first asked for
    vars(client)["responses"] = _Respostas(client)


class _Conversas(AsyncCompletions):
    async def create(self, **asked: Any) -> Any:
        if asked.get("stream") is True:
            return await super().create(**asked)
        return await _post(self._client, "/chat/completions", ChatCompletion, asked)


class _Respostas(AsyncResponses):
    async def create(self, **asked: Any) -> Any:
        if asked.get("stream") is True:
            return await super().create(**asked)
        return await _post(self._client, "/responses", Response, asked)


async def _post(client: AsyncOpenAI, path: str, kind: type[Any], asked: Mapping[str, Any]) -> Any:
    given = {name: value for name, value in asked.items() if not isinstance(value, NotGiven | Omit)}
    if (known := _answer.get()) is not None:
        return kind.construct(None, **msgspec.json.decode(known, type=dict[str, Any]))
    if _written.get():
        own = {name: value for name, value in given.items() if name not in _OPTIONS}
        raise NaoEnviada(Escrita(path, msgspec.json.encode({**own, **(given.get("extra_body") or {})})))
    found = {_OPTIONS[name]: given.pop(name) for name in tuple(given) if name in _OPTIONS}
    options: Any = {name: value for name, value in found.items() if value is not None or name == "timeout"}
    return await client.post(path, cast_to=kind, body=given, options=options)
