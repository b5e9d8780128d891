"""The embedder that needs no model: the character n-grams of a text, projected to 512 dimensions. Source: design, Irregularidades.

The weights of n-grams are not learned from the edital (no inverse document frequency): a vector would then change with every
project that comes in and could not be kept. In its place the words that every text has are left out, by a list.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from crivo.kernel.linguagem.lexico import read_lexico
from crivo.triagem.embeddings.ngramas import count_ngramas, dampened, project, unit_rows, words
from crivo.triagem.embeddings.port import Matriz

_BATCH_CHARS: Final = 2_000_000  # counted at a time; bounds memory
_EMPTY_WORDS: Final[frozenset[str]] = read_lexico("crivo.triagem.embeddings", "palavras", frozenset[str])


class LocalEmbedder:
    """Texts that share words, or their stems, are near each other; it knows nothing of what words mean."""

    nome: Final = "local-1"
    dimensoes: Final = 512
    limiar: Final = 0.75
    lote: Final = 50_000

    def embed(self, textos: Sequence[str]) -> Matriz:
        """The texts × 512; memory is bounded whatever their number or length."""
        found = [np.empty((0, self.dimensoes), np.float32)]
        batch: list[str] = []
        chars = 0
        for texto in textos:
            batch.append(content_words(texto))
            chars += len(batch[-1])
            if chars > _BATCH_CHARS:
                found.append(_vectors(batch))
                batch, chars = [], 0
        return np.concatenate([*found, _vectors(batch)])


def content_words(texto: str) -> str:
    """The text folded, without the words that say nothing of its subject."""
    return without_empty_words(words(texto))


def without_empty_words(folded: str) -> str:
    """The same of a text that `words` has folded already."""
    return " ".join(word for word in folded.split() if word not in _EMPTY_WORDS)


def _vectors(palavras: Sequence[str]) -> Matriz:
    return project(unit_rows(dampened(count_ngramas(palavras))), LocalEmbedder.dimensoes)
