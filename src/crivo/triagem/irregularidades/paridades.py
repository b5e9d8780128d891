"""Every pair of rows by cosine, exactly, in tiles of the upper triangle: what is held at a time does not grow with the pairs.

Source: design, Irregularidades ("blocked GEMM by strips of the upper triangle in NumPy").
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from crivo.triagem.embeddings.port import Matriz

# A tile of 256 × 2,048 float32 is 2 MB: multiplied and read again while the processor's cache still holds it.
_STRIP_ROWS: Final = 256
_TILE_COLUMNS: Final = 2048
Indices = NDArray[np.int32]
Cossenos = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Pares:
    """Pairs of rows `primeiro[k] < segundo[k]` and their cosines."""

    primeiro: Indices
    segundo: Indices
    cosseno: Cossenos

    def __len__(self) -> int:
        return len(self.cosseno)


class Vizinhos:
    """Each row's nearest other, as far as the sweep has come: `indice` is -1 where there is none; a tie goes to the one met first."""

    def __init__(self, total: int) -> None:
        self.indice: Indices = np.full(total, -1, np.int32)
        self.cosseno: Cossenos = np.full(total, -np.inf, np.float32)

    def meet(self, tile: Matriz, row: int, column: int, by_row: Cossenos) -> None:
        """Take in a tile of cosines whose first cell is (row, column); `by_row` is the largest of each of its rows."""
        self._improve(row, column, by_row, tile)
        self._improve(column, row, tile.max(axis=0), tile.T)

    def meet_pairs(self, pares: Pares) -> None:
        """Take in pairs that no tile holds."""
        for one, other, cosseno in zip(pares.primeiro.tolist(), pares.segundo.tolist(), pares.cosseno.tolist(), strict=True):
            for row, theirs in ((one, other), (other, one)):
                if cosseno > self.cosseno[row]:
                    self.cosseno[row], self.indice[row] = cosseno, theirs

    def _improve(self, start: int, other: int, best: Cossenos, tile: Matriz) -> None:
        improved = np.flatnonzero(best > self.cosseno[start : start + len(best)])
        if len(improved):
            self.cosseno[start + improved] = best[improved]
            self.indice[start + improved] = other + tile[improved].argmax(axis=1)


def todas_as_paridades(vetores: Matriz, limiar: float, vizinhos: Vizinhos | None = None) -> Iterator[Pares]:
    """The pairs of unit rows whose cosine is at least `limiar`, tile by tile; `vizinhos`, where given, meets every pair.

    Rows of zeros have cosine 0 with everything. All that is held at a time is one tile and the pairs found in it.
    """
    rows = np.ascontiguousarray(vetores, np.float32)
    total = len(rows)
    held = np.empty(_STRIP_ROWS * _TILE_COLUMNS, np.float32)
    for row in range(0, total, _STRIP_ROWS):
        strip = rows[row : row + _STRIP_ROWS]
        for column in range(row, total, _TILE_COLUMNS):
            against = rows[column : column + _TILE_COLUMNS]
            tile = held[: len(strip) * len(against)].reshape(len(strip), len(against))
            np.matmul(strip, against.T, out=tile)
            if column == row:
                _blot_lower_triangle(tile)
            by_row: Cossenos = tile.max(axis=1)
            if vizinhos is not None:
                vizinhos.meet(tile, row, column, by_row)
            near = np.flatnonzero(by_row >= limiar)
            if len(near):
                yield _pairs_of(tile, near, row, column, limiar)


def _blot_lower_triangle(tile: Matriz) -> None:
    """A row beside itself, and every pair a second time, out of the tile on the diagonal."""
    for at in range(len(tile)):
        tile[at, : at + 1] = -np.inf


def _pairs_of(tile: Matriz, near: NDArray[np.intp], row: int, column: int, limiar: float) -> Pares:
    kept = tile[near]
    at, other = np.nonzero(kept >= limiar)
    return Pares((row + near[at]).astype(np.int32), (column + other).astype(np.int32), kept[at, other])
