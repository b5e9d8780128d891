"""Stamps on a picture of a page, told by their coloured ink and the line around them, and the page in grey without that ink.

A stamp in black ink is told from nothing else here, and neither is one without a line around it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageFilter

from crivo.triagem.documentos.folha import Caixa, Cinza

Pintura = NDArray[np.uint8]  # rows, columns and red, green, blue; or rows and columns of greys
_Mascara = NDArray[np.bool_]

_SMALL: Final = 1_000  # pixels of the longer side, in which stamps are looked for
_LIT: Final = 61  # of them, over which the light of the paper is taken
_COARSER: Final = 4  # times, the picture in which that light is taken
_COLOURED: Final = 0.16  # of full light, between the strongest and the weakest colour of a place
_MOST_COLOURED: Final = 0.3  # of a page: more is the page's own colour
_JOINED: Final = 2  # places: an outline that is broken so far is one
_LEAST_SIDE: Final = 0.035  # of the longer side of the page
_MOST_SIDE: Final = 0.34
_LONGEST: Final = 4.2  # times as long as high
_LEAST_AROUND: Final = 0.55  # of its box, within the outline
_MOST_INK: Final = 0.45  # of what is within the outline, as ink: a solid patch is a logotype or a picture
_DARK: Final = 50  # of 255, below the paper
_SPECK: Final = 6  # pixels
_LEAST_FOR_COLOUR: Final = 12  # of 255, in the strongest of its places, for a picture to have colours


@dataclass(frozen=True, slots=True)
class Papel:
    """A picture of a page in grey without the ink of its stamps; their boxes and what lies within each, in pixels of the picture."""

    cinza: Cinza
    carimbos: tuple[Caixa, ...]


def without_stamps(picture: Pintura) -> Papel:
    """The picture in grey, its stamps told and their ink taken for paper; black print under a stamp stays."""
    if picture.ndim == 2:
        return Papel(picture, ())
    grey = np.asarray(Image.fromarray(picture).convert("L"))
    if not _has_colour(picture):
        return Papel(grey, ())
    small = Image.fromarray(picture)
    scale = max(1.0, max(small.size) / _SMALL)
    small = small.resize((max(1, round(small.width / scale)), max(1, round(small.height / scale))), Image.Resampling.BOX)
    coloured = _coloured(small)
    stamps = _stamps(coloured) if coloured.mean() < _MOST_COLOURED else []
    if not stamps:
        return Papel(grey, ())
    clean = grey.copy()
    boxes = []
    for left, top, right, bottom in stamps:
        box = int(left * scale), int(top * scale), int(right * scale) + 1, int(bottom * scale) + 1
        _clean(picture, clean, box)
        boxes.append(tuple(map(float, box)))
    return Papel(clean, tuple([(left, top, right, bottom) for left, top, right, bottom in boxes]))


def _has_colour(picture: Pintura) -> bool:
    few = picture[::4, ::4].astype(np.int16)
    return bool(np.percentile(few.max(2) - few.min(2), 99.97) > _LEAST_FOR_COLOUR)


def _coloured(small: Image.Image) -> _Mascara:
    """Where ink has a colour of its own, whatever the colour of the light and of the paper."""
    light = small.reduce(_COARSER).filter(ImageFilter.MaxFilter(5)).filter(ImageFilter.BoxBlur(_LIT // 2 // _COARSER))
    light = light.resize(small.size, Image.Resampling.BILINEAR)
    seen = np.asarray(small.filter(ImageFilter.MedianFilter(3)), np.float32) / np.maximum(np.asarray(light, np.float32), 40)
    return np.asarray(seen.max(2) - seen.min(2) > _COLOURED)


def _stamps(coloured: _Mascara) -> list[tuple[int, int, int, int]]:
    from scipy import ndimage  # here, for the sake of every file that has no picture

    joined = ndimage.binary_closing(np.pad(coloured, 8), iterations=_JOINED)[8:-8, 8:-8]
    parts, _ = ndimage.label(joined, np.ones((3, 3)))
    longest = max(coloured.shape)
    found: list[tuple[int, int, int, int]] = []
    for number, where in enumerate(ndimage.find_objects(parts), 1):
        down, across = where
        high, wide = down.stop - down.start, across.stop - across.start
        if not (_LEAST_SIDE <= max(high, wide) / longest <= _MOST_SIDE and min(high, wide) >= 0.6 * _LEAST_SIDE * longest):
            continue
        if max(high, wide) > _LONGEST * min(high, wide) or not _is_outline(parts[where] == number, coloured[where], ndimage):
            continue
        found.append((across.start, down.start, across.stop, down.stop))
    return _without_inner(found)


def _is_outline(part: _Mascara, ink: _Mascara, ndimage: Any) -> bool:
    """Whether a part is a line around most of its box, and what is within is not solid."""
    within = ndimage.binary_fill_holes(part)
    if within.mean() < _LEAST_AROUND:
        return False
    return bool((ink & within).sum() <= _MOST_INK * within.sum())


def _without_inner(boxes: list[tuple[int, int, int, int]]) -> list[tuple[int, int, int, int]]:
    def inside(one: tuple[int, int, int, int], other: tuple[int, int, int, int]) -> bool:
        return one != other and other[0] <= one[0] and other[1] <= one[1] and other[2] >= one[2] and other[3] >= one[3]

    return [one for one in boxes if not any(inside(one, other) for other in boxes)]


def _clean(picture: Pintura, grey: NDArray[np.uint8], box: tuple[int, int, int, int]) -> None:
    """Coloured ink within a box of the picture becomes paper, in `grey`."""
    left, top, right, bottom = box
    here = picture[top:bottom, left:right].astype(np.int16)
    part = grey[top:bottom, left:right]
    paper = np.percentile(here.reshape(-1, 3), 80, axis=0)
    seen = here / np.maximum(paper, 40.0)
    strongest = seen.max(2)
    ink = (strongest - seen.min(2) > _COLOURED) & (strongest > 0.4)
    from scipy import ndimage

    edge = ndimage.binary_dilation(ink, iterations=1) & (strongest > 0.62)
    white = int(np.percentile(part, 80))
    part[ink | edge] = white
    # Where the two inks mix specks are left, smaller than any dot of a letter.
    parts, _ = ndimage.label(part < white - _DARK, np.ones((3, 3)))
    specks = (np.bincount(parts.ravel()) <= _SPECK)[parts] & (parts > 0)
    part[specks & ndimage.binary_dilation(ink, iterations=3)] = white
