"""Doctors named in a sentence: by any part of the name, with typos, against the directory of who works where."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from typing import Final

import msgspec
from rapidfuzz.distance import OSA

from crivo.clinicas.orquestrador.entende.frase import Frase, Palavra
from crivo.clinicas.orquestrador.entende.lexico import intention, people_words, vocabulary
from crivo.kernel.linguagem.fala import fold
from crivo.kernel.linguagem.nomes import PARTICLES

TITLES: Final = frozenset({"dr", "dra", "medico", "medica", "prof"})
_WRITTEN_OUT: Final = frozenset({"doctor", "doctora", "doutor", "doutora"})
_BEFORE_A_NAME: Final = frozenset(
    {"com", "o", "a", "do", "da", "pelo", "pela", "with", "con", "el", "la", "no", "na", "ao", "ou", "e", "menos", "nem", "or"}
)
_SHORTEST_WITH_TYPOS: Final = 4
_LONG_NAME: Final = 7
_NO_NAMES: Final = frozenset(
    {
        "que",
        "dia",
        "as",
        "hoje",
        "amanha",
        "da",
        "do",
        "de",
        "dos",
        "das",
        "no",
        "na",
        "e",
        "ou",
        "mais",
        "com",
        "para",
        "a",
        "o",
        "por",
        "favor",
        "em",
        "ele",
        "ela",
        "on",
        "at",
        "the",
        "is",
        "has",
        "tem",
        "atende",
    }
)


class Nomeado(msgspec.Struct, frozen=True):
    """A doctor named in a sentence: every full name that it may be, none where nobody is known by it."""

    start: int
    end: int
    names: tuple[str, ...]


def name_parts(name: str) -> tuple[str, ...]:
    """The parts of a name by which somebody may be called, folded and without title."""
    parts = fold(name).replace(".", " ").split()
    return tuple(part for part in parts if part not in TITLES and part not in PARTICLES)


def find_doctors(sentence: Frase, directory: Mapping[str, tuple[str, ...]]) -> list[Nomeado]:
    """The doctors named in a sentence, in the order written."""
    return list(_found(sentence, tuple(directory)))


@lru_cache(maxsize=64)
def _found(sentence: Frase, directory: tuple[str, ...]) -> tuple[Nomeado, ...]:
    """The same, looked for once however often a turn asks for it."""
    known = {name: name_parts(name) for name in directory}
    found: list[Nomeado] = []
    index = 0
    while index < len(sentence.words):
        named, index = _named_at(sentence.words, index, known)
        if named:
            found.append(named)
    return tuple(found)


def _named_at(words: tuple[Palavra, ...], index: int, known: Mapping[str, tuple[str, ...]]) -> tuple[Nomeado | None, int]:
    """The doctor named from a word on, if any, and the word to go on from."""
    titled = words[index].text in {"dr", "dra"}
    first = index + 1 if titled else index
    introduced = titled or (index > 0 and words[index - 1].text in _BEFORE_A_NAME)
    if not introduced and words[first].text in people_words("palavras_tambem") and (first == 0 or not words[first].is_capital):
        return None, index + 1
    scores, end = _scores(words, first, known, introduced=introduced)
    if scores:
        best = max(scores.values())
        names = tuple(name for name, score in scores.items() if score == best)
        if titled and _has_other_surname(words, end):
            return Nomeado(words[index].start, words[end].end, ()), end + 1
        return Nomeado(words[index].start, words[end - 1].end, _of_title(names, words[index].text)), end
    if titled and first < len(words) and _may_be_name(words[index], words[first]):
        return Nomeado(words[index].start, words[first].end, ()), first + 1
    return None, index + 1


def _has_other_surname(words: tuple[Palavra, ...], end: int) -> bool:
    """Whether a known name goes on with a surname that none of its doctors has: somebody else is meant."""
    if end >= len(words) or words[end].start != words[end - 1].end + 1:
        return False
    word = words[end]
    return word.is_capital and words[end - 1].is_capital and len(word.text) >= _SHORTEST_WITH_TYPOS and word.text not in vocabulary()


def _may_be_name(title: Palavra, word: Palavra) -> bool:
    """Whether the word after a title can be a name that nobody is known by.

    After the title written out (`a heart doctor`, `o doutor podia me ver`) only a capital or a given name tells.
    """
    if not word.text.isalpha() or word.text in _NO_NAMES or word.start > title.end + len(". "):
        return False
    if word.is_capital or word.text in people_words("prenomes"):
        return True
    return title.original.lower() not in _WRITTEN_OUT and word.text not in vocabulary()


def _of_title(names: tuple[str, ...], title: str) -> tuple[str, ...]:
    """Where a name may be several doctors, those of the title that was said."""
    if title not in {"dr", "dra"}:
        return names
    return tuple(name for name in names if fold(name).split()[0].rstrip(".") == title) or names


def _scores(
    words: tuple[Palavra, ...], first: int, known: Mapping[str, tuple[str, ...]], *, introduced: bool
) -> tuple[dict[str, float], int]:
    """How many parts of each doctor's name follow, exact ones counting more, and where the name ends."""
    scores: dict[str, float] = {}
    end = first
    for word in words[first:]:
        if word.text in PARTICLES and end > first:
            end += 1
            continue
        points = dict(_points(word, known, loose=introduced or end > first))
        agreeing = {name: scores.get(name, 0) + point for name, point in points.items() if not scores or name in scores}
        if not agreeing:
            break
        scores, end = agreeing, end + 1
    while end > first and words[end - 1].text in PARTICLES:
        end -= 1
    return scores, end


def _points(word: Palavra, known: Mapping[str, tuple[str, ...]], *, loose: bool) -> Iterator[tuple[str, float]]:
    exact = [name for name, parts in known.items() if word.text in parts]
    if exact:
        yield from ((name, 1.0) for name in exact)
        return
    if len(word.text) < _SHORTEST_WITH_TYPOS or not word.text.isalpha() or word.text in vocabulary() or _is_of_an_act(word.text):
        return
    if word.text in people_words("prenomes") and not loose:
        return
    most = 2 if len(word.text) >= _LONG_NAME else 1
    if not loose and len(word.text) < _LONG_NAME - 1:
        return
    distances = {
        name: min((OSA.distance(word.text, part, score_cutoff=most) for part in parts if _alike(word.text, part)), default=most + 1)
        for name, parts in known.items()
    }
    nearest = min(distances.values(), default=most + 1)
    if word.text in people_words("prenomes") and nearest > 1:
        return  # another name of its own, and no misspelling
    if nearest <= most and not (word.text in people_words("prenomes") and nearest > 0 and word.is_capital and len(word.text) < _LONG_NAME):
        yield from ((name, 1.0 - nearest / 10) for name, distance in distances.items() if distance == nearest)


@cache
def _is_of_an_act(word: str) -> bool:
    """Whether a word is the verb of a booking in any of its forms, and no misspelt name: `marcado` beside a Dr. Machado."""
    return any(intention(name).fullmatch(word) for name in ("marcar", "cancelar", "mudar", "perguntar"))


def _alike(word: str, part: str) -> bool:
    return len(part) >= _SHORTEST_WITH_TYPOS and (word[0] in part[:2] or part[0] in word[:2] or word[1:3] == part[1:3])
