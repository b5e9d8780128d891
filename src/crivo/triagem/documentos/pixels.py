"""Questions about pixels that many small boxes ask at once."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

Mask = NDArray[np.bool_]
Boxes = NDArray[np.float64]  # left, top, right, bottom

_NOTICEABLE_BITS: Final = np.uint32(0x00E0E0E0)  # a channel that differs by 32 of 255 or more


def changed(one: NDArray[np.uint8], other: NDArray[np.uint8]) -> Mask:
    """Where an eye would notice a difference between two drawings of a page: some channel differs by 32 of 255 or more."""
    difference = np.maximum(one, other) - np.minimum(one, other)
    mask: Mask = (difference.view(np.uint32)[..., 0] & _NOTICEABLE_BITS) != 0
    return mask


def inked(drawing: NDArray[np.uint8]) -> Mask:
    """Where a drawing has an edge: a pixel that an eye tells from the one at its left."""
    mask = np.zeros(drawing.shape[:2], np.bool_)
    mask[:, 1:] = changed(np.ascontiguousarray(drawing[:, 1:]), np.ascontiguousarray(drawing[:, :-1]))
    return mask


def counts(mask: Mask, boxes: Boxes) -> NDArray[np.int64]:
    """How many pixels of a mask lie in each box; a box is never thinner than a pixel, and none lie outside."""
    rows, columns = mask.shape
    table = np.zeros((rows + 1, columns + 1), np.int64)
    table[1:, 1:] = mask.cumsum(0, dtype=np.int32).cumsum(1, dtype=np.int32)
    left, top, right, bottom = _whole(boxes, rows, columns)
    found: NDArray[np.int64] = table[bottom, right] - table[top, right] - table[bottom, left] + table[top, left]
    return found


def crowded(boxes: Boxes, rows: int, columns: int) -> Mask:
    """Which boxes have another one over their middle."""
    middle_x, middle_y = (boxes[:, 0] + boxes[:, 2]) / 2, (boxes[:, 1] + boxes[:, 3]) / 2
    quarter_x, quarter_y = (boxes[:, 2] - boxes[:, 0]) / 4, (boxes[:, 3] - boxes[:, 1]) / 4
    cores = np.stack((middle_x - quarter_x, middle_y - quarter_y, middle_x + quarter_x, middle_y + quarter_y), axis=1)
    left, top, right, bottom = _whole(cores, rows, columns)
    steps = np.zeros((rows + 2, columns + 2), np.int32)
    for row, column, sign in ((top, left, 1), (bottom, right, 1), (top, right, -1), (bottom, left, -1)):
        np.add.at(steps, (row, column), sign)
    layers = steps.cumsum(0).cumsum(1)
    inside = (middle_x >= 0) & (middle_x < columns) & (middle_y >= 0) & (middle_y < rows)
    y, x = np.clip(middle_y, 0, rows - 1).astype(int), np.clip(middle_x, 0, columns - 1).astype(int)
    mask: Mask = inside & (layers[y, x] > 1)
    return mask


def middle_color(drawing: NDArray[np.uint8], box: NDArray[np.float64]) -> tuple[int, int, int]:
    """The commonest colour (red, green, blue) in a box of a drawing; white outside of it."""
    rows, columns = drawing.shape[:2]
    left, top, right, bottom = (int(edge[0]) for edge in _whole(box[None, :], rows, columns))
    part = drawing[top:bottom, left:right, :3].reshape(-1, 3)
    if not len(part):
        return 255, 255, 255
    colors, times = np.unique(part, axis=0, return_counts=True)
    blue, green, red = (int(channel) for channel in colors[times.argmax()])
    return red, green, blue


def _whole(boxes: Boxes, rows: int, columns: int) -> tuple[NDArray[np.int64], ...]:
    left, top = np.floor(boxes[:, 0]), np.floor(boxes[:, 1])
    right, bottom = np.maximum(np.ceil(boxes[:, 2]), left + 1), np.maximum(np.ceil(boxes[:, 3]), top + 1)
    return (
        np.clip(left, 0, columns).astype(np.int64),
        np.clip(top, 0, rows).astype(np.int64),
        np.clip(right, 0, columns).astype(np.int64),
        np.clip(bottom, 0, rows).astype(np.int64),
    )
