"""An answer that keeps a JSON Schema, made from it alone: for requests whose script does not say what to answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

_PROSE: Final = "Texto de exemplo escrito pelo modelo."


def fill(esquema: Mapping[str, Any] | None) -> dict[str, Any]:
    """The least object that the schema accepts; none of it depends on chance."""
    found = _value(esquema or {"type": "object"}, (esquema or {}).get("$defs", {}))
    return found if isinstance(found, dict) else {"resposta": found}


def _value(part: Mapping[str, Any], known: Mapping[str, Any]) -> Any:
    if "$ref" in part:
        return _value(known[part["$ref"].rsplit("/", 1)[-1]], known)
    for settled in ("const", "default"):
        if settled in part:
            return part[settled]
    if "enum" in part:
        return part["enum"][0]
    options = part.get("anyOf") or part.get("oneOf") or part.get("allOf")
    if options:
        return _value(next((option for option in options if option.get("type") != "null"), options[0]), known)
    kind = part.get("type")
    return _of_kind(kind[0] if isinstance(kind, list) else kind, part, known)


def _of_kind(kind: str | None, part: Mapping[str, Any], known: Mapping[str, Any]) -> Any:
    match kind:
        case "object":
            return {name: _value(inner, known) for name, inner in part.get("properties", {}).items()}
        case "array":
            return [_value(part.get("items", {}), known) for _ in range(part.get("minItems", 1))]
        case "integer" | "number":
            return part.get("minimum", part.get("exclusiveMinimum", 0) + 1)
        case "boolean":
            return False
        case "null":
            return None
        case _:
            return _PROSE[: part.get("maxLength")]
