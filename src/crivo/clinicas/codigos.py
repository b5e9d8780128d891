"""The code of an appointment: ten characters by which whoever holds it proves the appointment theirs.

Two letters tell the clinic, so that a code is tried where it belongs alone; eight characters are drawn. No vowel, no zero, no one: a code
spells no word, and is read over the telephone as it is written.
"""

from __future__ import annotations

import hashlib
import re
from typing import Final, NamedTuple

META_CODIGO: Final = "crivo/codigo"
"""Where the code travels, in the `_meta` of a call and of its result: the tools' own schemas are the blueprint's."""
META_PEDIDO: Final = "crivo/pedido"
"""Where a booking's own id travels, so that it is known again when it is sent again; secret, of at least 32 characters."""
SHORTEST_PEDIDO: Final = 32
SEED_BYTES: Final = 32

_LETTERS: Final = "BCDFGHJKMNPQRSTVWXZ"
_ALPHABET: Final = f"{_LETTERS}23456789"
_TAG: Final = 2
_DRAWN: Final = 8
_HALF: Final = 5
_CODE: Final = re.compile(rf"(?<![^\W_])([{_LETTERS}]{{2}}[{_ALPHABET}]{{3}})[ ]?[-–.·]?[ ]?([{_ALPHABET}]{{5}})(?![^\W_])", re.IGNORECASE)
# What looks like a code that was mistyped: two fives with a hyphen, a figure among them.
_MISTYPED: Final = re.compile(r"(?<![^\W_])(?=[^\s]*\d)[A-Z0-9]{5}[-–][A-Z0-9]{5}(?![^\W_])", re.IGNORECASE)
_LABEL: Final = re.compile(
    r"[\s,;:(-]*(?:\b(?:com\s+|usando\s+|por\s+|with\s+|con\s+)?(?:(?:o|the|el|meu|my|mi|esse|este)\s+)?(?:c[oó]digo|code)\b"
    r"(?:\s+(?:da\s+consulta|dela|dele|of\s+it))?\s*(?:[ée]|is|es|:|=)?)?[\s,;:(-]*$",
    re.IGNORECASE,
)


class Dito(NamedTuple):
    """A message without the code that it told; `codigo` is empty where what was told can be none."""

    codigo: str
    resto: str


def code_from(seed: bytes, clinic_id: str) -> str:
    """The code that a seed makes at a clinic; as hard to guess as the seed, up to 38 bits."""
    number = int.from_bytes(hashlib.sha256(b"crivo.codigo\0" + clinic_id.encode() + b"\0" + seed).digest(), "big")
    return _tag(clinic_id) + _spelled(number, _ALPHABET, _DRAWN)


def is_of_clinic(code: str, clinic_id: str) -> bool:
    """Whether a code tells that it is of that clinic."""
    return code[:_TAG] == _tag(clinic_id)


def written(code: str) -> str:
    """A code as people are shown it: `XXXXX-XXXXX`."""
    return f"{code[:_HALF]}-{code[_HALF:]}"


def read_code(text: str) -> str | None:
    """A code as typed, in any case, with or without the hyphen; None for what is none."""
    found = _CODE.fullmatch(text.strip())
    return _bare(found) if found else None


def told_code(text: str) -> Dito | None:
    """The code that a message tells, and the message without it and without what leads to it; None where it tells none."""
    found = _CODE.search(text) or _MISTYPED.search(text)
    if found is None:
        return None
    before = _LABEL.sub("", text[: found.start()])
    rest = " ".join(f"{before} {text[found.end() :]}".split()).strip(" ,;:.!-")
    return Dito(_bare(found) if found.re is _CODE else "", rest)


def concealed(text: str) -> str:
    """A message with `[código]` in the place of every code."""
    return _MISTYPED.sub("[código]", _CODE.sub("[código]", text))


def digest_of(code: str, clinic_id: str) -> bytes:
    """What a clinic keeps of a code."""
    return hashlib.sha256(f"{clinic_id}\0{code}".encode()).digest()


def _bare(found: re.Match[str]) -> str:
    return f"{found[1]}{found[2]}".upper()


def _tag(clinic_id: str) -> str:
    return _spelled(int.from_bytes(hashlib.sha256(clinic_id.encode()).digest(), "big"), _LETTERS, _TAG)


def _spelled(number: int, alphabet: str, length: int) -> str:
    letters = []
    for _ in range(length):
        number, index = divmod(number, len(alphabet))
        letters.append(alphabet[index])
    return "".join(letters)
