"""Sentences of two texts laid side by side: each by the one of the other text that says the same, in the same words or in others.

By words they are compared as where reused text is looked for. By meaning they are each other's nearest, and nearer than sentences of
texts that have nothing to do with each other are: of those, one in twelve finds such a partner by chance.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from crivo.kernel.linguagem.lexico import read_lexico
from crivo.triagem.embeddings.local import content_words
from crivo.triagem.embeddings.ngramas import unit
from crivo.triagem.embeddings.port import Matriz
from crivo.triagem.irregularidades.coincidencias import FRASE_IGUAL
from crivo.triagem.irregularidades.pesos import Pesos

MESMA_IDEIA: Final = 0.22  # cosine, from the middle of all sentences
_MIDDLE: Final = read_lexico("crivo.triagem.embeddings", "centro", tuple[int, ...])
_MIDDLE_UNIT: Final = 10_000
_ROWS: Final = 512


class Ligada(NamedTuple):
    """A sentence of the one text, by its place, one of the other, and how alike they are, 0 to 1."""

    a: int
    b: int
    semelhanca: float


def centred(vetores: Matriz) -> Matriz:
    """Vectors of meaning seen from the middle of all sentences, of unit length: what all Portuguese prose has in common is taken away."""
    told = np.linalg.norm(vetores, axis=1) > 0
    middle = np.array(_MIDDLE, np.float32) / _MIDDLE_UNIT
    return unit(np.where(told[:, None], vetores - middle, 0).astype(np.float32))


def by_words(a: Sequence[str], b: Sequence[str]) -> list[Ligada]:
    """The sentences that are in both in the same words or nearly, each once, in the order of `a`."""
    contents = [content_words(texto) for texto in (*a, *b)]
    number = {content: at for at, content in enumerate(dict.fromkeys(filter(None, contents)))}
    if not number:
        return []
    rows = Pesos(list(number)).rows(np.arange(len(number)))
    first, second = _placed(contents[: len(a)], number), _placed(contents[len(a) :], number)
    near: list[tuple[float, int, int]] = []
    for start in range(0, len(first), _ROWS):
        some = first[start : start + _ROWS]
        tile = (rows[[at for _, at in some]] @ rows[[at for _, at in second]].T).tocoo() if some and second else None
        if tile is not None:
            found = zip(tile.data.tolist(), tile.row.tolist(), tile.col.tolist(), strict=True)
            near += [(-cosine, some[row][0], second[column][0]) for cosine, row, column in found if cosine >= FRASE_IGUAL]
    return _each_once(near)


def by_meaning(a: Matriz, b: Matriz, sem_a: Collection[int] = (), sem_b: Collection[int] = ()) -> list[Ligada]:
    """The sentences that are each other's nearest by meaning, in the order of `a`; those in `sem_a` and `sem_b` are left out.

    `a` and `b` are rows as `centred` gives them.
    """
    if not len(a) or not len(b):
        return []
    cosines = a @ b.T
    cosines[list(sem_a), :] = -1
    cosines[:, list(sem_b)] = -1
    of_a, of_b = cosines.argmax(axis=1), cosines.argmax(axis=0)
    return [
        Ligada(at, int(other), min(float(cosines[at, other]), 1.0))
        for at, other in enumerate(of_a)
        if of_b[other] == at and cosines[at, other] >= MESMA_IDEIA
    ]


def in_order(cosines: NDArray[np.floating]) -> float:
    """The most that sentences of two texts come to, taken pairwise in the order of both; what is below nothing is passed over."""
    best = np.zeros(cosines.shape[1] + 1)
    for row in np.maximum(cosines, 0):
        best[1:] = np.maximum.accumulate(np.maximum(best[1:], best[:-1] + row))
    return float(best[-1])


def _placed(contents: Sequence[str], number: dict[str, int]) -> list[tuple[int, int]]:
    return [(at, number[content]) for at, content in enumerate(contents) if content]


def _each_once(near: list[tuple[float, int, int]]) -> list[Ligada]:
    taken_a: set[int] = set()
    taken_b: set[int] = set()
    found = []
    for negative, a, b in sorted(near):
        if a not in taken_a and b not in taken_b:
            taken_a.add(a)
            taken_b.add(b)
            found.append(Ligada(a, b, min(-negative, 1.0)))
    return sorted(found)
