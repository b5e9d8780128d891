"""Days that only bound what is asked: `depois desse dia`, `chego dia 23`, `viajo dia 20`."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Final

import msgspec

from crivo.clinicas.orquestrador.planner.criterios import DISTANT, Dia
from crivo.clinicas.orquestrador.planner.lexico import reference
from crivo.clinicas.orquestrador.planner.tempo import Momento

_EVER: Final = "0000-01-01"
_GAP: Final = len(" no dia ")


def with_bounds(text: str, moments: list[Momento]) -> list[Momento]:
    """The moments of a text with the days that bound what is asked as bounds."""
    return _after_that_day(text, [_bounding(text, moment) for moment in moments])


def _bounding(text: str, moment: Momento) -> Momento:
    """The day of an arrival as the first of those asked for, that of a departure as the end of them."""
    if moment.dia is None or not moment.dia.is_one_day:
        return moment
    before = text[: moment.start]
    for name, bound in (("chegada", Dia(moment.dia.first, DISTANT)), ("partida", Dia(_EVER, _moved(moment.dia.first, -1)))):
        told = [match.end() for match in reference(name).finditer(before)]
        if told and len(before) - told[-1] <= _GAP:
            return msgspec.structs.replace(moment, dia=bound)
    return moment


def _after_that_day(text: str, moments: list[Momento]) -> list[Momento]:
    """The day before `depois desse dia` gives way to those after it."""
    for name, step in (("depois_desse_dia", 1), ("antes_desse_dia", -1)):
        for match in reference(name).finditer(text):
            named = [one for one in moments if one.dia is not None and one.end <= match.start()]
            if not named or named[-1].dia is None:
                continue
            told = named[-1].dia
            first, last = (told.first, told.first if told.last == DISTANT else told.last)
            edge = last if step > 0 else (first if first != _EVER else _moved(last, 1))
            bound = Dia(_moved(edge, 1), DISTANT) if step > 0 else Dia(_EVER, _moved(edge, -1))
            kept = [one for one in moments if one is not named[-1] and (one.end <= match.start() or one.start >= match.end())]
            moments = [*kept, Momento(*match.span(), dia=bound)]
    return sorted(moments, key=lambda one: one.start)


def _moved(day: str, days: int) -> str:
    return (date.fromisoformat(day) + timedelta(days=days)).isoformat()
