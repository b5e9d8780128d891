"""What turns texts into vectors, and where vectors are kept; who asks for them knows no more than this."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Matriz = NDArray[np.float32]


class Embedder(Protocol):
    """Turns each text into a vector that depends on that text alone, so that vectors can be kept."""

    @property
    def nome(self) -> str:
        """What its vectors are kept under; another way of making them has another name."""
        ...

    @property
    def dimensoes(self) -> int:
        """How many numbers a vector has."""
        ...

    @property
    def limiar(self) -> float:
        """The cosine from which two texts are alike enough to be flagged, where the edital's own pairs do not say better."""
        ...

    @property
    def lote(self) -> int:
        """How many texts are made and kept at a time: whoever stops waiting is heard between two lots, and what was made is not lost."""
        ...

    def embed(self, textos: Sequence[str]) -> Matriz:
        """The texts × dimensoes, float32, rows of length one; a text with nothing to read is a row of zeros."""
        ...


class EmbedderRemoto(Protocol):
    """Has a service turn texts into vectors, each of which depends on its text alone."""

    @property
    def nome(self) -> str:
        """What its vectors are kept under; another way of making them has another name."""
        ...

    @property
    def limiar(self) -> float:
        """The cosine from which two texts are alike enough to be flagged, where the edital's own pairs do not say better."""
        ...

    def embed(self, textos: Sequence[str]) -> AsyncIterator[tuple[Sequence[int], Matriz]]:
        """Some of the texts at a time, by their place, and their vectors as `Embedder.embed` has them, in an order of its own.

        Raises ModeloIndisponivel; what came before it is good.
        """
        ...


class VectorCache(Protocol):
    """Vectors by the embedder's name and the SHA-256 of their text; a vector is little-endian float32."""

    async def find(self, embedder: str, digests: Sequence[bytes]) -> Mapping[bytes, bytes]:
        """Those that are kept, by digest."""
        ...

    async def keep(self, embedder: str, vetores: Mapping[bytes, bytes]) -> None:
        """Keep these; one that is kept already stays as it is."""
        ...


@dataclass(frozen=True, slots=True)
class Vetores:
    """The vectors of the projects of an edital, a row each, in their order, and what made them."""

    embedder: str
    limiar: float
    matriz: Matriz
