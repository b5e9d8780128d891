"""Text as it is compared: case, accents and other marks folded away. Nothing else in the product knows how characters come apart."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from functools import lru_cache
from typing import Final

_ACCENTS: Final = re.compile("[\u0300-\u034e\u0350-\u036f]+")  # of Latin letters, come apart; U+034F is no accent
_ORDINAL_MARKS: Final = "ºª°"
_FRACTION: Final = "\u2044"
_OF_NO_WIDTH: Final = frozenset({"Mn", "Me", "Cf"})
_UNWRITABLE: Final = frozenset({"Cc", "Cs"})  # control characters, and halves of characters


def fold(text: str) -> str:
    """The text in lower case, without accents, each run of blanks one space: `São  João` and `SAO JOAO` are the same."""
    return " ".join(without_accents(text.casefold()).split())


def without_accents(text: str) -> str:
    """The text without accents, case and blanks as they are."""
    if text.isascii():  # plain letters have nothing to lose, and letter by letter is slow
        return text
    plain = _ACCENTS.sub("", unicodedata.normalize("NFKD", text))
    if plain.isascii():
        return plain
    marks = [char for char in set(plain) if unicodedata.combining(char)]
    return plain.translate(dict.fromkeys(map(ord, marks))) if marks else plain


def fold_in_place(text: str) -> str:
    """The text in lower case without accents, each character in its place; `½` is no `1`."""
    return text.lower() if text.isascii() else "".join(map(_in_place, text))


def fold_letters(text: str) -> str:
    """The letters in lower case without accents, each in its place; `º`, `ª` and `°` stay: `2ª via` is no `2a via`."""
    return text.lower() if text.isascii() else "".join(char if char in _ORDINAL_MARKS else _in_place(char) for char in text)


@lru_cache(maxsize=4096)
def _in_place(char: str) -> str:
    parts = unicodedata.normalize("NFKD", char)
    base = parts[0].lower()
    return base if len(base) == 1 and _FRACTION not in parts else char


def composed(text: str) -> str:
    """The text with each letter and its accents in one character, however it was typed."""
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def without_unseen(text: str) -> str:
    """The text without the characters that only direct how others are shown."""
    return text if text.isascii() else "".join(char for char in text if unicodedata.category(char) != "Cf")


def is_writable(char: str) -> bool:
    """Whether a character can be written at all: no control, and no half of another."""
    return unicodedata.category(char) not in _UNWRITABLE


@lru_cache(maxsize=4096)
def is_foreign_letter(char: str) -> bool:
    """Whether it is a letter of another alphabet than the Latin one."""
    return char.isalpha() and not unicodedata.name(char, "LATIN").startswith("LATIN")


class Tabela(dict[int, str]):
    """What each character reads as by `read`, found once: for `str.translate`, and with the way back."""

    def __init__(self, read: Callable[[str], str]) -> None:
        super().__init__()
        self._read = read
        self._moving: set[str] = set()  # what reads as nothing, or as more than one

    def __missing__(self, code: int) -> str:
        self[code] = read = self._read(chr(code))
        if len(read) != 1:
            self._moving.add(chr(code))
        return read

    def read(self, text: str) -> tuple[str, tuple[int, ...] | None]:
        """The text as it reads, and where each of its characters stood; None where each stands where it stood."""
        plain = text.translate(self)
        if self._moving.isdisjoint(text):
            return plain, None
        return plain, tuple(index for index, char in enumerate(text) for _ in self[ord(char)])


def kind_of(char: str) -> str:
    """`nada` for a character of no width, `branco` for a blank, `quebra` for a control or the end of a line,
    `metade` for half of another character, else `sinal`."""
    category = unicodedata.category(char)
    if category in _OF_NO_WIDTH:
        return "nada"
    return {"Cs": "metade", "Zs": "branco", "Cc": "quebra", "Zl": "quebra", "Zp": "quebra"}.get(category, "sinal")
