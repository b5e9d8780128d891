"""JSON-RPC 2.0 as it arrives: what the bytes of a message are, or what is wrong with them, in words that quote none of it."""

from __future__ import annotations

from typing import Any, Final

import msgspec

PARSE_ERROR: Final = -32700
INVALID_REQUEST: Final = -32600
_DEEPEST: Final = 64  # levels of a document; ours have four


class Value(msgspec.Struct, frozen=True):
    """A frozen value."""


class Request(Value, frozen=True):
    """A message that waits for an answer."""

    id: str | int
    method: str
    params: dict[str, Any] | None = None


class Notification(Value, frozen=True):
    """A message that waits for none."""

    method: str
    params: dict[str, Any] | None = None


class Wrong(Value, frozen=True):
    """Why bytes are no message: a JSON-RPC error code, what to send instead, and the id where one was read."""

    code: int
    message: str
    id: str | int | None = None


def decode(body: bytes) -> Any:
    """The JSON document in some bytes, or `Wrong`."""
    try:
        document = msgspec.json.decode(body)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return Wrong(PARSE_ERROR, "O corpo não é um JSON que se possa ler.")
    if _depth_passes(document, _DEEPEST):
        return Wrong(INVALID_REQUEST, "O documento tem níveis demais.")
    return document


def read(document: object) -> Request | Notification | Wrong | None:
    """The message that a document is; None where there is nothing to do, and nobody waits."""
    if not isinstance(document, dict) or document.get("jsonrpc") != "2.0":
        return Wrong(INVALID_REQUEST, "Envie um pedido JSON-RPC 2.0 de cada vez.")
    method, params = document.get("method"), document.get("params")
    if "id" not in document:
        return Notification(method, params) if isinstance(method, str) and isinstance(params, dict | None) else None
    if method is None and ("result" in document or "error" in document):
        return None
    own_id = document["id"]
    if not isinstance(own_id, str | int) or isinstance(own_id, bool):
        return Wrong(INVALID_REQUEST, "O id do pedido deve ser um texto ou um número inteiro.")
    if not isinstance(method, str) or not isinstance(params, dict | None):
        return Wrong(INVALID_REQUEST, "O pedido precisa de method, um texto, e de params, um objeto.", own_id)
    return Request(own_id, method, params)


def _depth_passes(value: object, limit: int) -> bool:
    level = [value]
    for _ in range(limit):
        level = [item for parent in level for item in _items(parent)]
        if not level:
            return False
    return True


def _items(value: object) -> list[Any]:
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else []
