"""Text without its disguises, each with the way back.

Look-alike letters, accents, digits for letters, letters set apart, words cut by hyphens or turned around, Base64.
"""

from __future__ import annotations

import base64
import binascii
import codecs
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final

from crivo.kernel.linguagem.dobra import Tabela, kind_of, without_accents
from crivo.triagem.documentos.largura_zero import split_unseen

_LEET: Final = str.maketrans("01345789@$!|", "oieastbgasil")
_MIXED_WORD: Final = re.compile(r"(?<![\w@$!|])(?=[a-z@$!|]*[0-9@$!|])(?=(?:[0-9@$!|]*[a-z]){2})[a-z0-9@$!|]+")
_SHORT_MIXED_WORD: Final = re.compile(r"(?<!\w)(?:4|[a-z][0134]|[0134][a-z])(?!\w)")  # words only where longer ones are mixed too
_LETTERS_APART: Final = re.compile(r"(?<!\w)\w(?:[ ._*|·-]{1,4}\w(?!\w)){5,}")
_WORD_GAP: Final = re.compile(r"[ ._*|·-]{2,}")
_BASE64: Final = re.compile(r"(?<![\w+/])[A-Za-z0-9+/]{20,4000}={0,2}(?![\w+/])")
_GIVE: Final = re.compile(r"(?<!\w)[dD](?:[êÊéÉèÈ]|e\u0302|[áÁ])(?!\w)")
_CUT: Final = re.compile(r"(?<=[a-z])-\s?(?=[a-z])")
_FEWEST_CUTS: Final = 3
_WORD: Final = re.compile(r"[a-z]{4,}")
_FEWEST_MARKS: Final = 2  # of them, and a text says something when it is read another way
_LEAST_READABLE: Final = 0.95


@dataclass(frozen=True, slots=True)
class Plain:
    """A text undressed. `positions`: where each of its characters stood in the original, None where they are the same.

    `joined`: the blanks between its words may be missing.
    """

    text: str
    positions: tuple[int, ...] | None = None
    joined: bool = False

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The span in the original of a span in this text that is not empty."""
        if self.positions is None:
            return start, end
        first, last = self.positions[start], self.positions[end - 1]
        return min(first, last), max(first, last) + 1  # a text turned around runs from its end


class Undresser:
    """Undresses texts; `lookalikes` says which letters are taken for which, `marks` the words by which a text turned around is known."""

    def __init__(self, lookalikes: Mapping[str, str], marks: Collection[str] = ()) -> None:
        self._table = Tabela(partial(_undressed, lookalikes))
        self._backwards = frozenset(mark[::-1] for mark in marks)
        self._rotated = frozenset(codecs.encode(mark, "rot13") for mark in marks)

    def undress(self, text: str) -> Iterator[Plain]:
        """The text in plain letters, then again as it reads another way: digits for letters, letters apart, words cut or turned."""
        plain = self._plain(text)
        yield plain
        leet = _MIXED_WORD.sub(lambda match: match.group().translate(_LEET), plain.text)
        if leet != plain.text:
            yield Plain(_SHORT_MIXED_WORD.sub(lambda match: match.group().translate(_LEET), leet), plain.positions)
        for match in _LETTERS_APART.finditer(plain.text):
            yield _joined(plain, match)
        yield from self._read_another_way(plain)

    def _read_another_way(self, plain: Plain) -> Iterator[Plain]:
        if len(_CUT.findall(plain.text)) >= _FEWEST_CUTS:
            yield _mended(plain)
        words = set(_WORD.findall(plain.text))
        if len(words & self._backwards) >= _FEWEST_MARKS:
            yield Plain(plain.text[::-1], tuple(reversed(plain.positions or range(len(plain.text)))))
        if len(words & self._rotated) >= _FEWEST_MARKS:
            yield Plain(codecs.encode(plain.text, "rot13"), plain.positions)

    def _plain(self, text: str) -> Plain:
        plain, positions = self._table.read(text)
        for match in _GIVE.finditer(text):  # «dê» and «dá» ask; «de» and «da» do not
            start = match.start() if positions is None else positions.index(match.start())
            sign = "á" if match.group()[-1] in "áÁ" else "ê"
            plain = f"{plain[: start + 1]}{sign}{plain[start + 2 :]}"
        return Plain(plain, positions)


def decoded(text: str) -> Iterator[tuple[str, tuple[int, int]]]:
    """What stretches of a text say that are text in Base64, and where they stand."""
    for match in _BASE64.finditer(text):
        packed = match.group().rstrip("=")
        try:
            said = base64.b64decode(packed + "=" * (-len(packed) % 4), validate=True).decode("utf-8")
        except (binascii.Error, UnicodeDecodeError):
            continue
        if sum(char.isprintable() or char.isspace() for char in said) >= _LEAST_READABLE * len(said):
            yield split_unseen(said)[0], match.span()


def _undressed(lookalikes: Mapping[str, str], char: str) -> str:
    match kind_of(char):
        case "nada" | "metade":
            return ""
        case "branco" | "quebra":
            return " "
        case _:
            base = without_accents(char).lower()
            return "".join(lookalikes.get(part, part) for part in base) if base.strip(" _") else " "


def _joined(plain: Plain, match: re.Match[str]) -> Plain:
    """A stretch of letters set apart, put together: wider gaps part words, where there are any."""
    letters, positions = [], []
    for index in range(match.start(), match.end()):
        char = plain.text[index]
        if char.isalnum():
            letters.append(char)
            positions.append(index if plain.positions is None else plain.positions[index])
        elif letters[-1] != " " and _WORD_GAP.match(plain.text, index):
            letters.append(" ")
            positions.append(index if plain.positions is None else plain.positions[index])
    return Plain("".join(letters), tuple(positions), joined=True)


def _mended(plain: Plain) -> Plain:
    """The text with the words put together that hyphens cut."""
    cut = {index for match in _CUT.finditer(plain.text) for index in range(*match.span())}
    kept = [index for index in range(len(plain.text)) if index not in cut]
    positions = plain.positions or range(len(plain.text))
    return Plain("".join(plain.text[index] for index in kept), tuple(positions[index] for index in kept))
