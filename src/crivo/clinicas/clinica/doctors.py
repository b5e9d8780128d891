"""Which doctor is meant: case, accents and titles do not matter, and a part of the name is enough."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Final

from crivo.kernel.linguagem.dobra import fold

_TITLES: Final = frozenset({"dr", "dra", "doutor", "doutora"})
_WORD: Final = re.compile(r"[a-z0-9]+")
_SHORTEST_PREFIX: Final = 3

Words = tuple[str, ...]


def words_of(text: str) -> Words:
    """The folded words of a text."""
    return tuple(_WORD.findall(fold(text)))


def find_doctors(spoken: str, doctors: Iterable[str]) -> tuple[str, ...]:
    """The doctors that a spoken name may mean, by the closest reading that any of them fits.

    The readings, closest first: the whole name; some of its words, in order; the beginnings of some of its words, of at least
    three letters. Exactly one name is an answer, several are a question, none is nobody.
    """
    said = _name(spoken)
    if not said:
        return ()
    names = [(doctor, _name(doctor)) for doctor in doctors]
    for fits in _READINGS:
        if found := tuple(doctor for doctor, name in names if fits(said, name)):
            return found
    return ()


def _name(text: str) -> Words:
    return tuple(word for word in words_of(text) if word not in _TITLES)


def _whole(said: Words, name: Words) -> bool:
    return said == name


def _some_words(said: Words, name: Words) -> bool:
    left = iter(name)
    return all(word in left for word in said)


def _beginnings(said: Words, name: Words) -> bool:
    left = iter(name)
    return all(len(word) >= _SHORTEST_PREFIX and any(whole.startswith(word) for whole in left) for word in said)


_READINGS: Final[tuple[Callable[[Words, Words], bool], ...]] = (_whole, _some_words, _beginnings)
