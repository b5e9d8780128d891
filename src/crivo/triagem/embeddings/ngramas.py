"""Texts as counts of their character n-grams, inside words (char_wb 3 to 5), hashed; and such counts projected to few dimensions.

Nothing is fitted: what a text becomes depends on that text alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from crivo.kernel.linguagem.dobra import fold

Matriz = NDArray[np.float32]
Esparsa = Any  # scipy.sparse.csr_array, which has no types

BITS: Final = 18  # of a feature's number: 262,144 of them
_NOT_ALNUM: Final = re.compile(r"[\W_]+")
_MULTIPLIER: Final = np.uint64(0x9E3779B97F4A7C15)
_SIGNS: Final = 4  # non-zero entries that each feature has in the projection
_ROWS: Final = 4096  # projected at a time


def words(texto: str) -> str:
    """The text folded, with nothing but letters and digits, words apart by one blank."""
    return _NOT_ALNUM.sub(" ", fold(texto)).strip()


def count_ngramas(palavras: Iterable[str]) -> Esparsa:
    """How often each n-gram is in each text: a CSR array of texts × 2**BITS, float32. Texts as `words` gives them."""
    texts = list(palavras)
    return sparse.csr_array(_counter().transform(texts)) if texts else sparse.csr_array((0, 1 << BITS), dtype=np.float32)


def dampened(counts: Esparsa) -> Esparsa:
    """The counts on a logarithmic scale, 1 + ln(count), so that a word said often does not drown the rest."""
    damped = counts.copy()
    damped.data = 1 + np.log(damped.data)
    return damped


def unit_rows(counts: Esparsa) -> Esparsa:
    """Each row divided by its length; a row of zeros stays one."""
    lengths = np.sqrt(counts.multiply(counts).sum(axis=1))
    scale = np.divide(1, lengths, out=np.zeros_like(lengths), where=lengths > 0)
    scaled = counts.copy()
    scaled.data = scaled.data * np.repeat(scale, np.diff(scaled.indptr)).astype(np.float32)
    return scaled


def project(linhas: Esparsa, dimensoes: int) -> Matriz:
    """The rows in few dimensions, float32, of unit length: cosines are kept to about 1 / sqrt(dimensoes)."""
    projected = np.empty((linhas.shape[0], dimensoes), np.float32)
    signs = _signs(dimensoes)
    for start in range(0, linhas.shape[0], _ROWS):
        projected[start : start + _ROWS] = (linhas[start : start + _ROWS] @ signs).toarray()
    return unit(projected)


def unit(linhas: Matriz) -> Matriz:
    """The dense rows, each divided by its length in place; a row of zeros stays one."""
    lengths = np.linalg.norm(linhas, axis=1, keepdims=True)
    np.divide(linhas, lengths, out=linhas, where=lengths > 0)
    return linhas


@lru_cache(maxsize=1)
def _counter() -> Any:
    from sklearn.feature_extraction.text import HashingVectorizer  # here: it takes over a second, and most commands count nothing

    return HashingVectorizer(
        analyzer="char_wb", ngram_range=(3, 5), n_features=1 << BITS, alternate_sign=False, norm=None, lowercase=False, dtype=np.float32
    )


@lru_cache(maxsize=4)
def _signs(dimensoes: int) -> Esparsa:
    """A sparse random projection, features × dimensoes, worked out by arithmetic: the same on every machine and with every version."""
    draws = np.arange((1 << BITS) * _SIGNS, dtype=np.uint64) + np.uint64(1)
    for shift in (30, 27, 31):
        draws = (draws ^ (draws >> np.uint64(shift))) * _MULTIPLIER
    columns = ((draws >> np.uint64(33)) % np.uint64(dimensoes)).astype(np.int32)
    values = np.where(draws >> np.uint64(63), 1, -1).astype(np.float32)
    starts = np.arange(0, len(draws) + 1, _SIGNS, dtype=np.int32)
    return sparse.csr_array((values, columns, starts), shape=(1 << BITS, dimensoes))
