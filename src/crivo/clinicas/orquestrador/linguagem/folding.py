"""Case, accents and typographic marks folded away, with the way back to the original positions."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final

import msgspec

_PLAIN: Final = {
    "’": "'",
    "‘": "'",
    "´": "'",
    "`": "'",
    "“": '"',
    "”": '"',
    "«": '"',
    "»": '"',
    "‐": "-",
    "‑": "-",
    "–": "-",
    "—": "-",
    "−": "-",
    "•": "-",
    "·": "-",
    "…": ".",
    "⁄": "/",
}


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


class _Table(dict[int, str]):
    """What each character folds to, found once; a character of no width folds to nothing."""

    def __missing__(self, code: int) -> str:
        self[code] = folded = _fold_char(chr(code))
        return folded


def _fold_char(char: str) -> str:
    if char in _PLAIN:
        return _PLAIN[char]
    if char in "\n\t":
        return char
    category = unicodedata.category(char)
    if category in {"Mn", "Me", "Cf"}:
        return ""
    if category in {"Zs", "Cc", "Zl", "Zp"}:
        return " " if category == "Zs" else "\n"
    base = "".join(part for part in unicodedata.normalize("NFKD", char) if not unicodedata.combining(part)).lower()
    return base if len(base) == 1 else char.lower()[:1]


_TABLE: Final = _Table()


_RUNS: Final = re.compile(r"([^\W\d_]|[^\w\n])\1{3,}|\n{2,}")


def calm(text: str) -> str:
    """The text without long runs of one mark, letter or blank: what is meant stays, and no expression runs along them for long.

    Figures stay as they are.
    """
    return _RUNS.sub(lambda run: "\n" if run[1] is None else run[1] if run[1].isspace() else run[1] * 3, text)


@lru_cache(maxsize=64)
def folded(text: str) -> Folded:
    """The text in lower case without accents, dashes and quotes made plain, marks of no width dropped."""
    plain = text.translate(_TABLE)
    if len(plain) == len(text):
        return Folded(plain, text)
    positions = [index for index, char in enumerate(text) if _TABLE[ord(char)]]
    return Folded(plain, text, (*positions, len(text)))


def fold(text: str) -> str:
    """The text in lower case without accents, for comparing; `folded` keeps the way back."""
    return folded(text).text
