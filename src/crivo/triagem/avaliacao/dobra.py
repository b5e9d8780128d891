"""Text folded so that a passage is found in it letter by letter: blanks, case and typographic signs are plain, and places are kept."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from crivo.kernel.linguagem.dobra import Tabela, composed

_SIGNS: Final = {ord(one): to for signs, to in (("“”„‟«»", '"'), ("‘’‚‛`´", "'"), ("‐‑‒–—−", "-"), ("×✕", "x")) for one in signs} | {
    ord("…"): "..."
}
_GAP: Final = re.compile(r"(?P<broken>[-\u2010][ \t]*\r?\n\s*(?=[a-zà-ÿ]))|\s+")


@dataclass(frozen=True, slots=True)
class Dobrado:
    """A text folded, and where each of its characters stood."""

    texto: str
    lugares: Sequence[int]

    def find(self, folded: str) -> tuple[int, int] | None:
        """Where a folded passage first stands in the original, as a span."""
        at = self.texto.find(folded) if folded else -1
        return None if at < 0 else (self.lugares[at], self.lugares[at + len(folded) - 1] + 1)


def fold_quote(texto: str) -> Dobrado:
    """The text in lower case, runs of blanks one space, typographic quotes, dashes and × plain, words broken at a line's end joined."""
    folded: list[str] = []
    places = array("I")
    for start, end, blank in _runs(texto):
        if start < end:
            run = texto[start:end].translate(_LETTERS)
            folded.append(run)
            if len(run) == end - start:  # no letter became two, as each gives one at least
                places.extend(range(start, end))
            else:
                places.extend(at for at in range(start, end) for _ in _LETTERS[ord(texto[at])])
        if blank and folded:
            folded.append(" ")
            places.append(end)
    if folded and folded[-1] == " ":
        folded.pop()
        places.pop()
    return Dobrado("".join(folded), places)


def _runs(texto: str) -> Iterator[tuple[int, int, bool]]:
    """The runs without blanks, by their span, and whether a blank follows; a word broken at the end of a line is two without one."""
    start = 0
    for gap in _GAP.finditer(texto):
        low, high = gap.span()
        broken = gap["broken"] is not None
        if broken and not texto[max(0, low - 1) : low].isalpha():  # a dash, and then a blank
            broken, low = False, low + 1
        yield start, low, not broken
        start = high
    yield start, len(texto), False


_LETTERS: Final = Tabela(lambda char: composed(char.translate(_SIGNS)).casefold())
