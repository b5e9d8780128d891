"""One linear model over named features, its weights readable data.

The same weights give the same verdict on any machine; retraining on another processor may differ in the last digits.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import exp, fsum, sqrt

import msgspec

Grupos = Mapping[str, frozenset[str]]
"""The features of a text by the group that they are of; each group is worth the same however long the text."""


class Pesos(msgspec.Struct, frozen=True):
    """What each feature weighs; 0 for one that is not named."""

    intercepto: float
    pesos: dict[str, float]

    def soma(self, grupos: Grupos) -> float:
        """The margin of a text: above 0 for more likely than not. Each group is scaled to unit length."""
        return fsum((self.intercepto, *(self._of(features) for features in grupos.values() if features)))

    def certeza(self, grupos: Grupos) -> float:
        """The margin as a probability, 0 to 1."""
        return 1 / (1 + exp(-max(-60.0, min(60.0, self.soma(grupos)))))

    def _of(self, features: Iterable[str]) -> float:
        kept = list(features)
        return fsum(self.pesos.get(feature, 0.0) for feature in kept) / sqrt(len(kept))


def char_ngrams(words: Iterable[str], shortest: int = 3, longest: int = 5) -> frozenset[str]:
    """The runs of `shortest` to `longest` characters of each word, its ends marked with `_`."""
    found: set[str] = set()
    for word in words:
        marked = f"_{word}_"
        for size in range(shortest, longest + 1):
            found.update(marked[at : at + size] for at in range(len(marked) - size + 1))
    return frozenset(found)


def char_runs(words: Iterable[str], shortest: int = 5, longest: int = 7) -> frozenset[str]:
    """The runs of `shortest` to `longest` characters of a text, over the ends of its words too, each marked with `_`."""
    marked = f"_{'_'.join(words)}_"
    return frozenset(marked[at : at + size] for size in range(shortest, longest + 1) for at in range(len(marked) - size + 1))
