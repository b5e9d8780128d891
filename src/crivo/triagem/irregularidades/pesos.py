"""Wordings as rows of weighed n-grams (TF-IDF), made where they are needed from what they were once counted as.

N-grams stand inside words, so that a text has those of its words: words are counted in texts, n-grams in each different word once,
and the product of the two is what counting n-grams in texts would give. Memory: some hundred bytes a wording.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from crivo.triagem.embeddings.ngramas import Esparsa, count_ngramas, dampened, project, unit_rows
from crivo.triagem.embeddings.port import Matriz

DIMENSOES: Final = 256
_WEIGHED: Final = 20_000  # wordings from which the weight of n-grams is learned, evenly spaced among all
_BATCH: Final = 8192  # wordings counted at a time


class Pesos:
    """How much each n-gram tells: the rarer among the wordings, the more. `palavras` are words apart by one blank."""

    def __init__(self, palavras: Sequence[str]) -> None:
        self.palavras_de, vocabulary = _words_of(palavras)
        self.ngramas_de = count_ngramas(vocabulary)
        total = len(palavras)
        chosen = np.unique(np.linspace(0, total - 1, min(total, _WEIGHED)).astype(np.intp))
        found = np.zeros(self.ngramas_de.shape[1], np.int64)
        for start in range(0, len(chosen), _BATCH):
            counts = self.palavras_de[chosen[start : start + _BATCH]] @ self.ngramas_de
            found += np.bincount(counts.indices, minlength=len(found))
        self._weights = (np.log((1 + len(chosen)) / (1 + found)) + 1).astype(np.float32)

    def rows(self, quais: NDArray[np.intp]) -> Esparsa:
        """These wordings × n-grams, of unit length."""
        return self._weighed(self.palavras_de[quais] @ self.ngramas_de)

    def vectors(self) -> Matriz:
        """All wordings × 256, of unit length."""
        total = self.palavras_de.shape[0]
        vetores = np.empty((total, DIMENSOES), np.float32)
        for start in range(0, total, _BATCH):
            batch = np.arange(start, min(start + _BATCH, total))
            vetores[batch] = project(self.rows(batch), DIMENSOES)
        return vetores

    def vectors_of(self, outras: Sequence[str]) -> Matriz:
        """Other wordings × 256, weighed alike."""
        return project(self._weighed(count_ngramas(outras)), DIMENSOES)

    def _weighed(self, counts: Esparsa) -> Esparsa:
        counts.sort_indices()
        rows = dampened(counts)
        rows.data *= self._weights[rows.indices]
        return unit_rows(rows)


def _words_of(palavras: Sequence[str]) -> tuple[Esparsa, list[str]]:
    """How often each different word is in each text, and the words."""
    number: dict[str, int] = {}
    words: list[int] = []
    ends = [0]
    for texto in palavras:
        words += [number.setdefault(word, len(number)) for word in texto.split()]
        ends.append(len(words))
    counted = sparse.csr_array(
        (np.ones(len(words), np.float32), np.array(words, np.int32), np.array(ends, np.int32)), shape=(len(palavras), len(number))
    )
    counted.sum_duplicates()
    return counted, list(number)
