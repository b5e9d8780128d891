"""CPFs as people write them, and as a clinic keeps them."""

from __future__ import annotations

import re
from typing import Final

from stdnum.br import cpf as check

_SEPARATORS: Final = re.compile(r"[.\-\s]")
_ELEVEN_DIGITS: Final = re.compile(r"[0-9]{11}")


def cpf_digits(text: str) -> str | None:
    """The eleven digits of a valid CPF, or None; one digit repeated is no CPF, though its check digits hold."""
    digits = _SEPARATORS.sub("", text)
    if _ELEVEN_DIGITS.fullmatch(digits) is None or len(set(digits)) == 1 or not check.is_valid(digits):
        return None
    return digits


def format_cpf(digits: str) -> str:
    """Eleven digits as 000.000.000-00."""
    return f"{digits[:3]}.{digits[3:6]}.{digits[6:9]}-{digits[9:]}"
