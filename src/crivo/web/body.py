"""Reading what was sent: of a type that is expected, and never more than the limit, whatever the headers claim."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final, TypeVar

import msgspec
from starlette.requests import Request
from starlette.types import Message

from crivo.web.problems import CorpoGrandeDemais, CorpoInvalido, CorpoSemJson, TipoNaoAceito

JSON: Final = frozenset({"application/json", "text/json"})
YAML: Final = frozenset({"application/yaml", "application/x-yaml", "text/yaml", "text/x-yaml"})
XML: Final = frozenset({"application/xml", "text/xml", "application/soap+xml"})
CSV: Final = frozenset({"text/csv", "application/csv"})
NDJSON: Final = frozenset({"application/x-ndjson", "application/ndjson", "application/jsonl", "application/x-jsonlines"})
# What clients say on their own when nobody told them what they are sending: curl, urllib, file uploads.
_UNSTATED: Final = frozenset({"application/x-www-form-urlencoded", "application/octet-stream", "text/plain"})
LARGEST_DOCUMENT_BYTES: Final = 10_000_000  # of a política
_CHARSETS: Final = ("utf-8", "utf8", "us-ascii")
Sent = TypeVar("Sent")


def content_type(request: Request, accepted: Collection[str]) -> str:
    """The media type of the body, one of those accepted; empty where the request states none. Raises TipoNaoAceito."""
    if request.headers.get("content-encoding", "identity").lower() != "identity":
        raise TipoNaoAceito("O conteúdo veio comprimido. Envie-o sem Content-Encoding.")
    media_type, _, parameters = request.headers.get("content-type", "").partition(";")
    media_type = media_type.strip().lower()
    if media_type in _UNSTATED:
        media_type = ""
    if media_type and media_type not in accepted:
        raise TipoNaoAceito(f"Este endereço lê {_named(accepted)}. Envie um destes no cabeçalho Content-Type.")
    name, _, charset = parameters.strip().lower().partition("=")
    # An XML says its own letters, and a table those of the spreadsheet that wrote it.
    if name == "charset" and media_type not in XML | CSV and charset.strip('" ') not in _CHARSETS:
        raise TipoNaoAceito("O texto deve vir em UTF-8. Converta-o e envie de novo.")
    return media_type


async def read_body(request: Request, limit: int) -> bytes:
    """The whole body. Raises CorpoGrandeDemais as soon as it is known to pass `limit` bytes."""
    return await limited(request, limit).body()


async def read_json(request: Request, decoder: msgspec.json.Decoder[Sent], limit: int, right: str) -> Sent:
    """What the body spells; `right` says what would be. Raises TipoNaoAceito, CorpoGrandeDemais, CorpoSemJson, CorpoInvalido."""
    content_type(request, JSON)
    raw = await read_body(request, limit)
    try:
        return decoder.decode(raw)
    except msgspec.ValidationError:
        raise CorpoInvalido(right) from None
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise CorpoSemJson(f"O conteúdo não é um JSON válido em UTF-8. {right}") from None


def limited(request: Request, limit: int) -> Request:
    """The same request, reading of whose body raises CorpoGrandeDemais past `limit` bytes."""
    declared = request.headers.get("content-length", "")
    if declared.isdigit() and int(declared[:20]) > limit:
        raise too_large(limit)
    size = 0

    async def receive() -> Message:
        nonlocal size
        message = await request.receive()
        size += len(message.get("body", b""))
        if size > limit:
            raise too_large(limit)
        return message

    return Request(request.scope, receive)


def too_large(limit: int) -> CorpoGrandeDemais:
    """The refusal of a body over `limit` bytes."""
    maximum = f"{limit // 1_000_000} MB" if limit >= 1_000_000 else f"{limit // 1_000} kB"
    return CorpoGrandeDemais(f"O que foi enviado passa do limite de {maximum}. Reduza-o, ou envie em partes.")


def _named(accepted: Collection[str]) -> str:
    named = set(accepted) - ({"application/csv"} if "text/csv" in accepted else set())
    first = [name for name in sorted(named) if name == "text/csv" or (name.startswith("application/") and "/x-" not in name)]
    return " ou ".join(first)
