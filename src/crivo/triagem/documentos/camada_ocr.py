"""The text that a scanner's software lays, unseen, over the image of a page: it says what the image shows, so it hides nothing.

A line of it is believed where the image has ink under its letters and, where the image can be read here, the words agree.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from rapidfuzz import fuzz

from crivo.triagem.documentos.pdf_ocultos import Drawn, Hidden
from crivo.triagem.documentos.pdfium import Sheet
from crivo.triagem.documentos.pixels import Mask, counts, inked
from crivo.triagem.documentos.texto import from_codes

_LEAST_IMAGE: Final = 0.6  # of the page, for it to be a scan
_LEAST_INK: Final = 0.1  # edges, of the pixels of a letter's box
_LEAST_LETTERS: Final = 0.6  # of a line, with ink under them
_LEAST_AGREEMENT: Final = 60.0  # of 100, between a line and what is read in the image
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
    boxes = letters.boxes * drawn.scale
    areas = np.maximum((boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1]), 1.0)
    with_ink = counts(inked(drawn.bare), boxes) >= _LEAST_INK * areas
    spaces = np.isin(letters.codes, (0x20, 0xA0))
    for item in items:
        own = hidden.mask & (letters.objects == item)
        solid = own & ~spaces
        if with_ink[solid].mean() < _LEAST_LETTERS:
            continue
        line = from_codes(letters.codes[own].tolist()).strip()
        if read_in_image is None or fuzz.partial_ratio(line.casefold(), read_in_image.casefold()) >= _LEAST_AGREEMENT:
            layer |= own
    return layer
