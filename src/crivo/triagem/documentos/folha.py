"""A picture of a page made fit to be read: the sheet cut out, laid straight, evenly lit, its specks gone; by Pillow and NumPy.

Every step keeps where each point came from, so that a word found in what was made can be shown in the page as it is.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageFilter

Cinza = NDArray[np.uint8]  # rows, columns; 255 is white
Matriz = NDArray[np.float64]  # 3 by 3: a point of what was made, in pixels, to its point in the picture it was made from
Caixa = tuple[float, float, float, float]  # left, top, right, bottom

_MOST_PIXELS: Final = 6_000_000  # an A4 sheet at 250 dots per inch; with more nothing is read better, only later
_WIDTH: Final = 1_700  # pixels across which a sheet is read well; smaller pictures are drawn larger, up to:
_LARGEST_ZOOM: Final = 2.5
_SMALL: Final = 320  # pixels of the longer side, in which edges are looked for
_MIDDLE: Final = 600  # and lines
_DUSTED: Final = 1_000  # and ink
_LEAST_INK: Final = 0.0002  # of a sheet: half a line of small letters
_PICTURED: Final = 0.02  # of a picture's places, set off from the next: a blank sheet under a hard shadow has less than half of it
_SET_OFF: Final = 6.0  # of 255
_LIT: Final = 40  # rows of the small picture over which the light of the paper is taken
_DARKEST_PAPER: Final = 40.0
_EVEN_LIGHT: Final = 12.0  # of 255, within which light needs no mending
_INK_SHARE: Final = 0.5  # percent of a page that is surely ink where anything is written
_LEAST_CONTRAST: Final = 60.0  # of 255, between the two: a blank sheet stays blank
_BRIGHT_PAPER: Final = 180.0
_GRAIN: Final = 3.0  # of 255, above which grain is taken out
_COARSE_GRAIN: Final = 9.0
_STRIP: Final = 32  # pixels
_STRIPS: Final = 10
_TILTS: Final = np.arange(-20.0, 20.01, 1.0)  # degrees
_FINE_TILTS: Final = np.arange(-0.8, 0.81, 0.2)
_LEAST_TILT: Final = 0.15
_ON_ITS_SIDE: Final = 1.25  # times as sharp across as along
_LEAST_SHEET: Final = 0.25  # of the picture, for a sheet
_MOST_SHEET: Final = 0.97
_EDGE: Final = 14.0  # of 255, from one place of the small picture to the next
_LEAST_COVER: Final = 0.93  # of a figure of four corners, for the sheet to be one
_MOST_OUTSIDE: Final = 0.1  # of what is around it
_BRIGHTER: Final = 28.0  # of 255, paper than what is around it
_OPEN_FOLDER: Final = 1.2  # times as wide as high, for two pages
_GUTTER: Final = (0.42, 0.58)  # of the width, where a fold may be
_LEAST_GUTTER: Final = 0.03  # of the width, without ink
_LEAST_HALF: Final = 0.12  # of the ink, on either side
_SAME_LINES: Final = 0.5  # correlation of the lines of both sides, above which they are one table


@dataclass(frozen=True, slots=True)
class Folha:
    """A sheet ready to be read, and the way back to the picture."""

    pixels: Cinza
    origem: Matriz

    def turned(self, quarters: int) -> Folha:
        """The same, turned by so many quarters, against the clock."""
        made = self
        for _ in range(quarters % 4):
            columns = made.pixels.shape[1]
            back = np.array([[0.0, -1.0, columns - 1.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
            made = Folha(np.ascontiguousarray(np.rot90(made.pixels)), made.origem @ back)
        return made

    def place(self, box: Caixa) -> Caixa:
        """Where a box of this sheet lies in the picture, in pixels: the least upright box around it."""
        left, top, right, bottom = box
        corners = np.array([[left, right, right, left], [top, top, bottom, bottom], [1.0] * 4])
        there = self.origem @ corners
        xs, ys = there[0] / there[2], there[1] / there[2]
        return float(xs.min()), float(ys.min()), float(xs.max()), float(ys.max())


def sheets(picture: Cinza) -> Iterator[Folha]:
    """The pages in a picture, one or the two of an open folder, each laid straight; up or down is told by who reads."""
    whole = _lit_evenly(_cut_out(_without_grain(_bounded(picture))))
    for half in _halves(_on_its_feet(whole)):
        yield _in_contrast(_straight(_readable(half)))


def has_ink(folha: Folha) -> bool:
    """Whether there is anything on it beside dust."""
    small, _ = _reduced(folha.pixels, _DUSTED)
    dusted = Image.fromarray(small.astype(np.uint8)).filter(ImageFilter.MedianFilter(3))
    return bool(_ink(np.asarray(dusted, np.float32)).mean() > _LEAST_INK)


def shows_something(picture: Cinza) -> bool:
    """Whether a picture without ink is of things (a face, a field) rather than of blank paper, over which light changes slowly."""
    small, _ = _reduced(_cut_out(_without_grain(_bounded(picture))).pixels, _SMALL)
    steps = _steps(np.asarray(Image.fromarray(small.astype(np.uint8)).filter(ImageFilter.MedianFilter(5)), np.float32))
    edge = max(2, min(steps.shape) // 20)
    within = steps[edge:-edge, edge:-edge]
    return bool(within.size and (within > _SET_OFF).mean() > _PICTURED)


def _bounded(picture: Cinza) -> Folha:
    rows, columns = picture.shape
    scale = min(1.0, math.sqrt(_MOST_PIXELS / (rows * columns)))
    return _scaled(Folha(picture, np.eye(3)), scale)


def _readable(folha: Folha) -> Folha:
    """At a size at which letters are large enough."""
    rows, columns = folha.pixels.shape
    zoom = min(_LARGEST_ZOOM, _WIDTH / min(columns, rows), math.sqrt(_MOST_PIXELS / (rows * columns)))
    return _scaled(folha, zoom) if zoom > 1.15 else folha


def _scaled(folha: Folha, scale: float) -> Folha:
    if scale == 1.0:
        return folha
    rows, columns = folha.pixels.shape
    size = max(1, round(columns * scale)), max(1, round(rows * scale))
    image = Image.fromarray(folha.pixels).resize(size, Image.Resampling.BICUBIC if scale > 1 else Image.Resampling.BOX)
    back = np.diag([columns / size[0], rows / size[1], 1.0])
    return Folha(np.asarray(image), folha.origem @ back)


def _reduced(pixels: Cinza, side: int) -> tuple[NDArray[np.float32], float]:
    """A small copy, and how many of the picture's pixels one of its own is."""
    rows, columns = pixels.shape
    scale = max(1.0, max(rows, columns) / side)
    size = max(1, round(columns / scale)), max(1, round(rows / scale))
    return np.asarray(Image.fromarray(pixels).resize(size, Image.Resampling.BOX), np.float32), scale


# The sheet on the desk.


def _cut_out(folha: Folha) -> Folha:
    """The sheet alone, seen from above, where a bright one with four clear edges lies on something darker; else as it is."""
    small, scale = _reduced(folha.pixels, _SMALL)
    corners = _corners(small)
    if corners is None:
        return folha
    corners = (corners + 0.5) * scale
    top, bottom = math.dist(corners[0], corners[1]), math.dist(corners[3], corners[2])
    left, right = math.dist(corners[0], corners[3]), math.dist(corners[1], corners[2])
    wide, high = round(max(top, bottom)), round(max(left, right))
    back = _homography(np.array([[0, 0], [wide - 1, 0], [wide - 1, high - 1], [0, high - 1]], np.float64), corners)
    image = Image.fromarray(folha.pixels).transform(
        (wide, high), Image.Transform.PERSPECTIVE, (back / back[2, 2]).ravel()[:8].tolist(), Image.Resampling.BICUBIC
    )
    return Folha(np.asarray(image), folha.origem @ back)


def _corners(small: NDArray[np.float32]) -> NDArray[np.float64] | None:
    """The corners of a sheet: top left, top right, bottom right, bottom left; None where it has no clear edge all around.

    Light and shadow change slowly, an edge at once: the sheet is the largest stretch that no edge parts.
    """
    from scipy import ndimage  # here, for the sake of every file that has no picture

    image = Image.fromarray(small.astype(np.uint8)).filter(ImageFilter.MedianFilter(3))
    smooth = np.asarray(image.filter(ImageFilter.MaxFilter(7)).filter(ImageFilter.MinFilter(7)), np.float32)  # without letters
    parts, count = ndimage.label(_steps(smooth) < _EDGE)
    if not count:
        return None
    sizes = np.bincount(parts.ravel())[1:]
    sheet = ndimage.binary_fill_holes(parts == int(sizes.argmax()) + 1)
    if not _LEAST_SHEET <= sheet.mean() <= _MOST_SHEET:
        return None
    ys, xs = np.nonzero(sheet)
    both, apart = xs + ys, xs - ys
    picks = [int(both.argmin()), int(apart.argmax()), int(both.argmax()), int(apart.argmin())]
    corners = np.array([[xs[at], ys[at]] for at in picks], np.float64)
    inside = _within(corners, *small.shape)
    if inside.all() or inside.mean() < _LEAST_SHEET or sheet[inside].mean() < _LEAST_COVER or sheet[~inside].mean() > _MOST_OUTSIDE:
        return None
    around = float(np.median(smooth[~inside]))
    return corners if float(np.median(smooth[inside])) - around > _BRIGHTER else None


def _steps(light: NDArray[np.float32]) -> NDArray[np.float32]:
    """From each place to the one above and the one to its left: the greater difference."""
    return np.maximum(np.abs(np.diff(light, axis=0, prepend=light[:1])), np.abs(np.diff(light, axis=1, prepend=light[:, :1])))


def _within(corners: NDArray[np.float64], rows: int, columns: int) -> NDArray[np.bool_]:
    """Which places lie within a figure of four corners that goes round with the clock."""
    y, x = np.mgrid[0:rows, 0:columns]
    inside = np.ones((rows, columns), np.bool_)
    for (x1, y1), (x2, y2) in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        inside &= (x2 - x1) * (y - y1) - (y2 - y1) * (x - x1) >= 0
    return inside


def _homography(from_: NDArray[np.float64], to: NDArray[np.float64]) -> Matriz:
    """The projection that takes four points to four others."""
    rows, wanted = [], []
    for (x, y), (u, v) in zip(from_.tolist(), to.tolist(), strict=True):
        rows += [[x, y, 1, 0, 0, 0, -u * x, -u * y], [0, 0, 0, x, y, 1, -v * x, -v * y]]
        wanted += [u, v]
    found = np.linalg.solve(np.array(rows), np.array(wanted))
    return np.append(found, 1.0).reshape(3, 3)


# Light and grain.


def _lit_evenly(folha: Folha) -> Folha:
    """The paper as white as it is, whatever light fell on it: each place against the brightest near it."""
    small, _ = _reduced(folha.pixels, _SMALL)
    light = Image.fromarray(small.astype(np.uint8)).filter(ImageFilter.MedianFilter(3)).filter(ImageFilter.MaxFilter(_LIT // 4 * 2 + 1))
    light = light.filter(ImageFilter.GaussianBlur(_LIT / 4))
    levels = np.asarray(light, np.float32)
    if levels.min() > 255 - 2 * _EVEN_LIGHT or levels.max() < _DARKEST_PAPER:
        return folha
    rows, columns = folha.pixels.shape
    lit = np.asarray(light.resize((columns, rows), Image.Resampling.BILINEAR), np.float32)
    even = folha.pixels / np.maximum(lit, _DARKEST_PAPER) * 245.0
    return Folha(even.clip(0, 255).astype(np.uint8), folha.origem)


def _in_contrast(folha: Folha) -> Folha:
    """Paper white and ink black: readers part them by one grey for all, and weak ink on rough paper is nearer to it than to white."""
    rough, paper = (float(one) for one in np.percentile(folha.pixels[::4, ::4], (16, 50)))
    white = paper - 2 * (paper - rough)
    dark = min(float(np.percentile(folha.pixels[::4, ::4], _INK_SHARE)), white - _LEAST_CONTRAST)
    if paper < _BRIGHT_PAPER or (white > 250 and dark < 30):
        return folha
    stretched = (folha.pixels.astype(np.float32) - dark) * (255 / (white - dark))
    return Folha(stretched.clip(0, 255).astype(np.uint8), folha.origem)


def _without_grain(folha: Folha) -> Folha:
    grain = _grain(folha.pixels)
    if grain < _GRAIN:
        return folha
    image = Image.fromarray(folha.pixels).filter(ImageFilter.MedianFilter(3))
    if grain > _COARSE_GRAIN:
        image = image.filter(ImageFilter.GaussianBlur(0.8))
    return Folha(np.asarray(image), folha.origem)


def _grain(pixels: Cinza) -> float:
    """How far places where nothing is written are from those around them, on the whole; looked at in strips of the picture."""
    side = _STRIP
    columns = pixels.shape[1] // side * side
    starts = range(side, pixels.shape[0] - 2 * side, max(side, pixels.shape[0] // _STRIPS))
    if not columns or not starts:
        return 0.0
    off = []
    for start in starts:
        strip = pixels[start : start + side, :columns]
        smooth = np.asarray(Image.fromarray(strip).filter(ImageFilter.MedianFilter(3)), np.int16)
        off.append(np.abs(strip - smooth).reshape(side, columns // side, side).mean((0, 2)))
    return float(np.percentile(np.concatenate(off), 30))


# Lines.


def _on_its_feet(folha: Folha) -> Folha:
    """With its lines across, not up and down; whether they stand on their heads cannot be seen in them."""
    dark = _ink(_reduced(folha.pixels, _MIDDLE)[0])
    across, along = (max(_sharpness(_rotated(one, tilt)) for tilt in _TILTS[::2]) for one in (dark, np.rot90(dark)))
    return folha.turned(1) if along > _ON_ITS_SIDE * across else folha


def _straight(folha: Folha) -> Folha:
    """With its lines level."""
    dark = _ink(_reduced(folha.pixels, _MIDDLE)[0])
    tilt = float(max(_TILTS, key=lambda one: _sharpness(_rotated(dark, one))))
    tilt += float(max(_FINE_TILTS, key=lambda one: _sharpness(_rotated(dark, tilt + one))))
    if abs(tilt) < _LEAST_TILT:
        return folha
    rows, columns = folha.pixels.shape
    image = Image.fromarray(folha.pixels).rotate(tilt, Image.Resampling.BICUBIC, expand=True, fillcolor=255)
    turn = math.radians(tilt)
    cos, sin = math.cos(turn), math.sin(turn)
    # Against the clock about the middle, as Pillow turns, and back.
    middle_x, middle_y = (image.width - 1) / 2, (image.height - 1) / 2
    back = np.array(
        [
            [cos, -sin, (columns - 1) / 2 - cos * middle_x + sin * middle_y],
            [sin, cos, (rows - 1) / 2 - sin * middle_x - cos * middle_y],
            [0.0, 0.0, 1.0],
        ]
    )
    return Folha(np.asarray(image), folha.origem @ back)


def _ink(small: NDArray[np.float32]) -> NDArray[np.float32]:
    """How dark each place is against those around it, without solid stretches, which are pictures and bands."""
    image = Image.fromarray(small.astype(np.uint8))
    around = np.asarray(image.filter(ImageFilter.BoxBlur(12)), np.float32)
    dark = (around - small > 25).astype(np.float32)
    solid = np.asarray(Image.fromarray((dark * 255).astype(np.uint8)).filter(ImageFilter.BoxBlur(4)), np.float32) / 255
    dark[solid > 0.75] = 0
    edge = max(2, min(small.shape) // 60)
    dark[:edge] = dark[-edge:] = 0
    dark[:, :edge] = dark[:, -edge:] = 0
    return dark


def _rotated(dark: NDArray[np.float32], tilt: float) -> NDArray[np.float32]:
    turned = Image.fromarray((dark * 255).astype(np.uint8)).rotate(float(tilt), Image.Resampling.NEAREST)
    return np.asarray(turned, np.float32) / np.float32(255)


def _sharpness(dark: NDArray[np.float32]) -> float:
    """How sharply lines and the blanks between them alternate from top to bottom."""
    profile = dark.sum(1)
    return float((np.diff(profile) ** 2).sum() / max(1.0, float(dark.sum())))


# Two pages.


def _halves(folha: Folha) -> tuple[Folha, ...]:
    """The two pages of an open folder, left and right; the sheet itself where it is one."""
    rows, columns = folha.pixels.shape
    if columns < _OPEN_FOLDER * rows:
        return (folha,)
    dark = _ink(_reduced(folha.pixels, _MIDDLE)[0])
    fold = _fold(dark)
    if fold is None:
        return (folha,)
    at = round(fold * columns)
    right = np.array([[1.0, 0.0, float(at)], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
    return Folha(folha.pixels[:, :at], folha.origem), Folha(folha.pixels[:, at:], folha.origem @ right)


def _fold(dark: NDArray[np.float32]) -> float | None:
    """Where two pages meet, as a share of the width: a strip without letters, with lines of their own on both sides."""
    columns = dark.shape[1]
    low, high = (round(share * columns) for share in _GUTTER)
    per_column = dark.sum(0)
    blank = per_column <= 0.004 * dark.shape[0]
    line = per_column >= 0.5 * dark.shape[0]  # the fold itself, drawn as a line from top to bottom
    best = _longest(blank[low:high] | line[low:high])
    if best is None or best[1] - best[0] < _LEAST_GUTTER * columns:
        return None
    middle = low + (best[0] + best[1]) // 2
    left, right = dark[:, :middle], dark[:, middle:]
    total = float(dark.sum())
    if not total or min(float(left.sum()), float(right.sum())) < _LEAST_HALF * total:
        return None
    if not line[low:high].any() and _correlation(left.sum(1), right.sum(1)) > _SAME_LINES:
        return None
    return float(middle / columns)


def _longest(free: NDArray[np.bool_]) -> tuple[int, int] | None:
    edges = np.flatnonzero(np.diff(np.concatenate(([0], free.view(np.int8), [0]))))
    if not len(edges):
        return None
    starts, ends = edges[::2], edges[1::2]
    at = int((ends - starts).argmax())
    return int(starts[at]), int(ends[at])


def _correlation(one: NDArray[np.float32], other: NDArray[np.float32]) -> float:
    if not one.std() or not other.std():
        return 0.0
    return float(np.corrcoef(one, other)[0, 1])
