"""When a complaint comes, which is no wish for that time of day: `travando de manhã`."""

from __future__ import annotations

import re
from typing import Final

from crivo.clinicas.orquestrador.planner.lexico import symptom

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
