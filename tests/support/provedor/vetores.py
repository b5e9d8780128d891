"""Vectors of texts, the same on every machine: words hashed to directions, so that texts which share words are near each other."""

from __future__ import annotations

import re
from collections.abc import Sequence
from hashlib import sha256
from typing import Final

import numpy as np

_WORD: Final = re.compile(r"\w+")


def vector_of(texto: str, dimensoes: int) -> Sequence[float]:
    """The vector of one text, of length one."""
    total = np.zeros(dimensoes)
    for word in _WORD.findall(texto.lower()) or [texto]:
        seed = int.from_bytes(sha256(word.encode("utf-8", "surrogatepass")).digest()[:8], "big")
        total += np.random.default_rng(seed).standard_normal(dimensoes)
    return [float(value) for value in total / np.linalg.norm(total)]
