"""CPFs are not shown on pages: whoever needs the whole number has it in their own system."""

from __future__ import annotations

import re
from typing import Final

_CANDIDATE: Final = re.compile(r"(?<!\d)(\d{3})\.?(\d{3})\.?(\d{3})-?(\d{2})(?!\d)")


def mask_cpfs(text: str) -> str:
    """The text with each valid CPF as ***.456.789-**; other numbers of eleven digits are left as they are."""
    return _CANDIDATE.sub(_masked, text)


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
