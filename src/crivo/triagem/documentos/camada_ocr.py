"""The text that a scanner's software lays, unseen, over the image of a page: it says what the image shows, so it hides nothing.

It is judged line by line, however many pieces a line comes in: a line is believed where the image has ink under its letters and, where
the image can be read here, the words agree. Where nothing reads images, a layer that says hardly anything of what is shown is none.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray
from rapidfuzz import fuzz

from crivo.triagem.documentos.pdf_ocultos import Drawn, Hidden
from crivo.triagem.documentos.pdfium import Sheet
from crivo.triagem.documentos.pixels import Mask, counts, inked
from crivo.triagem.documentos.texto import from_codes

_LEAST_IMAGE: Final = 0.6  # of the page, for it to be a scan
_LEAST_INK: Final = 0.1  # edges, of the pixels of a letter's box
_LEAST_LETTERS: Final = 0.6  # of a line, with ink under or beside them: layers lie a little askew
_LEAST_AGREEMENT: Final = 60.0  # of 100, between a line and what is read in the image
_LEAST_SAME_LINE: Final = 0.5  # of the lower of two pieces, at the height of the other
_WIDEST_GAP: Final = 3.0  # heights of a line, between two pieces of it
_CELL: Final = 12.0  # points: a letter or two
_LEAST_CELL_INK: Final = 0.08  # edges, of the pixels of a cell: more than dust
_FEWEST_SAID: Final = 0.15  # of what the image shows, for a short layer to be one
_SHORT_LAYER: Final = 200  # letters
_MANY_LINES: Final = 5
_NOISE: Final = 12  # letters: what is misread of a drawing's edges says nothing
_MISREAD: Final = 24  # letters of a line over ink, misread by one reader or the other
_MOST_NOISE: Final = 0.2  # of a layer's letters; or so few that they are the crumbs of a drawing's:
_CRUMBS: Final = 60
_LAYER_TRICKS: Final = frozenset({"invisivel", "encoberto"})


def is_scan(sheet: Sheet) -> bool:
    """Whether images take most of the page."""
    width, height = sheet.size
    area = 0.0
    for left, top, right, bottom in sheet.images:
        area += max(0.0, min(right, width) - max(left, 0.0)) * max(0.0, min(bottom, height) - max(top, 0.0))
    return area >= _LEAST_IMAGE * width * height


def find_layer(sheet: Sheet, hidden: Hidden, drawn: Drawn, read_in_image: str | None) -> Mask:
    """The hidden letters of a scan that say what its image shows. `read_in_image`: None where nothing here reads images."""
    letters = sheet.letters
    layer = np.zeros(len(hidden.mask), np.bool_)
    items = [item for item, trick in hidden.tricks.items() if trick in _LAYER_TRICKS]
    if not items or not is_scan(sheet):
        return layer
    solid = hidden.mask & ~np.isin(letters.codes, (0x20, 0xA0))
    ink = inked(drawn.bare)
    boxes = letters.boxes * drawn.scale
    around = np.median(boxes[solid][:, 3] - boxes[solid][:, 1]) / 3 if solid.any() else 0.0
    areas = np.maximum((boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1]), 1.0)
    with_ink = counts(ink, boxes + around * np.array([-1, -1, 1, 1])) >= _LEAST_INK * areas
    rest: list[tuple[Mask, int]] = []
    believed = 0
    for pieces in _lines(sheet, hidden, items):
        own = hidden.mask & np.isin(letters.objects, pieces)
        line = from_codes(letters.codes[own].tolist()).strip()
        inky = bool(with_ink[own & solid].mean() >= _LEAST_LETTERS)
        if inky and _agrees(line, read_in_image):
            layer |= own
            believed += 1
        else:
            rest.append((own, _MISREAD if inky else _NOISE))
    if read_in_image is None and believed < _MANY_LINES and not _says_enough(layer & solid, boxes, ink, drawn.scale):
        return np.zeros(len(hidden.mask), np.bool_)
    return layer | _noise(layer, rest, solid)


def _agrees(line: str, read_in_image: str | None) -> bool:
    """Whether a line is in what was read, blanks aside: layers part words where letters stand apart."""
    return read_in_image is None or fuzz.partial_ratio(_packed(line), _packed(read_in_image)) >= _LEAST_AGREEMENT


def _packed(text: str) -> str:
    return "".join(text.casefold().split())


def _says_enough(layer: Mask, boxes: NDArray[np.float64], ink: Mask, scale: float) -> bool:
    """Whether a layer is long, or lies over a fair share of what the image shows: a line alone over a page full of lines is no layer."""
    if int(layer.sum()) >= _SHORT_LAYER:
        return True
    side = max(1.0, _CELL * scale)
    rows, columns = np.ceil(np.array(ink.shape) / side).astype(int)
    down, across = np.mgrid[0:rows, 0:columns].reshape(2, -1) * side
    cells = np.stack((across, down, across + side, down + side), axis=1)
    shown = counts(ink, cells) >= _LEAST_CELL_INK * side * side
    said = np.zeros((rows, columns), np.bool_)
    for left, top, right, bottom in (boxes[layer] / side).astype(int).clip(0).tolist():
        said[top : bottom + 1, left : right + 1] = True
    return bool((said.ravel() & shown).sum() >= _FEWEST_SAID * max(1, int(shown.sum())))


def _noise(layer: Mask, rest: Sequence[tuple[Mask, int]], solid: Mask) -> Mask:
    """What is left of a layer and too short to say anything, where it is a small share of it. It is read with the page all the same."""
    short = [own for own, fewest in rest if int((own & solid).sum()) < fewest]
    noise: Mask = np.logical_or.reduce(short) if short else np.zeros(len(layer), np.bool_)
    left, said = int((noise & solid).sum()), int((layer & solid).sum())
    few = left <= max(_MOST_NOISE * said, min(_CRUMBS, 2 * said))
    return noise if few else np.zeros(len(layer), np.bool_)


def _lines(sheet: Sheet, hidden: Hidden, items: Sequence[int]) -> list[list[int]]:
    """The hidden text objects in the lines that they make: one beside the one before it, at its height."""
    letters = sheet.letters
    lines: list[list[int]] = []
    last = np.zeros(4)
    for item in items:
        own = hidden.mask & (letters.objects == item) & ~np.isin(letters.codes, (0x20, 0xA0))
        if not own.any():
            continue
        box = np.concatenate((letters.boxes[own][:, :2].min(0), letters.boxes[own][:, 2:].max(0)))
        if lines and _beside(last, box):
            lines[-1].append(item)
        else:
            lines.append([item])
        last = box
    return lines


def _beside(one: NDArray[np.float64], other: NDArray[np.float64]) -> bool:
    common = min(one[3], other[3]) - max(one[1], other[1])
    height = min(one[3] - one[1], other[3] - other[1])
    gap = max(one[0], other[0]) - min(one[2], other[2])
    return bool(common >= _LEAST_SAME_LINE * height and gap <= _WIDEST_GAP * max(one[3] - one[1], other[3] - other[1]))
