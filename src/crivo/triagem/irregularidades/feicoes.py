"""What a passage looks like to the weights of `instrucoes_pesos.json`: stems and pieces of words, the roles that words play, and
what of grading they name.

Roles are data (`instrucoes_papeis.json`), and so is what is named (`instrucoes_alvos.json`). Source: design, Hidden or instructing text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import combinations, pairwise
from typing import Final

from crivo.kernel.linguagem.lexico import read_lexico
from crivo.triagem.irregularidades.alvos import groups_of

WORD: Final = re.compile(r"[^\W_]+|[\[\]{}<>|#=/*]+|[:\"?“”«»]")
_STEM: Final = 6  # letters
_PIECE: Final = 5  # letters, the blanks around a word counted
_REACH: Final = 3  # words after a «não» that it speaks of
_KINDS: Final = 20_000  # words kept known; a call for projects has fewer
_TEN: Final = frozenset({"10", "100"})
_DILUTION: Final = -0.25  # between none, where long passages add up to much whatever they say, and unit length


@dataclass(frozen=True, slots=True)
class _Word:
    """A word in plain letters: its stem, the roles it can play, what of grading it names, and what it gives to a passage by itself."""

    stem: str
    roles: tuple[str, ...]
    groups: tuple[str, ...]
    alone: tuple[str, ...]


def roles_in(words: Sequence[str]) -> set[str]:
    """The roles that these words, in plain letters, can play."""
    return {role for word in words for role in _known(word).roles}


def features(words: Sequence[str]) -> set[str]:
    """All that can bear a weight in a passage of these words, which are in plain letters; there is at least one."""
    known = [_known(word) for word in words]
    found = {feature for word in known for feature in word.alone}
    found.update(f"{one.stem} {other.stem}" for one, other in pairwise(known))
    found.add(f"^{known[0].stem}")
    found.update(f"^={role}" for role in known[0].roles)
    found.update(f"={one}+{other}" for one, other in combinations(sorted(roles_in(words)), 2))
    found.update(_in_order([word.roles for word in known]))
    found.update(f"@{one}+{other}" for one, other in combinations(sorted({group for word in known for group in word.groups}), 2))
    return found


def diluted(total: int) -> float:
    """What each feature counts for among so many: those that were never learned weigh nothing, and take from the others."""
    return float(total**_DILUTION)


def bears_out(feature: str, stems: frozenset[str]) -> bool:
    """Whether a feature can speak for an order: it is a role, names something of grading, or has the stem of a word with a role (`stems`).

    All others can only speak against one.
    """
    if feature.startswith("~"):
        return False
    bare = feature.removeprefix("^")
    if " " not in bare and (bare[:1] in "=!@" or ">" in bare):
        return True
    return any(stem in stems for stem in bare.split())


def stems_with_roles(words: Iterable[str]) -> frozenset[str]:
    """The stems of those among these words, in plain letters, that can play a role."""
    return frozenset(known.stem for known in map(_known, words) if known.roles)


def _in_order(roles: Sequence[tuple[str, ...]]) -> set[str]:
    """Roles that follow one another, whatever stands between them, and those of what is denied."""
    playing = [word_roles for word_roles in roles if word_roles]
    found = {f"{first}>{second}" for one, other in pairwise(playing) for first in one for second in other}
    for at, word_roles in enumerate(roles):
        if "nao" in word_roles:
            found.update(f"!{role}" for other in roles[at + 1 : at + 1 + _REACH] for role in other)
    return found


@lru_cache(maxsize=_KINDS)
def _known(word: str) -> _Word:
    stem = "0" if word.isdigit() and word not in _TEN else word[:_STEM]
    roles = _roles_of(word)
    padded = f" {word} "
    pieces = (f"~{padded[at : at + _PIECE]}" for at in range(len(padded) - _PIECE + 1))
    groups = tuple(sorted(groups_of(word)))
    alone = (stem, *(f"={role}" for role in roles), *(f"@{group}" for group in groups), *pieces)
    return _Word(stem, roles, groups, tuple(dict.fromkeys(alone)))


def _roles_of(word: str) -> tuple[str, ...]:
    exact, prefixes, lengths = _roles()
    found = set(exact.get(word, ()))
    for length in lengths:
        found.update(prefixes.get(word[:length], ()))
    return tuple(sorted(found))


@cache
def _roles() -> tuple[Mapping[str, set[str]], Mapping[str, set[str]], Sequence[int]]:
    """The roles of whole words, those of the beginnings of words, and the lengths that these have."""
    exact: dict[str, set[str]] = {}
    prefixes: dict[str, set[str]] = {}
    papeis = read_lexico(__package__, "instrucoes_papeis", dict[str, list[str]])
    for papel, forms in papeis.items():
        for form in forms:
            (prefixes if form.endswith("*") else exact).setdefault(form.removesuffix("*"), set()).add(papel)
    return exact, prefixes, sorted({len(prefix) for prefix in prefixes})
