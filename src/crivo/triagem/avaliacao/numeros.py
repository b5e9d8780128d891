"""The numbers that a Portuguese text states, in figures and in words."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from importlib.resources import files
from typing import Final

from crivo.kernel.linguagem.dobra import fold

_VALUES: Final[Mapping[str, int]] = json.loads(files("crivo.triagem.avaliacao").joinpath("numeros.json").read_bytes())
_ARTICLES: Final = frozenset({"um", "uma"})  # more often "a" than "one"
_FIGURE: Final = re.compile(r"\d+(?:\.\d{3})+(?:,\d+)?|\d+(?:[.,]\d+)?")
_TOKEN: Final = re.compile(rf"(?P<figure>{_FIGURE.pattern})|(?P<word>[a-z]+)|(?P<stop>[^\sa-z\d])")


def numbers_in(texto: str, *, first: bool = False) -> tuple[Decimal, ...]:
    """The numbers, normalised, in order; with `first`, only one that the text begins with. `um` and `uma` alone are no number."""
    found = _numbers(fold(texto), first)
    return tuple(number.normalize() for number in found)


def _numbers(plain: str, first: bool) -> Iterator[Decimal]:
    spoken: list[str] = []
    for match in _TOKEN.finditer(plain):
        word = match["word"]
        if word in _VALUES or (spoken and word in ("e", "mil")) or word == "mil":
            spoken.append(word)
            continue
        yield from _value(spoken)
        if first and spoken:
            return
        spoken = []
        if match["figure"]:
            yield _figure(match["figure"])
        if first:
            return
    yield from _value(spoken)


def _value(words: list[str]) -> Iterator[Decimal]:
    """What a run of number words adds up to; `e` joins, and a word that cannot follow begins a new number."""
    spoken = [word for word in words if word != "e"]
    if not spoken or (len(spoken) == 1 and spoken[0] in _ARTICLES):
        return
    total = current = 0
    least = 1000
    for word in spoken:
        if word == "mil":
            total, current, least = total + max(1, current) * 1000, 0, 1000
            continue
        value = _VALUES[word]
        if value >= least:
            yield Decimal(total + current)
            total = current = 0
        current += value
        least = 100 if value >= 100 else 10 if value >= 20 else 1
    yield Decimal(total + current)


def _figure(written: str) -> Decimal:
    if "," in written:
        return Decimal(written.replace(".", "").replace(",", "."))
    return Decimal(written.replace(".", "") if re.fullmatch(r"\d+(?:\.\d{3})+", written) else written)
