"""A message as it is read: case, accents and typographic marks folded away, with the way back to the original positions."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

import msgspec

from crivo.kernel.linguagem.dobra import Tabela, kind_of, without_accents

_PLAIN: Final = {sign: to for signs, to in (("’‘´`", "'"), ("“”«»", '"'), ("‐‑–—−•·", "-"), ("…", "."), ("⁄", "/")) for sign in signs}
_RUNS: Final = re.compile(r"([^\W\d_]|[^\w\n])\1{3,}|\n{2,}")


class Folded(msgspec.Struct, frozen=True):
    """A folded text, and for each of its characters the position in the original (None when they are the same)."""

    text: str
    original: str
    positions: tuple[int, ...] | None = None

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The span in the original text of a span in the folded one."""
        if self.positions is None:
            return start, end
        if start >= end:
            return self.positions[start], self.positions[start]
        return self.positions[start], self.positions[end]


def _read(char: str) -> str:
    if char in _PLAIN or char in "\n\t":
        return _PLAIN.get(char, char)
    match kind_of(char):
        case "nada":
            return ""
        case "branco":
            return " "
        case "quebra":
            return "\n"
        case _:
            base = without_accents(char).lower()
            return base if len(base) == 1 else char.lower()[:1]


_TABLE: Final = Tabela(_read)


def calm(text: str) -> str:
    """The text without long runs of one mark, letter or blank: what is meant stays, and no expression runs along them for long.

    Figures stay as they are.
    """
    return _RUNS.sub(lambda run: "\n" if run[1] is None else run[1] if run[1].isspace() else run[1] * 3, text)


@lru_cache(maxsize=64)
def folded(text: str) -> Folded:
    """The text in lower case without accents, dashes and quotes made plain, marks of no width dropped."""
    plain, positions = _TABLE.read(text)
    return Folded(plain, text, None if positions is None else (*positions, len(text)))


def fold(text: str) -> str:
    """The text in lower case without accents, for comparing; `folded` keeps the way back."""
    return folded(text).text
