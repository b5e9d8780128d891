"""A text cut into sentences and clauses, and the sentence around a place."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Final

Span = tuple[int, int]

_ABBREVIATED: Final = ("dr", "dra", "sr", "sra", "prof", "profa", "av", "art", "arts", "inc", "n", "nº", "no", "fl", "fls", "pag", "cap")
_NO_ABBREVIATION: Final = "".join(rf"(?<!\b{word}\.)" for word in _ABBREVIATED)
_CLAUSE: Final = re.compile(r"[,;:(]|\s[-–—]\s|\b(?:mas|porem|entretanto|contudo|todavia|embora|enquanto|but|however|pero|aunque)\b")


def cut(text: str, ends: re.Pattern[str], start: int = 0, end: int | None = None) -> Iterator[Span]:
    """Where the stretches between what `ends` matches stand, those of blanks alone left out."""
    left, last = start, len(text) if end is None else end
    for match in ends.finditer(text, start, last):
        if text[left : match.start()].strip():
            yield left, match.start()
        left = match.end()
    if text[left:last].strip():
        yield left, last


def find_sentences(text: str, *, semicolons: bool = True, lines: bool = False) -> tuple[Span, ...]:
    """Where each sentence of a text stands, its closing mark with it; a blank line and an item of a list begin another.

    `art. 5º` and `Dr. Davi` go on. A semicolon ends a sentence where `semicolons`, and each line where `lines`.
    """
    return tuple(cut(text, _gap(semicolons=semicolons, lines=lines)))


def find_clauses(folded: str, start: int = 0, end: int | None = None) -> tuple[Span, ...]:
    """Where each clause of a folded sentence stands."""
    return tuple(cut(folded, _CLAUSE, start, end))


def sentence_around(text: str, start: int, end: int, reach: int, *, semicolons: bool = True) -> Span:
    """The sentence around a place without its closing mark, at most `reach` characters to either side; blanks need not be plain."""
    stop, low, high = _stop(semicolons=semicolons), max(0, start - reach), min(len(text), end + reach)
    begin = max((found.end() for found in stop.finditer(text, low, start)), default=low)
    closing = stop.search(text, end, high)
    return begin, closing.start() if closing else high


@cache
def _gap(*, semicolons: bool, lines: bool) -> re.Pattern[str]:
    marks = r".!?…;" if semicolons else r".!?…"
    line = r"|\n+" if lines else ""
    return re.compile(rf"(?<=[{marks}]){_NO_ABBREVIATION}[\"'”’)\]]*\s+|\n\s*\n|\n\s*(?=[•\-–*\d]){line}", re.IGNORECASE)


@cache
def _stop(*, semicolons: bool) -> re.Pattern[str]:
    return re.compile(rf"[.!?{';' if semicolons else ''}](?:\s|$)")
