"""Texts with their quotes marked: where a quote stands in a page, and what two passages have in common."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Final

_WORDS: Final = re.compile(r"\s+|[^\s]+")
_FEWEST_ALIKE: Final = 3  # words in a row; two texts in one language share shorter ones by chance
_LONGEST_ALIGNED: Final = 1_200  # words; what is longer is shown as it is


@dataclass(frozen=True, slots=True)
class Marca:
    """A quote to be found in a text, and what it is evidence of."""

    trecho: str
    sobre: str


@dataclass(frozen=True, slots=True)
class Pedaco:
    """A piece of a text; `sobre` says what it is evidence of, and is empty where it is of nothing."""

    texto: str
    sobre: str = ""


Segmento = tuple[str, str]
"""A piece of a passage, and `igual` where the other passage has it too."""


def mark(texto: str, marcas: Sequence[Marca]) -> tuple[Pedaco, ...]:
    """The text in pieces, each quote that stands in it marked where it first does; blanks and case are of no account."""
    spans: list[tuple[int, int, list[str]]] = []
    for marca in marcas:
        found = _find(texto, marca.trecho)
        if found is None:
            continue
        start, end = found
        clash = next((span for span in spans if span[0] < end and start < span[1]), None)
        if clash is None:
            spans.append((start, end, [marca.sobre]))
        else:
            spans[spans.index(clash)] = (min(start, clash[0]), max(end, clash[1]), [*clash[2], marca.sobre])
    return tuple(_cut(texto, _merged(sorted(spans))))


def align(one: str, other: str) -> tuple[tuple[Segmento, ...], tuple[Segmento, ...]]:
    """Two passages word by word, with what both have marked."""
    a, b = _WORDS.findall(one), _WORDS.findall(other)
    if max(len(a), len(b)) > 2 * _LONGEST_ALIGNED:
        return ((one, ""),), ((other, ""),)
    matcher = SequenceMatcher(None, [word.casefold() for word in a], [word.casefold() for word in b], autojunk=False)
    left: list[Segmento] = []
    right: list[Segmento] = []
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        together = sum(not word.isspace() for word in a[i1:i2])
        said = "igual" if tag == "equal" and (together >= _FEWEST_ALIKE or i2 - i1 == len(a) == len(b)) else ""
        left.append(("".join(a[i1:i2]), said))
        right.append(("".join(b[j1:j2]), said))
    return tuple([one for one in left if one[0]]), tuple([one for one in right if one[0]])


def differ(one: str, other: str) -> tuple[tuple[Segmento, ...], tuple[Segmento, ...], int]:
    """Two sentences with the words that only one of them has marked `saiu` and `entrou`, and how many such words there are at the most."""
    a, b = one.split(), other.split()
    matcher = SequenceMatcher(None, [_bare(word) for word in a], [_bare(word) for word in b], autojunk=False)
    left: list[Segmento] = []
    right: list[Segmento] = []
    many = 0
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        same = tag == "equal"
        many += 0 if same else max(i2 - i1, j2 - j1)
        left += [(" ".join(a[i1:i2]), "" if same else "saiu"), (" ", "")] if i1 < i2 else []
        right += [(" ".join(b[j1:j2]), "" if same else "entrou"), (" ", "")] if j1 < j2 else []
    return tuple(left[:-1]), tuple(right[:-1]), many


def _bare(word: str) -> str:
    return word.casefold().strip(".,;:!?()\"'“”«»")


def _find(texto: str, trecho: str) -> tuple[int, int] | None:
    words = trecho.split()
    if not words:
        return None
    found = re.search(r"\s+".join(re.escape(word) for word in words), texto, re.IGNORECASE)
    return None if found is None else found.span()


def _merged(spans: Sequence[tuple[int, int, list[str]]]) -> list[tuple[int, int, list[str]]]:
    merged: list[tuple[int, int, list[str]]] = []
    for start, end, sobre in spans:
        if merged and start < merged[-1][1]:
            before = merged[-1]
            merged[-1] = (before[0], max(end, before[1]), [*before[2], *sobre])
        else:
            merged.append((start, end, sobre))
    return merged


def _cut(texto: str, spans: Sequence[tuple[int, int, list[str]]]) -> list[Pedaco]:
    pieces, at = [], 0
    for start, end, sobre in spans:
        pieces.append(Pedaco(texto[at:start]))
        pieces.append(Pedaco(texto[start:end], " · ".join(dict.fromkeys(sobre))))
        at = end
    pieces.append(Pedaco(texto[at:]))
    return [one for one in pieces if one.texto]
