"""Days and hours that only bound what is asked: `depois do 24`, `na semana do dia 28`, `chego dia 23`, `trabalho até as 17`."""

from __future__ import annotations

import re
from calendar import monthrange
from datetime import date, datetime, time, timedelta
from typing import Final

import msgspec

from crivo.clinicas.orquestrador.entende.criterios import DISTANT, Dia, Hora
from crivo.clinicas.orquestrador.entende.lexico import reference, weeks_of_a_month
from crivo.clinicas.orquestrador.entende.momentos.tempo import AFTER_DAY, BEFORE_DAY, STRICT, Momento, coming_day, find_moments

_EVER: Final = "0000-01-01"
_GAP: Final = len(" no dia ")
_DAWN, _MIDNIGHT = "00:00", "23:59"
_WEEK: Final = 7
_FRIDAY: Final = 4
_ARTICLES: Final = frozenset({"o", "do", "del", "el", "the", "ao"})


def with_bounds(text: str, moments: list[Momento], today: date) -> list[Momento]:
    """The moments of a text with the days and hours that bound what is asked as bounds."""
    joined = _hours_joined(text, [*moments, *_ends_of_this_month(text, moments, today)])
    weeks = [match.span() for _, pattern in weeks_of_a_month() for match in pattern.finditer(text)]
    within = [one for one in joined if one.dia and any(start <= one.start and one.end <= end for start, end in weeks)]
    days = [_bounding(text, _of_a_week(text, _figure_bound(text, one, today), today)) for one in joined if one not in within]
    free = [one for day in days for one in _busy(text, _not_beyond(text, day))]
    taken = [(one.start, one.end) for one in free if one not in days]
    told = [one for one in free if one not in days or not any(start <= one.start and one.end <= end for start, end in taken)]
    return _after_that_day(text, _after_that_hour(text, told))


def _ends_of_this_month(text: str, moments: list[Momento], today: date) -> list[Momento]:
    """This month, where only its beginning or its end is told of: `no fim do mês`."""
    month = Dia(today.isoformat(), today.replace(day=monthrange(today.year, today.month)[1]).isoformat())
    ends = [match.end() for _, pattern in weeks_of_a_month() for match in pattern.finditer(text)]
    spans = [found.span("month") for found in (_THIS_MONTH.match(text, end) for end in ends) if found]
    return [Momento(*span, dia=month) for span in spans if not any(one.start < span[1] and span[0] < one.end for one in moments)]


_THIS_MONTH: Final = re.compile(
    r"\s+(?P<month>d[eo]ste mes|d[eo]sse mes|do mes|of (?:the|this) month|del mes|de este mes)\b"
    r"(?!\s+(?:que\s+v|de\s|passad|proxim|seguint))"
)
_OF_A_MONTH: Final = re.compile(r"\s*(?:d[eo]|of|in|del)?\s*")
_STRETCHES: Final = (
    (re.compile(r"\b(?:das?|de|from|de las)\s$"), re.compile(r"\s*(?:as|ate|ate\s+as|a\s+las|to|until)\s")),
    (re.compile(r"\b(?:entre|between)\s(?:as\s|o\s|las\s)?$"), re.compile(r"\s*(?:e|as|ate|and|y|to)\s")),
)


def _hours_joined(text: str, moments: list[Momento]) -> list[Momento]:
    """Two hours that are the ends of one stretch, as that stretch: `das 8 às 17`."""
    joined: list[Momento] = []
    for one in sorted(moments, key=lambda moment: moment.start):
        last = joined[-1] if joined else None
        stretch = _stretch(text, last, one) if last else None
        if last and stretch:
            joined[-1] = Momento(last.start, one.end, hora=stretch)
        else:
            joined.append(one)
    return joined


_FIGURE_AT: Final = re.compile(r"\d|(?<= )(?!as |las )[a-z]+$")


def _stretch(text: str, one: Momento, other: Momento) -> Hora | None:
    """The hours between two; None where the words do not say so."""
    if not (one.hora and other.hora and one.hora.is_one_time) or other.start - one.end > _GAP:
        return None
    digits = _FIGURE_AT.search(text, one.start, one.end)
    begin = digits.start() if digits else one.start
    if not any(before.search(text, 0, begin) and between.match(text, one.end) for before, between in _STRETCHES):
        return None
    ends = sorted(other.hora.readings or (other.hora.last,))
    first = next((time for time in one.hora.readings if time < ends[-1]), None)
    return Hora(first=first, last=next(time for time in ends if time > first)) if first else None


def _figure_bound(text: str, moment: Momento, today: date) -> Momento:
    """A bare figure that an article makes a day, before or after which it shall be: `depois do 24`, `até o 30`, `after the 24`."""
    if moment.numero is None:
        return moment
    hour = _hour_bound(text, moment, today)
    if hour is not None:
        return hour
    told = text[: moment.start].rstrip()
    day = coming_day(moment.numero, today) if told.rsplit(" ", 1)[-1] in _ARTICLES else None
    if day is None:
        return moment
    for pattern, step in ((BEFORE_DAY, -1), (AFTER_DAY, 1)):
        if match := pattern.search(text[: moment.start]):
            edge = _moved(day.isoformat(), step) if STRICT.search(match.group()) else day.isoformat()
            return Momento(match.start(), moment.end, dia=Dia(_EVER, edge) if step < 0 else Dia(edge, DISTANT))
    if _just_before("semana_de", text, moment.start) is not None:
        return Momento(moment.start, moment.end, dia=Dia(day.isoformat(), day.isoformat()))
    return moment


_BOUNDS_AN_HOUR: Final = re.compile(r"\b(?:antes|depois|apos|despues|ate|hasta|a partir)\s+(?:d?as|de las|las)\s*$")


def _not_beyond(text: str, moment: Momento) -> Momento:
    """An hour that the slot shall be no later or no earlier than, as that bound: `no later than 4pm`, `no más temprano que las 10`."""
    hora = moment.hora
    edge = (hora.readings[0] if hora.readings else hora.first) if hora is not None and (hora.readings or hora.last == _MIDNIGHT) else ""
    for name, free in (("nao_mais_tarde_que", Hora(first=_DAWN, last=edge)), ("nao_mais_cedo_que", Hora(first=edge, last=_MIDNIGHT))):
        start = _just_before(name, text, moment.start) if edge else None
        if start is not None:
            return Momento(start, moment.end, hora=free)
    return moment


def _hour_bound(text: str, moment: Momento, today: date) -> Momento | None:
    """A bare figure that `antes das`, `depois das` makes an hour, whatever word follows it: `antes das 10 eu não consigo`."""
    led = _BOUNDS_AN_HOUR.search(text, 0, moment.start)
    found = find_moments(text[led.start() : moment.end], datetime.combine(today, time())) if led else []
    hora = found[0].hora if len(found) == 1 else None
    return Momento(led.start(), moment.end, hora=hora) if led and hora is not None else None


def _of_a_week(text: str, moment: Momento, today: date) -> Momento:
    """The week that a day is told of (`na semana do dia 28`), or a week of a month by its place (`na primeira semana de agosto`)."""
    if moment.dia is None:
        return moment
    start = _just_before("semana_de", text, moment.start)
    if moment.dia.is_one_day and start is not None:
        day = date.fromisoformat(moment.dia.first)
        monday = day - timedelta(days=day.weekday())
        return Momento(start, moment.end, dia=Dia(max(monday, today).isoformat(), (monday + timedelta(days=_WEEK - 1)).isoformat()))
    if moment.dia.is_one_day or moment.dia.last == DISTANT or moment.dia.first == _EVER:
        return moment
    for place, pattern in weeks_of_a_month():
        found = [match for match in pattern.finditer(text, 0, moment.start) if _OF_A_MONTH.fullmatch(text[match.end() : moment.start])]
        if found:
            return Momento(found[-1].start(), moment.end, dia=_part_of_span(moment.dia, place, today))
    return moment


def _part_of_span(span: Dia, place: int, today: date) -> Dia:
    """The week at a place of a month, from its first with working days; of a week its beginning or its end. -1 is the last."""
    last = date.fromisoformat(span.last)
    if (last - date.fromisoformat(span.first)).days < _WEEK:
        monday = last - timedelta(days=last.weekday())
        first, until = (monday, monday + timedelta(days=2)) if place > 0 else (monday + timedelta(days=3), last)
    elif place < 0:
        first, until = last - timedelta(days=last.weekday()), last
    else:
        begin = last.replace(day=1)
        sunday = begin + timedelta(days=_WEEK - 1 - begin.weekday() + (_WEEK if begin.weekday() >= _FRIDAY else 0))
        first = begin if place == 1 else sunday + timedelta(days=1 + _WEEK * (place - 2))
        until = sunday if place == 1 else first + timedelta(days=_WEEK - 1)
    return Dia(max(first, today).isoformat(), max(until, today).isoformat())


def _just_before(name: str, text: str, start: int) -> int | None:
    """Where words of a reference begin that stand right before a place; None where none do."""
    found = [match for match in reference(name).finditer(text, 0, start) if not text[match.end() : start].strip()]
    return found[-1].start() if found else None


_NEAR: Final = re.compile(r"(?:\s+(?:d[aeo]s?|n[ao]s?|as?|at|las|ate|la|sempre|so|somente|mais ou menos|umas?|pelas?))*\s*")


def _busy(text: str, moment: Momento) -> list[Momento]:
    """The hours left free by those told as taken: `trabalho até as 17`, `estudo de manhã`, `saio às 18h`, `entro às 13h`."""
    hora = moment.hora
    if hora is None:
        return [moment]
    for name in ("ocupado", "sai", "entra"):
        found = reference(name).finditer(text, 0, moment.start)
        near = [match.start() for match in found if _NEAR.fullmatch(text, match.end(), moment.start)]
        told = [start for start in near if not text[:start].endswith("nao ")]
        free = _left_free(name, hora) if told else []
        if free:
            return [Momento(told[-1], moment.end, hora=one) for one in free]
    return [moment]


def _left_free(name: str, hora: Hora) -> list[Hora]:
    """The hours that are free, by how those told are taken: all of them, up to them, or from them on."""
    first, last = (hora.readings[0], hora.readings[0]) if hora.is_one_time else (hora.first, hora.last)
    if name == "ocupado" and hora.is_one_time:
        return []
    before = [Hora(first=_DAWN, last=first)] if name != "sai" and first > _DAWN else []
    after = [Hora(first=last, last=_MIDNIGHT)] if name != "entra" and last < _MIDNIGHT else []
    return [*before, *after]


def _after_that_hour(text: str, moments: list[Momento]) -> list[Momento]:
    """The hour before `depois disso` as the one from which on it may be, where no day is told there."""
    for name in ("depois_dessa_hora", "antes_dessa_hora"):
        for match in reference(name).finditer(text):
            told = [one for one in moments if one.end <= match.start() and (one.dia is not None or one.hora is not None)]
            last = told[-1] if told else None
            if last is None or last.hora is None or not last.hora.is_one_time:
                continue
            time = last.hora.readings[0]
            free = Hora(first=time, last=_MIDNIGHT) if name.startswith("depois") else Hora(first=_DAWN, last=time)
            moments = [Momento(*match.span(), hora=free) if one is last else one for one in moments]
    return moments


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
