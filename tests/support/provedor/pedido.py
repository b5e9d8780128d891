"""What came in, in the words of no protocol."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, Final, Literal, get_args

import msgspec

Protocolo = Literal["chat/completions", "responses", "embeddings"]

_PATH: Final = re.compile(rf"(?:/openai/deployments/([^/]+)|/openai/v1|/openai|/v1)/({'|'.join(get_args(Protocolo))})")


@dataclass(frozen=True, slots=True)
class Pedido:
    """A request as it was read. `resumo` is the SHA-256 of its body, in hexadecimal; names of `cabecalhos` are in small letters."""

    caminho: str
    protocolo: Protocolo
    modelo: str
    temperatura: float | None
    em_fluxo: bool
    corpo: Mapping[str, Any] = field(repr=False)
    resumo: str
    cabecalhos: Mapping[str, str] = field(repr=False)

    @property
    def chaves(self) -> tuple[str, ...]:
        """The headers that carry keys."""
        return tuple(name for name in ("authorization", "api-key") if self.cabecalhos.get(name))

    @property
    def texto(self) -> str:
        """All that the model is shown, instructions first."""
        shown = (self.corpo.get(name, "") for name in ("instructions", "messages", "input"))
        return "\n".join(text for part in shown for text in _texts(part) if text)

    @property
    def entradas(self) -> list[str]:
        """The texts that vectors are asked for."""
        said = self.corpo["input"]
        return [said] if isinstance(said, str) else list(said)

    @property
    def ferramenta(self) -> str | None:
        """The tool that the answer is to be written as; None where it is text."""
        tools = [tool.get("function", tool) for tool in self.corpo.get("tools", ())]
        choice = self.corpo.get("tool_choice", "auto")
        if isinstance(choice, Mapping) and (named := choice.get("function", choice).get("name")):
            return str(named)
        ending = [tool["name"] for tool in tools if "final" in tool["name"]] or [tool["name"] for tool in tools[:1]]
        return ending[0] if ending and choice != "none" else None

    @property
    def esquema(self) -> Mapping[str, Any] | None:
        """The JSON Schema that the answer is to keep, of its tool or of its text; None where none was sent."""
        for tool in self.corpo.get("tools", ()):
            described = tool.get("function", tool)
            if described["name"] == self.ferramenta:
                return dict(described.get("parameters") or {})
        chat = self.corpo.get("response_format", {}).get("json_schema", {}).get("schema")
        responses = self.corpo.get("text", {}).get("format", {}).get("schema")
        found = chat or responses
        return None if found is None else dict(found)


def read_pedido(caminho: str, cabecalhos: Mapping[str, str], corpo: bytes) -> Pedido | None:
    """The request that a path and a body make; None where there is nothing at that path."""
    at = _PATH.fullmatch(caminho)
    if at is None:
        return None
    body: dict[str, Any] = msgspec.json.decode(corpo, type=dict[str, Any])
    protocolo: Protocolo = msgspec.convert(at[2], Protocolo)
    resumo = sha256(corpo).hexdigest()
    modelo = str(at[1] or body["model"])
    return Pedido(caminho, protocolo, modelo, body.get("temperature"), bool(body.get("stream")), body, resumo, cabecalhos)


def _texts(part: object) -> Iterator[str]:
    if isinstance(part, str):
        yield part
    elif isinstance(part, list):
        for one in part:
            yield from _texts(one)
    elif isinstance(part, Mapping):
        for name in ("content", "text", "arguments", "output"):
            yield from _texts(part.get(name))
