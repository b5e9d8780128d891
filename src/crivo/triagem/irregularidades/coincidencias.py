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
from crivo.triagem.irregularidades.acervo import Acervo, Numeros, strips
from crivo.triagem.irregularidades.candidatos import Candidatos
from crivo.triagem.irregularidades.paridades import Cossenos

FRASE_IGUAL: Final = 0.45  # cosine from which two sentences say the same in the same words
REUSO: Final = 0.30  # share from which reuse is flagged
REUSO_PROPRIO: Final = 0.90  # between projects of one proponente, whose series are honestly alike
_LEAST_WORDS: Final = 20
_CANDIDATE: Final = 0.33  # cosine in 256 dimensions, two deviations below `FRASE_IGUAL`
_CROWD: Final = 64  # candidates of one wording in one tile, the nearest: more are variants of a form
_ROWS: Final = 512
_TALLEST: Final = 2048  # rows of a tile
_SMALL: Final = 1 << 17  # cells of a tile
_ONE_THREAD: Final = 1 << 18  # multiplications
_COLUMNS: Final = 4096
_OTHERS: Final = 20  # other projects that one project is told with


@dataclass(frozen=True, slots=True)
class Reuse:
    """What a text shares with another project: the share of its words, and the sentences of both, with their likeness."""

    projeto: int
    outro: int
    parte: float
    trechos: tuple[tuple[int, int, float], ...]


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
    medida, candidatos, places = _Medida(acervo, grupos), Candidatos(acervo), _Places(acervo)
    for strip in strips(acervo.projeto_de[: int(np.searchsorted(acervo.projeto_de, total))], _ROWS):
        matches = _matches(acervo, strip, candidatos, places, medida)
        found = sorted(_above(matches, medida), key=lambda reuse: (reuse.projeto, -reuse.parte, reuse.outro))
        seen: Counter[int] = Counter()
        for reuse in found:
            seen[reuse.projeto] += 1
            if seen[reuse.projeto] <= _OTHERS:
                yield reuse


def _matches(acervo: Acervo, strip: slice, candidatos: Candidatos, places: _Places, medida: _Medida) -> _Matches:
    """For each sentence of the strip, the nearest of each other project that has one like it.

    Where even all that may be alike is too little of a text, nothing is compared exactly: chance brings many sentences together, and
    few texts.
    """
    textos = np.unique(acervo.texto_de[strip]).astype(np.intp)
    near = [
        found
        for text, projetos in zip(textos, candidatos.projects_for(textos), strict=True)
        for found in _near_sentences(acervo, places.of_text(text), places.of_projects(projetos))
    ]
    frase, outra = (np.concatenate(column) for column in zip(_NONE, *near, strict=True))
    hopeful = medida.enough(frase, outra)
    frase, outra = frase[hopeful], outra[hopeful]
    cosines = _exact(acervo, acervo.unica_de[frase], acervo.unica_de[outra])
    same = cosines >= FRASE_IGUAL
    return _nearest(acervo, frase[same], outra[same], cosines[same])


def _near_sentences(acervo: Acervo, own: slice, others: NDArray[np.intp]) -> Iterator[tuple[NDArray[np.intp], NDArray[np.intp]]]:
    """The pairs of a sentence of the text and one of the others that are near enough in 256 dimensions."""
    if not len(others):
        return
    for top in range(own.start, own.stop, _TALLEST):  # a single text may have many thousand sentences
        rows = acervo.vetores[acervo.unica_de[top : min(top + _TALLEST, own.stop)]]
        for start in range(0, len(others), _COLUMNS):
            columns = others[start : start + _COLUMNS]
            row, column = _near(_cosines(rows, acervo.vetores[acervo.unica_de[columns]]))
            yield top + row, columns[column]


def _cosines(rows: Matriz, columns: Matriz) -> Matriz:
    """Rows × columns. Little at a time where they are few: for a small product BLAS wakes no other thread, which would cost more."""
    tile = np.empty((len(rows), len(columns)), np.float32)
    step = max(1, _ONE_THREAD // rows.size) if tile.size < _SMALL else len(columns)
    for start in range(0, len(columns), step):
        np.matmul(rows, columns[start : start + step].T, out=tile[:, start : start + step])
    return tile


class _Places:
    """Where the sentences of each text and of each project begin; those of one stand together."""

    def __init__(self, acervo: Acervo) -> None:
        self._texts = _begins(acervo.texto_de)
        self._projects = _begins(acervo.projeto_de)

    def of_text(self, texto: np.intp) -> slice:
        return slice(int(self._texts[texto]), int(self._texts[texto + 1]))

    def of_projects(self, projetos: NDArray[np.intp]) -> NDArray[np.intp]:
        begin, sizes = self._projects[projetos], self._projects[projetos + 1] - self._projects[projetos]
        return np.repeat(begin - (np.cumsum(sizes) - sizes), sizes) + np.arange(sizes.sum())


def _begins(numero_de: Numeros) -> NDArray[np.intp]:
    return np.searchsorted(numero_de, np.arange(numero_de[-1] + 2))


_NONE: Final = (np.empty(0, np.intp), np.empty(0, np.intp))


def _nearest(acervo: Acervo, frase: NDArray[np.intp], outra: NDArray[np.intp], cosseno: Cossenos) -> _Matches:
    """Of the sentences that another project has like this one, the most alike; of equals, the one that stands first."""
    order = np.lexsort((outra, -cosseno, acervo.projeto_de[outra], frase))
    frase, outra, cosseno = frase[order], outra[order], cosseno[order]
    first = np.ones(len(frase), np.bool_)
    first[1:] = (np.diff(frase) != 0) | (np.diff(acervo.projeto_de[outra]) != 0)
    return _Matches(frase[first], outra[first], cosseno[first])


def _near(tile: Matriz) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    near = np.flatnonzero(tile.max(axis=1) >= _CANDIDATE)
    kept = tile[near]
    hits = kept >= _CANDIDATE
    crowded = np.flatnonzero(hits.sum(axis=1) > _CROWD)
    if len(crowded):
        hits[crowded] &= kept[crowded] >= np.partition(kept[crowded], -_CROWD, axis=1)[:, -_CROWD, None]
    row, column = np.nonzero(hits)
    return near[row], column


def _exact(acervo: Acervo, unicas: Numeros, others: Numeros) -> Cossenos:
    """The cosines of pairs of wordings by their n-grams themselves."""
    if not len(unicas):
        return np.empty(0, np.float32)
    pair, at = np.unique(unicas.astype(np.int64) * len(acervo.vetores) + others, return_inverse=True)
    needed, number = np.unique(np.concatenate(np.divmod(pair, len(acervo.vetores))), return_inverse=True)
    return _dots(acervo.pesos.rows(needed), number[: len(pair)], number[len(pair) :])[at]


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
