"""The code of an appointment: ten characters by which whoever holds it proves the appointment theirs.

Two letters tell the clinic, so that a code is tried where it belongs alone; eight characters are drawn. No vowel, no zero, no one: a code
spells no word, and is read over the telephone as it is written.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Container
from typing import Final

META_CODIGO: Final = "crivo/codigo"
"""Where the code travels, in the `_meta` of a call and of its result: the tools' own schemas are the blueprint's."""
META_ORIGEM: Final = "crivo/origem"
"""Where an opaque name of the conversation travels, by which wrong codes are counted against whoever tries them and nobody else."""
META_PEDIDO: Final = "crivo/pedido"
"""Where a booking's own id travels, so that it is known again when it is sent again; secret, of at least 32 characters."""
SHORTEST_PEDIDO: Final = 32
LONGEST_ORIGEM: Final = 128
SEED_BYTES: Final = 32

LETTERS: Final = "BCDFGHJKMNPQRSTVWXZ"
ALPHABET: Final = f"{LETTERS}23456789"
_TAG: Final = 2
_TAGS: Final = len(LETTERS) ** _TAG
_TURNS: Final = 3  # how far from a clinic's first letters a code is still taken for one that it may have given
_DRAWN: Final = 8
_HALF: Final = 5
_BARE: Final = re.compile(rf"[{LETTERS}]{{2}}[{ALPHABET}]{{8}}")


def letters_of(clinic_id: str, taken: Container[str] = ()) -> str:
    """The two letters that begin a clinic's codes: the first of its own that no other has, as long as 361 suffice."""
    turns = (_turned(clinic_id, turn) for turn in range(_TAGS))
    return next((letters for letters in turns if letters not in taken), _turned(clinic_id, 0))


def are_letters(text: str) -> bool:
    """Whether a text can begin codes."""
    return len(text) == _TAG and set(text) <= set(LETTERS)


def code_from(seed: bytes, clinic_id: str, letters: str = "") -> str:
    """The code that a seed makes at a clinic; as hard to guess as the seed, up to 38 bits."""
    number = int.from_bytes(hashlib.sha256(b"crivo.codigo\0" + clinic_id.encode() + b"\0" + seed).digest(), "big")
    return (letters or letters_of(clinic_id)) + _spelled(number, ALPHABET, _DRAWN)


def is_of_clinic(code: str, clinic_id: str, letters: str = "") -> bool:
    """Whether a code begins with a clinic's letters."""
    return code[:_TAG] == (letters or letters_of(clinic_id))


def may_be_of(code: str, clinic_id: str, letters: str = "") -> bool:
    """Whether a clinic may have given a code, also before its letters were its own alone, or while others stood before it."""
    return is_of_clinic(code, clinic_id, letters) or code[:_TAG] in [_turned(clinic_id, turn) for turn in range(_TURNS)]


def written(code: str) -> str:
    """A code as people are shown it: `XXXXX-XXXXX`."""
    return f"{code[:_HALF]}-{code[_HALF:]}"


def read_code(text: str) -> str | None:
    """A code as typed, in any case and with whatever stands between its letters; None for what is none."""
    bare = "".join(char for char in text if char.isalnum()).upper()
    return bare if _BARE.fullmatch(bare) else None


def digest_of(code: str, clinic_id: str) -> bytes:
    """A code as it goes into the keyed digest that a clinic keeps of it; silos of version 2 kept no more than this."""
    return hashlib.sha256(f"{clinic_id}\0{code}".encode()).digest()


def _turned(clinic_id: str, turn: int) -> str:
    """Letters of a clinic: those that its id makes, and the ones that come after them."""
    return _spelled(int.from_bytes(hashlib.sha256(clinic_id.encode()).digest(), "big") + turn, LETTERS, _TAG)


def _spelled(number: int, alphabet: str, length: int) -> str:
    letters = []
    for _ in range(length):
        number, index = divmod(number, len(alphabet))
        letters.append(alphabet[index])
    return "".join(letters)
