"""CPFs are not shown on pages: whoever needs the whole number has it in their own system."""

from __future__ import annotations

import re
from typing import Any, Final

import msgspec

_CANDIDATE: Final = re.compile(r"(?<!\d)(\d{3})\.?(\d{3})\.?(\d{3})-?(\d{2})(?!\d)")


def mask_cpfs(text: str) -> str:
    """The text with each valid CPF as ***.456.789-**; other numbers of eleven digits are left as they are."""
    return _CANDIDATE.sub(_masked, text)


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
        digits = str(value).zfill(11) if "cpf" in field.lower() else str(value)  # a number has lost the noughts that it began with
        masked = mask_cpfs(digits)
        return value if masked == digits else masked
    return mask_cpfs(value) if isinstance(value, str) else value


def _masked(found: re.Match[str]) -> str:
    digits = [int(digit) for digit in "".join(found.groups())]
    return f"***.{found[2]}.{found[3]}-**" if _is_cpf(digits) else found[0]


def _is_cpf(digits: list[int]) -> bool:
    """Whether the two check digits hold. Source: Instrução Normativa RFB 2.172/2024."""
    if len(set(digits)) == 1:
        return False
    return all(_check_digit(digits[:size]) == digits[size] for size in (9, 10))


def _check_digit(digits: list[int]) -> int:
    weights = range(len(digits) + 1, 1, -1)
    return sum(digit * weight for digit, weight in zip(digits, weights, strict=True)) * 10 % 11 % 10
