"""The code with which an applicant comes in: 16 letters and digits that are read aloud and typed without being taken for others.

Pure but for the keyed digest that it is made from, which the caller brings.
"""

from __future__ import annotations

import re
from hashlib import sha256
from typing import Final

_ALPHABET: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"  # Crockford's: no I, L, O, U
_TAKEN_FOR: Final = str.maketrans("ILO", "110")
_LENGTH: Final = 16
_BITS: Final = 5
_CODE: Final = re.compile(f"[{_ALPHABET}]{{{_LENGTH}}}")


def code_of(digest: bytes) -> str:
    """The code that a keyed digest of 10 bytes or more comes to: 80 bits of it."""
    number = int.from_bytes(digest[:10], "big")
    return "".join([_ALPHABET[number >> (_BITS * at) & 31] for at in reversed(range(_LENGTH))])


def shown(code: str) -> str:
    """As people copy it: `7K3M-9QXZ-…`."""
    return "-".join([code[at : at + 4] for at in range(0, len(code), 4)])


def read_code(text: str) -> str | None:
    """The code that was typed, however it was spaced and whatever was taken for what; None where it can be none."""
    plain = re.sub(r"[\s.–-]", "", text[:100]).upper().translate(_TAKEN_FOR)
    return plain if _CODE.fullmatch(plain) else None


def resumo_of(code: str) -> bytes:
    """What is stored of a code: it cannot be turned back into it."""
    return sha256(f"recurso|{code}".encode()).digest()
