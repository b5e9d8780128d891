"""A request to a service of models, sent by the SDK as it is given.

The SDK walks over every field of a request by its type, and over every member of each union, in search of names and files to put into
another form: a third of what a call costs this process. A question has texts and a schema alone, which have one form.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from openai import AsyncOpenAI, NotGiven, Omit
from openai.resources.chat.completions import AsyncCompletions
from openai.resources.responses import AsyncResponses
from openai.types.chat import ChatCompletion
from openai.types.responses import Response

_OPTIONS: Final[Mapping[str, str]] = MappingProxyType(
    {"extra_headers": "headers", "extra_query": "params", "extra_body": "extra_json", "timeout": "timeout"}
)


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
    found = {_OPTIONS[name]: given.pop(name) for name in tuple(given) if name in _OPTIONS}
    options: Any = {name: value for name, value in found.items() if value is not None or name == "timeout"}
    return await client.post(path, cast_to=kind, body=given, options=options)
