"""The letters of a PDF page that nobody sees: taking them away changes nothing that an eye would notice, or they are too small to read.

One drawing without any text settles most pages; texts under other texts are taken away by turns, those that touch never in one turn.
Source: design, Hidden or instructing text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from crivo.triagem.documentos.lido import TruqueOculto
from crivo.triagem.documentos.pdfium import Letters, Pixels, Sheet
from crivo.triagem.documentos.pixels import Boxes, Mask, changed, counts, crowded, middle_color
from crivo.triagem.documentos.texto import from_codes

_QUICK, _CLOSE = 1.0, 2.0  # pixels a point: at a glance, and where the glance leaves a doubt
_LEAST_SCALE: Final = 0.5  # under it letters cannot be told apart, and pixels say nothing
_SMALLEST_READABLE: Final = 2.5  # points
_FLATTEST: Final = 0.3  # points: the widest or the tallest letter of a text squeezed to a line
_SHORTEST_RUN: Final = 4  # letters in a row without paint, in a text that has paint elsewhere
_LONGEST_OVERRUN: Final = 120  # letters of a line that runs off the paper
_SAME_LINE: Final = 0.3  # of the lower of two letters, at the height of the other
_MOST_TURNS: Final = 24  # drawings of one page
_SAME_COLOR: Final = 32  # of 255, in the channel that differs most


@dataclass(frozen=True, slots=True)
class Hidden:
    """The hidden letters of a page: a mask over its letters, and what hides each text object they belong to."""

    mask: Mask
    tricks: dict[int, TruqueOculto]


@dataclass(frozen=True, slots=True)
class Drawn:
    """A page drawn with and without its texts, at `scale` pixels a point."""

    scale: float
    whole: Pixels
    bare: Pixels


def find_hidden(sheet: Sheet) -> tuple[Hidden, Drawn]:
    """What a page hides, and how it looks."""
    letters, telling = sheet.letters, _telling(sheet.letters)
    mask = np.zeros(len(letters.codes), np.bool_)
    drawn = _draw(sheet, _QUICK)
    if not telling.any():
        return Hidden(mask, {}), drawn
    mask |= _tiny(sheet, telling)
    if drawn.scale >= _LEAST_SCALE:
        positions = np.flatnonzero(telling)
        boxes = letters.boxes[positions] * drawn.scale
        doubtful = (counts(changed(drawn.whole, drawn.bare), boxes) == 0) | crowded(boxes, *drawn.whole.shape[:2])
        if doubtful.any():
            drawn = _draw(sheet, _CLOSE)
            mask |= _unpainted(sheet, drawn, telling)
            mask |= _covered(sheet, drawn, telling & ~mask)
    if not mask.any():
        return Hidden(mask, {}), drawn
    hidden = _with_blanks(letters, mask)
    hidden &= ~_also_seen(letters, telling, hidden)
    tricks = {int(index): _trick(sheet, int(index), hidden, drawn) for index in np.unique(letters.objects[hidden])}
    return Hidden(hidden, tricks), drawn


def _draw(sheet: Sheet, wanted: float) -> Drawn:
    scale = sheet.scale(wanted)
    whole = sheet.draw(scale)
    return Drawn(scale, whole, sheet.draw_bare(scale) if sheet.texts else whole)


def passages(sheet: Sheet, hidden: Hidden) -> Iterator[tuple[TruqueOculto, str]]:
    """The hidden text, a passage for each stretch that one trick hides."""
    letters, trick, codes = sheet.letters, None, []
    for index in np.flatnonzero(hidden.mask | (letters.objects == -1)):
        item = int(letters.objects[index])
        now = hidden.tricks[item] if item >= 0 else trick
        if now != trick and trick is not None and codes:
            yield trick, from_codes(codes)
            codes = []
        trick = now
        if trick is not None:
            codes.append(int(letters.codes[index]))
    if trick is not None and codes:
        yield trick, from_codes(codes)


def _telling(letters: Letters) -> Mask:
    """Letters and digits that belong to a text object: dots and blanks paint too little to judge by."""
    known = {code: chr(code).isalnum() for code in np.unique(letters.codes).tolist()}
    alphanumeric = np.fromiter((known[code] for code in letters.codes.tolist()), np.bool_, len(letters.codes))
    mask: Mask = alphanumeric & (letters.objects >= 0)
    return mask


def _tiny(sheet: Sheet, telling: Mask) -> Mask:
    """Letters too small to read. Boxes tell which objects to ask for the size of their letters."""
    letters = sheet.letters
    sides = letters.boxes[:, 2:] - letters.boxes[:, :2]
    largest_sides = np.zeros((len(sheet.texts), 2))
    np.maximum.at(largest_sides, letters.objects[telling], sides[telling])
    largest = largest_sides.max(1)
    present = np.unique(letters.objects[telling])
    found: Mask = telling & np.isin(letters.objects, present[largest_sides[present].min(1) < _FLATTEST])
    for item in present[largest[present] < _SMALLEST_READABLE].tolist():
        if sheet.text_object(item).size < _SMALLEST_READABLE:
            found |= telling & (letters.objects == item)
    return found


def _unpainted(sheet: Sheet, drawn: Drawn, telling: Mask) -> Mask:
    """Letters that are nowhere on the page: they paint nothing where they should be, nor anywhere else."""
    letters = sheet.letters
    missing = telling & (counts(changed(drawn.whole, drawn.bare), letters.boxes * drawn.scale) == 0)
    found = np.zeros(len(missing), np.bool_)
    absent: list[int] = []
    for item in np.unique(letters.objects[missing]).tolist():
        own = np.flatnonzero(telling & (letters.objects == item))
        if missing[own].all():
            absent.append(item)
        else:
            found[own[_long_runs(missing[own])]] = True
    found |= telling & np.isin(letters.objects, list(_without_a_trace(sheet, drawn, absent, away=())))
    return found


def _without_a_trace(sheet: Sheet, drawn: Drawn, items: Sequence[int], away: Sequence[int]) -> Iterator[int]:
    """The text objects whose absence, with that of those already `away`, changes nothing anywhere, wherever their boxes say they are."""
    groups, gone = [list(items)] if items else [], list(away)
    for _ in range(_MOST_TURNS):
        if not groups:
            return
        group = groups.pop()
        if not changed(drawn.whole, sheet.draw(drawn.scale, without=(*gone, *group))).any():
            gone += group
            yield from group
        elif len(group) > 1:
            half = len(group) // 2
            groups += [group[:half], group[half:]]


def _covered(sheet: Sheet, drawn: Drawn, telling: Mask) -> Mask:
    """Letters that lie with letters of another text, and whose own absence changes nothing where they are."""
    letters = sheet.letters
    boxes = letters.boxes * drawn.scale
    found = np.zeros(len(telling), np.bool_)
    positions = np.flatnonzero(telling)
    close = positions[crowded(boxes[positions], *drawn.whole.shape[:2])]
    items, times = np.unique(letters.objects[close], return_counts=True)
    away: list[int] = []  # of two that say the same on one spot, one is seen: what was found hidden stays away
    groups, pile = _apart(letters, telling, items[times >= _SHORTEST_RUN].tolist())
    for group in groups:
        paint = changed(drawn.whole, sheet.draw(drawn.scale, without=(*away, *group)))
        own = np.flatnonzero(telling & np.isin(letters.objects, group))
        bare = counts(paint, boxes[own]) == 0
        for item in group:
            mine = own[letters.objects[own] == item]
            absent = bare[letters.objects[own] == item]
            found[mine[absent if absent.all() else _long_runs(absent)]] = True
            if absent.all():
                away.append(item)
    found |= telling & np.isin(letters.objects, list(_without_a_trace(sheet, drawn, pile, away)))
    return found


def _apart(letters: Letters, telling: Mask, items: Iterable[int]) -> tuple[list[list[int]], list[int]]:
    """The text objects in groups within which no two touch, and those left over of a pile too high for that."""
    groups: list[tuple[list[int], list[NDArray[np.float64]]]] = []
    pile: list[int] = []
    for item in items:
        box = _around(letters.boxes[telling & (letters.objects == item)])
        for members, boxes in groups:
            if not any(_touch(box, other) for other in boxes):
                members.append(item)
                boxes.append(box)
                break
        else:
            if len(groups) < _MOST_TURNS:
                groups.append(([item], [box]))
            else:
                pile.append(item)
    return [members for members, _ in groups], pile


def _around(boxes: Boxes) -> NDArray[np.float64]:
    return np.concatenate((boxes[:, :2].min(0), boxes[:, 2:].max(0)))


def _touch(one: NDArray[np.float64], other: NDArray[np.float64]) -> bool:
    return bool((one[:2] < other[2:]).all() and (other[:2] < one[2:]).all())


def _long_runs(mask: Mask) -> Mask:
    """Where a mask holds for several letters in a row."""
    edges = np.diff(np.concatenate(([0], mask.astype(np.int8), [0])))
    kept = np.zeros(len(mask), np.bool_)
    for start, end in zip(np.flatnonzero(edges == 1), np.flatnonzero(edges == -1), strict=True):
        kept[start:end] = end - start >= _SHORTEST_RUN
    return kept


def _with_blanks(letters: Letters, mask: Mask) -> Mask:
    """Hidden letters with the dots and blanks between them: those of one object after a hidden letter and before a seen one."""
    hidden = mask.copy()
    telling = _telling(letters)
    previous, item = False, -1
    for index in np.flatnonzero(letters.objects >= 0).tolist():
        if letters.objects[index] != item:
            item = int(letters.objects[index])
            own = letters.objects == item
            previous = bool(mask[own & telling].all() and (own & telling).any())
        if telling[index]:
            previous = bool(mask[index])
        hidden[index] = previous
    return hidden


def _also_seen(letters: Letters, telling: Mask, hidden: Mask) -> Mask:
    """Hidden objects whose words can be seen where they are, as those of a shadow or of a bold made by writing twice."""
    repeated = np.zeros(len(hidden), np.bool_)
    seen = telling & ~hidden
    middles = (letters.boxes[:, :2] + letters.boxes[:, 2:]) / 2
    for item in np.unique(letters.objects[hidden]).tolist():
        own = hidden & (letters.objects == item)
        box = _around(letters.boxes[own & telling])
        margin = (box[3] - box[1]) / 2
        near = seen & (middles >= box[:2] - margin).all(1) & (middles <= box[2:] + margin).all(1)
        if near.any() and _folded(letters, own & telling) in _folded(letters, near):
            repeated |= own
    return repeated


def _folded(letters: Letters, mask: Mask) -> str:
    return from_codes(letters.codes[mask].tolist()).casefold()


def _trick(sheet: Sheet, item: int, hidden: Mask, drawn: Drawn) -> TruqueOculto:
    text = sheet.text_object(item)
    box = _around(sheet.letters.boxes[hidden & (sheet.letters.objects == item)])
    width, height = sheet.size
    if text.invisible or text.layered or not text.alpha:
        return "invisivel"
    if text.size < _SMALLEST_READABLE or min(box[2:] - box[:2]) < _FLATTEST:
        return "minusculo"
    if box[2] <= 0 or box[3] <= 0 or box[0] >= width or box[1] >= height:
        return "cortado" if _runs_off(sheet, item, hidden) else "fora_da_pagina"
    behind = middle_color(drawn.bare, box * drawn.scale)
    if max(abs(one - other) for one, other in zip(text.color, behind, strict=True)) < _SAME_COLOR:
        return "sem_cor"
    return "encoberto"


def _runs_off(sheet: Sheet, item: int, hidden: Mask) -> bool:
    """Whether the hidden letters of an object are the end of a line that begins in sight: honest where a line is too long for its page."""
    letters = sheet.letters
    own = np.flatnonzero(hidden & (letters.objects == item))
    before = np.flatnonzero(letters.objects[: own[0]] >= 0)
    if not len(before) or hidden[before[-1]] or len(own) > _LONGEST_OVERRUN:
        return False
    last, box = letters.boxes[before[-1]], _around(letters.boxes[own])
    height = box[3] - box[1]
    same_line = min(last[3], box[3]) - max(last[1], box[1]) >= _SAME_LINE * min(last[3] - last[1], height)
    return bool(same_line and sheet.size[0] - height <= box[0] <= last[2] + height)
