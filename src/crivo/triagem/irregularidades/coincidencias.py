"""Which texts say what others say, sentence by sentence, strip by strip: what is held at a time depends on the strip alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from crivo.triagem.embeddings.ngramas import Esparsa
from crivo.triagem.embeddings.port import Matriz
from crivo.triagem.irregularidades.acervo import Acervo, Numeros
from crivo.triagem.irregularidades.paridades import Cossenos

FRASE_IGUAL: Final = 0.45  # cosine from which two sentences say the same in the same words
REUSO: Final = 0.30  # share from which reuse is flagged
REUSO_PROPRIO: Final = 0.90  # between projects of one proponente, whose series are honestly alike
_LEAST_WORDS: Final = 20
_CANDIDATE: Final = 0.33  # cosine in 256 dimensions, two deviations below `FRASE_IGUAL`
_CROWD: Final = 64  # candidates of one wording in one tile, the nearest: more are variants of a form
_ROWS: Final = 512
_TALLEST: Final = 2048  # rows of a tile; a strip is seldom more
_COLUMNS: Final = 4096
_OTHERS: Final = 20  # other projects that one project is told with


@dataclass(frozen=True, slots=True)
class Reuse:
    """What a text shares with another project: the share of its words, and the sentences of both, with their likeness."""

    projeto: int
    outro: int
    parte: float
    trechos: tuple[tuple[int, int, float], ...]


class _Occurrences(NamedTuple):
    """Where each wording stands: `times[w]` places in `order` from `start[w]` on."""

    order: NDArray[np.intp]
    start: NDArray[np.intp]
    times: NDArray[np.intp]

    @classmethod
    def of(cls, wording_of: NDArray[np.signedinteger], total: int) -> _Occurrences:
        times = np.bincount(wording_of, minlength=total)
        return cls(np.argsort(wording_of, kind="stable"), np.cumsum(times) - times, times)


class _Matches(NamedTuple):
    """Sentences, those of other projects that say the same, and how alike they are; of another project's only the nearest."""

    frase: NDArray[np.intp]
    outra: NDArray[np.intp]
    cosseno: Cossenos


class _Runs(NamedTuple):
    """Sentences that match, brought in `order` by text and other project, each such two from `start` to `end`, and what they come to."""

    order: NDArray[np.intp]
    start: NDArray[np.intp]
    end: NDArray[np.intp]
    projeto: Numeros
    outro: Numeros
    parte: NDArray[np.float64]
    is_enough: NDArray[np.bool_]


class _Medida:
    """How much of a text its matching sentences are, and whether that is enough to be told."""

    def __init__(self, acervo: Acervo, grupos: Numeros) -> None:
        self._acervo = acervo
        self._grupos = grupos
        self._words = np.array([frase.palavras for frase in acervo.frases], np.int64)
        self._words_of_text = np.bincount(acervo.texto_de, self._words).astype(np.int64)

    def runs(self, frase: NDArray[np.intp], outra: NDArray[np.intp]) -> _Runs:
        """The matches by text and other project; a sentence with several in one project counts once."""
        text, other = self._acervo.texto_de[frase], self._acervo.projeto_de[outra]
        order = np.lexsort((frase, other, text))
        text, other, frase = text[order], other[order], frase[order]
        begins = np.ones(len(frase), np.bool_)
        begins[1:] = (np.diff(text) != 0) | (np.diff(other) != 0)
        start = np.flatnonzero(begins)
        begins[1:] |= np.diff(frase) != 0
        shared = np.add.reduceat(self._words[frase] * begins, start) if len(start) else np.empty(0, np.int64)
        parte = shared / self._words_of_text[text[start]]
        projeto, outro = self._acervo.projeto_de[frase[start]], other[start]
        needed = np.where(self._grupos[projeto] == self._grupos[outro], REUSO_PROPRIO, REUSO)
        is_enough = (parte >= needed) & (shared >= _LEAST_WORDS)
        return _Runs(order, start, np.append(start[1:], len(frase)).astype(np.intp), projeto, outro, parte, is_enough)

    def enough(self, frase: NDArray[np.intp], outra: NDArray[np.intp]) -> NDArray[np.intp]:
        """Which of the matches belong to a text and another project that have enough in common."""
        runs = self.runs(frase, outra)
        return runs.order[np.repeat(runs.is_enough, runs.end - runs.start)]


def reuses(acervo: Acervo, grupos: Numeros, total: int) -> Iterator[Reuse]:
    """The texts of which at least 30% stands in one other project (90% in one of the same proponente), by project, the largest share first.

    `grupos` numbers the proponente of each project; the first `total` projects are the edital's, and only theirs are looked into.
    """
    medida = _Medida(acervo, grupos)
    where, sole = _Occurrences.of(acervo.unica_de, len(acervo.palavras)), _sole_projects(acervo)
    for strip in _strips(np.flatnonzero(acervo.projeto_de < total), acervo.projeto_de):
        matches = _matches(acervo, strip, where, sole, medida)
        found = sorted(_above(matches, medida), key=lambda reuse: (reuse.projeto, -reuse.parte, reuse.outro))
        seen: Counter[int] = Counter()
        for reuse in found:
            seen[reuse.projeto] += 1
            if seen[reuse.projeto] <= _OTHERS:
                yield reuse


def _strips(frases: NDArray[np.intp], projeto_de: Numeros) -> Iterator[NDArray[np.intp]]:
    """The sentences in runs of about 512, no project cut in two."""
    start = 0
    while start < len(frases):
        end = min(start + _ROWS, len(frases))
        while end < len(frases) and projeto_de[frases[end]] == projeto_de[frases[end - 1]]:
            end += 1
        yield frases[start:end]
        start = end


def _matches(acervo: Acervo, strip: NDArray[np.intp], where: _Occurrences, sole: Numeros, medida: _Medida) -> _Matches:
    """For each sentence of the strip, the nearest of each other project that has one like it.

    Where even all that may be alike is too little of a text, nothing is compared exactly: chance brings many sentences together, and
    few texts.
    """
    unicas, inverse = np.unique(acervo.unica_de[strip], return_inverse=True)
    rows, others = _candidates(acervo, unicas, sole)
    pair, one, outra = _every_pair(_Occurrences.of(inverse, len(unicas)), rows, where, others)
    frase = strip[one]
    apart = np.flatnonzero(acervo.projeto_de[frase] != acervo.projeto_de[outra])
    frase, outra, pair = frase[apart], outra[apart], pair[apart]
    hopeful = medida.enough(frase, outra)
    frase, outra, pair = frase[hopeful], outra[hopeful], pair[hopeful]
    compared, at = np.unique(pair, return_inverse=True)
    cosines = _exact(acervo, unicas[rows[compared]], others[compared])[at]
    same = cosines >= FRASE_IGUAL
    return _nearest(acervo, frase[same], outra[same], cosines[same])


def _every_pair(here: _Occurrences, rows: NDArray[np.intp], there: _Occurrences, others: NDArray[np.intp]) -> tuple[NDArray[np.intp], ...]:
    """For each two wordings, every sentence that has the one beside every sentence that has the other."""
    right = there.times[others]
    sizes = here.times[rows] * right
    pair = np.repeat(np.arange(len(rows)), sizes)
    within = np.arange(len(pair)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    one = here.order[here.start[rows][pair] + within // right[pair]]
    return pair, one, there.order[there.start[others][pair] + within % right[pair]]


def _nearest(acervo: Acervo, frase: NDArray[np.intp], outra: NDArray[np.intp], cosseno: Cossenos) -> _Matches:
    """Of the sentences that another project has like this one, the most alike; of equals, the one that stands first."""
    order = np.lexsort((outra, -cosseno, acervo.projeto_de[outra], frase))
    frase, outra, cosseno = frase[order], outra[order], cosseno[order]
    first = np.ones(len(frase), np.bool_)
    first[1:] = (np.diff(frase) != 0) | (np.diff(acervo.projeto_de[outra]) != 0)
    return _Matches(frase[first], outra[first], cosseno[first])


def _candidates(acervo: Acervo, unicas: Numeros, sole: Numeros) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The pairs of wordings that are near enough in 256 dimensions, the first by its place in `unicas`; none of one project alone."""
    rows: list[NDArray[np.intp]] = []
    others: list[NDArray[np.intp]] = []
    for top in range(0, len(unicas), _TALLEST):  # a single project may have many thousand sentences
        strip = acervo.vetores[unicas[top : top + _TALLEST]]
        for start in range(0, len(acervo.vetores), _COLUMNS):
            row, column = _near(strip @ acervo.vetores[start : start + _COLUMNS].T)
            here, there = sole[unicas[top + row]], sole[start + column]
            apart = (here != there) | (here < 0)
            rows.append(top + row[apart])
            others.append(start + column[apart])
    return np.concatenate(rows), np.concatenate(others)


def _near(tile: Matriz) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    near = np.flatnonzero(tile.max(axis=1) >= _CANDIDATE)
    kept = tile[near]
    hits = kept >= _CANDIDATE
    crowded = np.flatnonzero(hits.sum(axis=1) > _CROWD)
    if len(crowded):
        hits[crowded] &= kept[crowded] >= np.partition(kept[crowded], -_CROWD, axis=1)[:, -_CROWD, None]
    row, column = np.nonzero(hits)
    return near[row], column


def _sole_projects(acervo: Acervo) -> Numeros:
    """The project of each wording that only one has, else -1."""
    first = np.full(len(acervo.palavras), np.iinfo(np.int32).max, np.int32)
    last = np.full(len(acervo.palavras), -1, np.int32)
    np.minimum.at(first, acervo.unica_de, acervo.projeto_de)
    np.maximum.at(last, acervo.unica_de, acervo.projeto_de)
    return np.where(first == last, first, -1).astype(np.int32)


def _exact(acervo: Acervo, unicas: Numeros, others: NDArray[np.intp]) -> Cossenos:
    """The cosines of pairs of wordings by their n-grams themselves."""
    if not len(unicas):
        return np.empty(0, np.float32)
    needed, at = np.unique(np.concatenate((unicas, others)), return_inverse=True)
    weighed = acervo.pesos.rows([acervo.palavras[number] for number in needed])
    return _dots(weighed, at[: len(unicas)], at[len(unicas) :])


def _dots(rows: Esparsa, first: NDArray[np.intp], second: NDArray[np.intp]) -> Cossenos:
    found = [
        np.asarray(rows[first[start : start + _ROWS]].multiply(rows[second[start : start + _ROWS]]).sum(axis=1), np.float32)
        for start in range(0, len(first), _ROWS)
    ]
    return np.concatenate(found)


def _above(matches: _Matches, medida: _Medida) -> Iterator[Reuse]:
    """The texts of which a share above the threshold stands in one other project."""
    runs = medida.runs(matches.frase, matches.outra)
    for at in np.flatnonzero(runs.is_enough):
        run = runs.order[runs.start[at] : runs.end[at]]
        trechos = tuple(zip(matches.frase[run].tolist(), matches.outra[run].tolist(), matches.cosseno[run].tolist(), strict=True))
        yield Reuse(int(runs.projeto[at]), int(runs.outro[at]), float(runs.parte[at]), trechos)
