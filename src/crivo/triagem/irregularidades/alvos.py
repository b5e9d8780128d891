"""Whether a passage is about grading at all: who grades, the nota, the result, the project, what the grader was told.

An order to whoever grades is one only where it speaks to, or of, one of these; without them a passage is merely unlike what was learned
from, and unknown is not suspect. The words are data (`instrucoes_alvos.json`). Source: design, Hidden or instructing text.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from typing import Final

from crivo.kernel.linguagem.lexico import read_lexico
from crivo.triagem.edital import Value

_KINDS: Final = 20_000  # words kept known; a call for projects has fewer

_FEWEST_CUT: Final = 6  # pieces of words cut into syllables
_SYLLABLE: Final = 3  # letters, on the average
_LONGER: Final = 5  # letters of a word that is looked for within others


class _Alvos(Value, frozen=True):
    sobre: str
    fortes: Mapping[str, tuple[str, ...]]
    fracos: Mapping[str, tuple[str, ...]]
    pares: tuple[tuple[str, str], ...]


def has_alvo(words: Sequence[str]) -> bool:
    """Whether these words, in plain letters, name what an order to whoever grades is about; words cut into syllables are read whole too."""
    return _names_one(frozenset[str]().union(*map(groups_of, words))) or (_are_cut(words) and _names_one(_groups_within("".join(words))))


@lru_cache(maxsize=_KINDS)
def groups_of(word: str) -> frozenset[str]:
    """The groups of such words that a word in plain letters is one of."""
    exact, beginnings, lengths = _forms()
    return exact.get(word, frozenset()).union(*(beginnings.get(word[:length], ()) for length in lengths))


def _names_one(groups: frozenset[str]) -> bool:
    alvos = _alvos()
    return not groups.isdisjoint(alvos.fortes) or any(one in groups and other in groups for one, other in alvos.pares)


def _are_cut(words: Sequence[str]) -> bool:
    return len(words) >= _FEWEST_CUT and sum(map(len, words)) <= _SYLLABLE * len(words)


def _groups_within(letters: str) -> frozenset[str]:
    """The groups of the longer words that these letters hold, wherever they stand."""
    return frozenset[str]().union(*(groups for form, groups in _longer_forms() if form in letters))


@cache
def _longer_forms() -> Sequence[tuple[str, frozenset[str]]]:
    found: dict[str, set[str]] = {}
    for group, forms in _groups().items():
        for form in forms:
            found.setdefault(form.removesuffix("*"), set()).add(group)
    return tuple((form, groups) for form, groups in _fixed(found).items() if len(form) >= _LONGER)


@cache
def _forms() -> tuple[Mapping[str, frozenset[str]], Mapping[str, frozenset[str]], Sequence[int]]:
    """The groups by whole words, those by the beginnings of words, and the lengths that these have."""
    exact: dict[str, set[str]] = {}
    beginnings: dict[str, set[str]] = {}
    for group, forms in _groups().items():
        for form in forms:
            (beginnings if form.endswith("*") else exact).setdefault(form.removesuffix("*"), set()).add(group)
    return _fixed(exact), _fixed(beginnings), sorted({len(beginning) for beginning in beginnings})


def _fixed(found: Mapping[str, set[str]]) -> Mapping[str, frozenset[str]]:
    return {form: frozenset(groups) for form, groups in found.items()}


@cache
def _groups() -> Mapping[str, tuple[str, ...]]:
    return {**_alvos().fortes, **_alvos().fracos}


@cache
def _alvos() -> _Alvos:
    return read_lexico(__package__, "instrucoes_alvos", _Alvos)
