"""Where a passage stands on a page: exactly its letters, however its blanks, its case and the ends of its lines fall."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from crivo.kernel.linguagem.dobra import fold, kind_of
from crivo.triagem.documentos.folha import PARTES, Caixa, Disposicao
from crivo.triagem.documentos.linhas import lines_of

_HYPHENS: Final = frozenset("-\u00ad\u2010\u2011\u2012\u2013\ufffe\x02")  # a word may be cut by one at the end of a line
_FEWEST_SIGNS: Final = 3  # of a passage that is worth looking for
_HEAD: Final = 40  # signs: a long passage whose end was cut or read otherwise is known by its beginning


def find_trechos(folha: Disposicao, trechos: Sequence[str]) -> tuple[tuple[Caixa, ...], ...]:
    """The rectangles of each passage, one a line; none where it is not on the page. Of several places the first one that is seen."""
    if not folha.texto:
        return tuple(() for _ in trechos)
    hidden = np.frombuffer(folha.escondidas, np.uint8) != 0
    places = np.frombuffer(folha.lugares, ">u2").reshape(-1, 4) / PARTES
    boxes = places * np.array([folha.largura, folha.altura, folha.largura, folha.altura])
    everything = np.arange(len(folha.texto))
    seen, whole = _Packed(folha.texto, everything[~hidden]), _Packed(folha.texto, everything)
    found = []
    for trecho in trechos:
        letters = seen.find(trecho)
        if letters is None:
            letters = whole.find(trecho)
        found.append(() if letters is None else lines_of(boxes[letters], (folha.largura, folha.altura)))
    return tuple(found)


class _Packed:
    """The letters of a page without what two ways of reading it may differ in, each with where it stands."""

    def __init__(self, texto: str, kept: NDArray[np.int64]) -> None:
        signs: list[str] = []
        positions: list[int] = []
        for index in kept.tolist():
            read = _read(texto[index])
            signs.append(read)
            positions += [index] * len(read)
        self._text = "".join(signs)
        self._positions = np.array(positions, np.int64)

    def find(self, trecho: str) -> NDArray[np.int64] | None:
        """Where the letters of a passage stand."""
        wanted = "".join(map(_read, trecho))
        if len(wanted) < _FEWEST_SIGNS:
            return None
        start, length = self._text.find(wanted), len(wanted)
        if start < 0 and length > _HEAD:
            start = self._text.find(wanted[:_HEAD])
            length = _alike(self._text[start:], wanted) if start >= 0 else 0
        return None if start < 0 else np.unique(self._positions[start : start + length])


def _alike(one: str, other: str) -> int:
    return next((index for index, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def _read(char: str) -> str:
    """What counts of a character: nothing of blanks and hyphens, no case, no accent."""
    if char.isascii() and char.isalnum():
        return char.lower()
    if char.isspace() or char in _HYPHENS or kind_of(char) != "sinal":
        return ""
    return fold(char)
