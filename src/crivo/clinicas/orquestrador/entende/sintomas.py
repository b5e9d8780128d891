"""When a complaint comes, which is no wish for that time of day and asks for nothing: `travando de manhã`, `quando subo escada`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from crivo.clinicas.orquestrador.entende.lexico import symptom

_PARTED: Final = re.compile(r"[,.;!?]")
_NEAR: Final = 4


def is_of_complaint(text: str, start: int, end: int) -> bool:
    """Whether a part of the day that stands there in a folded text tells of a complaint beside it, no wish between the two."""
    begin = max((match.end() for match in _PARTED.finditer(text, 0, start)), default=0)
    stop = _PARTED.search(text, end)
    complaints = symptom("sintoma")
    before = [text[match.end() : start] for match in complaints.finditer(text, begin, start)]
    after = [text[end : match.start()] for match in complaints.finditer(text, end, stop.start() if stop else len(text))]
    return any(len(between.split()) <= _NEAR and not symptom("desejo").search(between) for between in (*before[-1:], *after[:1]))


def is_figure(text: str, start: int, end: int) -> bool:
    """Whether a complaint that stands there is a figure of speech, told in jest: `meu coração dispara quando vejo o preço`."""
    begin = max((match.end() for match in _PARTED.finditer(text, 0, start)), default=0)
    stop = _PARTED.search(text, end)
    return symptom("figura").search(text, begin, stop.start() if stop else len(text)) is not None


def circumstances(text: str) -> Iterator[tuple[int, int]]:
    """The stretches of a folded text that only tell when a complaint comes; a wish ends them, and there is none if it follows at once."""
    for match in symptom("circunstancia").finditer(text):
        begin = max((one.end() for one in _PARTED.finditer(text, 0, match.start())), default=0)
        parted = _PARTED.search(text, match.end())
        stop = parted.start() if parted else len(text)
        wish = symptom("desejo").search(text, match.end(), stop)
        end = wish.start() if wish else stop
        if text[match.end() : end].strip() and symptom("sintoma").search(text, begin, stop):
            yield match.start(), end
