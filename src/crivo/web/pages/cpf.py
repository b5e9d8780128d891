"""CPFs are not shown on pages: whoever needs the whole number has it in their own system."""

from __future__ import annotations

from typing import Any

import msgspec

from crivo.kernel.linguagem.identificadores import CPF_DIGITS, mask_cpfs


def mask_document(raw: bytes) -> bytes:
    """A JSON document with its CPFs masked, written as a text or as a number; one that has none is given back to the byte."""
    document = msgspec.json.decode(raw)
    masked = _in_document(document)
    return raw if masked == document else msgspec.json.encode(masked)


def _in_document(value: Any, field: str = "") -> Any:
    if isinstance(value, dict):
        return {mask_cpfs(name): _in_document(inner, name) for name, inner in value.items()}
    if isinstance(value, list):
        return [_in_document(inner, field) for inner in value]
    if isinstance(value, int) and not isinstance(value, bool):
        digits = str(value).zfill(CPF_DIGITS) if "cpf" in field.lower() else str(value)  # a number has lost the noughts that it began with
        masked = mask_cpfs(digits)
        return value if masked == digits else masked
    return mask_cpfs(value) if isinstance(value, str) else value
