"""Strokes of a pen on a sheet: what is joined over more than a letter, thin, no straight line, and read by nobody.

A signature is such a stroke. Words in a separate hand are not told from poor print: they are lines of which nothing was read for certain.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageFilter

from crivo.triagem.documentos.duvida import DUVIDOSA
from crivo.triagem.documentos.folha import Caixa, Cinza
from crivo.triagem.documentos.tesseract import Palavra

_Mascara = NDArray[np.bool_]
_SMALL: Final = 1_200  # pixels of the longer side, in which strokes are looked for
_DARKER: Final = 45  # of 255, than what is around it, for a place to be ink
_SURELY_PRINT: Final = 0.85
_LEAST_HIGH: Final = 1.5  # times as high as print
_LEAST_WIDE: Final = 3.5
_MOST_HIGH: Final = 9.0
_MOST_WIDE: Final = 40.0
_MOST_INK: Final = 0.3  # of its box
_PAPER: Final = 0.85  # of the light of the page, for what is around a stroke to be paper and no picture
_LINE: Final = 5.0  # times as long as print is high: a straight stretch is a line of a table
_THICK: Final = 0.3  # of the height of print: no pen is thicker
_MOST_PRINT: Final = 0.3  # of its box, under words that were surely read
_LEAST_READ: Final = 6  # letters of a line that nobody could read


def strokes(pixels: Cinza, palavras: Sequence[Palavra]) -> tuple[Caixa, ...]:
    """The boxes of strokes of a pen on a sheet whose words are known, in its pixels."""
    from scipy import ndimage  # here, for the sake of every file that has no picture

    sure = [one for one in palavras if one.confianca >= _SURELY_PRINT and sum(map(str.isalnum, one.texto)) > 2]
    if not sure:
        return ()
    scale = max(1.0, max(pixels.shape) / _SMALL)
    size = max(1, round(pixels.shape[1] / scale)), max(1, round(pixels.shape[0] / scale))
    small = Image.fromarray(pixels).resize(size, Image.Resampling.BOX)
    seen = np.asarray(small, np.int16)
    white = _PAPER * float(np.percentile(seen, 75))
    ink = np.asarray(small.filter(ImageFilter.BoxBlur(14)), np.int16) - seen > _DARKER
    high = max(4.0, float(np.median([one.caixa[3] - one.caixa[1] for one in sure])) / scale)
    straight = round(_LINE * high)
    lines = ndimage.binary_opening(ink, np.ones((1, straight))) | ndimage.binary_opening(ink, np.ones((straight, 1)))
    ink &= ~ndimage.binary_dilation(lines, np.ones((3, 3)))
    parts, _ = ndimage.label(ndimage.binary_dilation(ink, np.ones((3, 3))), np.ones((3, 3)))
    print_ = _covered(ink.shape, sure, scale)
    found = []
    for number, where in enumerate(ndimage.find_objects(parts), 1):
        down, across = where
        tall, wide = down.stop - down.start, across.stop - across.start
        if not (_LEAST_HIGH * high <= tall <= _MOST_HIGH * high and _LEAST_WIDE * high <= wide <= _MOST_WIDE * high):
            continue
        own = ink[where] & (parts[where] == number)
        if own.mean() > _MOST_INK or print_[where].mean() > _MOST_PRINT or np.median(seen[where]) < white:
            continue
        if float(ndimage.distance_transform_cdt(np.pad(own, 1), "chessboard").max()) > max(2.0, _THICK * high):
            continue
        found.append((across.start * scale, down.start * scale, across.stop * scale, down.stop * scale))
    return tuple(found)


def unread_lines(palavras: Sequence[Palavra]) -> tuple[Caixa, ...]:
    """The boxes of lines in which something like words was seen, and none was read for certain."""
    found = []
    for _, line in groupby(palavras, key=lambda one: (one.paragrafo, one.linha)):
        words = [one for one in line if any(map(str.isalnum, one.texto))]
        if sum(map(len, (one.texto for one in words))) >= _LEAST_READ and all(one.confianca < DUVIDOSA for one in words):
            boxes = np.array([one.caixa for one in words])
            found.append((*(float(edge) for edge in boxes[:, :2].min(0)), *(float(edge) for edge in boxes[:, 2:].max(0))))
    return tuple([(left, top, right, bottom) for left, top, right, bottom in found])


def _covered(shape: tuple[int, ...], palavras: Sequence[Palavra], scale: float) -> _Mascara:
    mask = np.zeros(shape, np.bool_)
    for one in palavras:
        left, top, right, bottom = (int(edge / scale) for edge in one.caixa)
        mask[top : bottom + 1, left : right + 1] = True
    return mask
