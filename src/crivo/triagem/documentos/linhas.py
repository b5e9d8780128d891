"""Letters of a page in the lines that they make: one rectangle for each line of a passage."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from crivo.triagem.documentos.folha import Caixa

_BAND: Final = 0.5  # of the height of a line, above and below it, in which the middle of its next letter lies
_WIDEST_GAP: Final = 6.0  # heights of a line, between two letters of it: what is further apart stands in another column
_LONG: Final = 2.0  # heights: what is that much longer than high runs across
_MARGIN: Final = 0.12  # of the height of a line, around it
_THINNEST: Final = 0.35  # percent: what is thinner is drawn that thick, so that it is seen


def lines_of(boxes: NDArray[np.float64], size: tuple[float, float]) -> tuple[Caixa, ...]:
    """The rectangles around letters in reading order, one a line; `boxes` (left, top, right, bottom) and `size` in points.

    Boxes without an extent are those of no letter. Text that runs upwards, downwards or from right to left makes lines too.
    """
    lines: list[list[float]] = []
    for box in boxes.tolist():
        left, top, right, bottom = box
        if right <= left and bottom <= top:
            continue
        if lines and (_goes_on(lines[-1], box, 0) or _goes_on(lines[-1], box, 1)):
            last = lines[-1]
            last[:] = [min(last[0], left), min(last[1], top), max(last[2], right), max(last[3], bottom)]
        else:
            lines.append([left, top, right, bottom])
    return tuple([_caixa(line, size) for line in lines])


def _goes_on(line: list[float], box: list[float], along: int) -> bool:
    """Whether a letter goes on a line that runs along an axis: 0 across, 1 down."""
    over = 1 - along
    thick = max(line[over + 2] - line[over], box[over + 2] - box[over])
    if along and line[2] - line[0] > _LONG * (line[3] - line[1]):
        return False
    band, widest = (0.0, 1.0) if along else (_BAND, _WIDEST_GAP)
    middle = (box[over] + box[over + 2]) / 2
    gap = max(line[along], box[along]) - min(line[along + 2], box[along + 2])
    return line[over] - band * thick <= middle <= line[over + 2] + band * thick and gap <= widest * thick


def _caixa(line: list[float], size: tuple[float, float]) -> Caixa:
    left, top, right, bottom = line
    margin = _MARGIN * min(right - left, bottom - top)
    x, y = max(0.0, left - margin) * 100 / size[0], max(0.0, top - margin) * 100 / size[1]
    width = max(_THINNEST, (right + margin) * 100 / size[0] - x)
    height = max(_THINNEST, (bottom + margin) * 100 / size[1] - y)
    return Caixa(round(x, 2), round(y, 2), round(min(width, 100.0 - x), 2), round(min(height, 100.0 - y), 2))
