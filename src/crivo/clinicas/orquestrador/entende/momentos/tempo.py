"""Days and times in a sentence as criteria: single ones, ranges, bounds, bare figures, and what is wrong with them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from typing import Final, Literal

import msgspec

from crivo.clinicas.orquestrador.entende.criterios import DISTANT, Dia, Hora, period
from crivo.clinicas.orquestrador.entende.idioma import language_of
from crivo.kernel.linguagem.datas import FoundDate
from crivo.kernel.linguagem.horas import FoundTime
from crivo.kernel.linguagem.texto import read

Falha = Literal["passada", "inexistente", "contraditoria", "hora_inexistente", "duas_leituras"]
_MIDDAY, _EARLY, _LATE = "12:00", "10:00", "16:00"

BEFORE_DAY: Final = re.compile(r"\b(?:ate|antes d[eoa]|antes|until|before|by|hasta|antes del)\s*(?:o\s+|a\s+|the\s+|el\s+|no\s+)?$")
AFTER_DAY: Final = re.compile(
    r"\b(?:a partir d[eoa]|depois d[eoa]|apos|after|from|despues de|despues del|a partir del|desde)\s*(?:o\s+|a\s+|"
    r"the\s+|el\s+)?$"
)
STRICT: Final = re.compile(r"\b(?:antes|before|depois|apos|after|despues)\b")
_ONWARD: Final = re.compile(r"^\s*(?:em diante|para frente|or later|onwards|en adelante|ou depois(?!\s+d))\b")
_BETWEEN: Final = re.compile(r"\b(?:entre|de|between|from|do)\s*(?:os\s+|o\s+|the\s+)?(?:dias?\s+)?$")
_TO: Final = re.compile(r"^\s*(?:e|a|ate|ao|and|to|y|al|hasta)\s*(?:o\s+|a\s+|the\s+)?(?:dia\s+)?$")
_FIGURES: Final = re.compile(
    r"\b(?:entre|de|between|from)\s+(?:os\s+dias\s+|o\s+dia\s+|dias?\s+)?(\d{1,2})\s+(?:e|a|ate|ao|and|to|y|"
    r"al)\s+(?:o\s+dia\s+|dia\s+)?(\d{1,2})(?!\s*(?:h|:|am|pm|\d|da\s+(?:manha|tarde|noite)))\b"
)
_HOURS_BETWEEN: Final = re.compile(
    r"\b(?:entre|das|de|between|from)\s+(?:as\s+|las\s+)?(\d{1,2})(?:h|hs|:00|am|pm)?\s+(?:e|as|ate|and|to|y|a|"
    r"a las)\s+(?:as\s+|las\s+)?(\d{1,2})\s?(?:h|hs|horas|:00|pm|am|da\s+manha|da\s+tarde|da\s+noite)\b"
)
_MORE_DAYS: Final = re.compile(r"^\s*(?:,|ou|e|or|and|o|y)\s+(?:n?o\s+)?(?:dia\s+)?(\d{1,2})(?!\s*(?:h\b|:|\d|/|horas|a?o?\s+opc))\b")
_WEEKEND: Final = re.compile(
    r"\b(?:(?:n?o|n?este|n?esse|proximo)\s+)?(?:fim|final)\s+de\s+semana(?P<next>\s+que\s+vem)?|weekend|fin de semana"
)
_COMING: Final = re.compile(r"\b(?:proximos dias|estes dias|esses dias|next few days|proximos dias)\b")
_PARTS: Final = (
    (re.compile(r"\b(?:antes do almoco|before lunch|before noon|antes do meio[ -]dia)\b"), Hora(first="05:00", last="11:59")),
    (re.compile(r"\b(?:depois do almoco|apos o almoco|after lunch|depois do meio[ -]dia)\b"), Hora(first="12:30", last="18:29")),
    (re.compile(r"\b(?:cedinho|bem cedo|logo cedo|amanha cedo|de manhazinha|first thing)\b"), Hora(first="05:00", last=_EARLY)),
    (re.compile(r"\b(?:fim|final) d[ae] (?:tarde|dia)\b|\btard(?:ez)?inha\b|\blate afternoon\b"), Hora(first=_LATE, last="19:00")),
    (re.compile(r"\b(?:inicio|comeco) da tarde\b|\bearly afternoon\b"), Hora(first=_MIDDAY, last="14:30")),
    (re.compile(r"\b(?:hora|horario) d[eo] almoco\b|\blunch ?time\b"), Hora(first="11:30", last="13:59")),
    (re.compile(r"\b(?:fim|final) da manha\b"), Hora(first=_EARLY, last="12:00")),
)
_AFTER_WEEKDAY: Final = re.compile(r"^,?\s+(?:dia\s+)?(\d{1,2})(?!\s*(?:h\b|:|\d|/|horas|e (?:meia|quinze|trinta|[0-5]\d)\b))\b")
_HOUR_WITH_PART: Final = re.compile(
    r"(?<![\w/:])(\d{1,2})\s+(?:da|de la|in the)\s+(tarde|manha|manana|noite|noche|afternoon|morning|evening)\b"
)
_FIGURE: Final = re.compile(
    r"(?<![\w/:.,-])(\d{1,2})(?![\w/:%-]|[.,]\d| ?(?:mg|ml|anos|dias|semanas|meses|vezes|reais|h\b|opc|years|days))"
)
_NO_DAY: Final = re.compile(
    r"(?<![\w/])(?:dia\s+)?(?:\d{1,2}/(?:1[3-9]|[2-9]\d|00?)|(?:3[2-9]|[4-9]\d|00?)/\d{1,2})(?![\d/])|\bdia\s+(?:0+|3[2-9]|[4-9]\d|\d{3})(?!\d|/|h\b|:)"
)
_NO_MINUTES: Final = re.compile(r"(?<![\w/:])\d{1,2}(?:h|:)[6-9]\d(?!\d)")
_MONTH_FIRST: Final = re.compile(r"(?:0?[1-9]|1[0-2])/(?:1[3-9]|2\d|3[01])")
_FULL_STOP: Final = re.compile(r"(?<!\bm)\.$")  # `às onze horas.` ends the sentence, `4 p.m.` need not
_OF_NEXT_WEEK: Final = re.compile(r"\b(?:semana|week)\b")
_WEEK: Final = 7
_PLACES: Final = {"segunda": 2, "quarta": 4, "quinta": 5, "sexta": 6}
_ARTICLE: Final = re.compile(r"\b(?:a|ess[ae]|aquela|minha)\s+$")


class Momento(msgspec.Struct, frozen=True):
    """A day, a time or a bare figure in a sentence, and what is wrong with it."""

    start: int
    end: int
    dia: Dia | None = None
    hora: Hora | None = None
    numero: int | None = None
    falha: Falha | None = None


def find_moments(text: str, now: datetime) -> list[Momento]:
    """Every day, time and bare figure of a folded sentence, in the order written."""
    taken: list[Momento] = []
    for finder in (_impossible, _gone, _ranges, _weekends, _parts, _days, _hours_with_part, _times):
        taken += [found for found in finder(text, now) if _is_free(found, taken)]
    taken += [found for found in _more_days(text, taken, now) if _is_free(found, taken)]
    taken += [found for found in _figures(text) if _is_free(found, taken)]
    return sorted(taken, key=lambda found: found.start)


def _is_free(found: Momento, taken: list[Momento]) -> bool:
    return not any(found.start < other.end and other.start < found.end for other in taken)


def _impossible(text: str, now: datetime) -> Iterator[Momento]:
    """`18/13`, `dia 0`, `32/07`: figures in the place of a day and a month that cannot be."""
    for match in _NO_DAY.finditer(text):
        if not (_MONTH_FIRST.fullmatch(match.group()) and language_of(text) == "en"):
            yield Momento(*match.span(), falha="inexistente")
    for match in _NO_MINUTES.finditer(text):
        yield Momento(*match.span(), falha="hora_inexistente")


def _ranges(text: str, now: datetime) -> Iterator[Momento]:
    for match in _FIGURES.finditer(text):
        first, last = (coming_day(int(figure), now.date()) for figure in match.groups())
        if first and last and first <= last:
            yield Momento(*match.span(), dia=Dia(first.isoformat(), last.isoformat()))
    for match in _HOURS_BETWEEN.finditer(text):
        first_hour, last_hour = (_afternoon(int(figure)) for figure in match.groups())
        if first_hour <= last_hour <= 23:
            yield Momento(*match.span(), hora=Hora(first=f"{first_hour:02d}:00", last=f"{last_hour:02d}:00"))


def _afternoon(hour: int) -> int:
    return hour + 12 if hour < 7 else hour


_GONE: Final = re.compile(
    r"\b(?:n?a\s+)?(?:semana|mes|ano|(?:segunda|terca|quarta|quinta|sexta)(?:-feira)?|sabado|domingo)\s+passad[ao]\b|"
    r"\blast (?:week|month|year)\b|\b(?:semana|mes) pasad[ao]\b"
)


def _gone(text: str, now: datetime) -> Iterator[Momento]:
    for match in _GONE.finditer(text):
        yield Momento(*match.span(), falha="passada")


def _weekends(text: str, now: datetime) -> Iterator[Momento]:
    today = now.date()
    for match in _WEEKEND.finditer(text):
        saturday = today + timedelta(days=(5 - today.weekday()) % _WEEK + (_WEEK if match["next"] else 0))
        yield Momento(*match.span(), dia=Dia(saturday.isoformat(), (saturday + timedelta(days=1)).isoformat()))
    for match in _COMING.finditer(text):
        yield Momento(*match.span(), dia=Dia(today.isoformat(), (today + timedelta(days=_WEEK)).isoformat()))


def _parts(text: str, now: datetime) -> Iterator[Momento]:
    for pattern, hora in _PARTS:
        for match in pattern.finditer(text):
            start = match.start() + len("amanha ") if match.group().startswith("amanha") else match.start()
            yield Momento(start, match.end(), hora=hora)


def _days(text: str, now: datetime) -> Iterator[Momento]:
    found = read(text).datas(now.date())
    skip: FoundDate | None = None
    for index, day in enumerate(found):
        if day is skip:
            continue
        following = found[index + 1] if index + 1 < len(found) else None
        if following and following.kind != "week" and _is_range(text, day, following):
            skip = following
            yield Momento(day.start, following.end, dia=Dia(day.date or "", following.date or ""))
        elif following and {day.kind, following.kind} == {"week", "weekday"} and following.start - day.end < len(", na de "):
            skip = following
            yield _in_week(day, following)
        else:
            yield _one_day(text, day, now)


def _is_range(text: str, day: FoundDate, following: FoundDate) -> bool:
    if not (day.date and following.date) or day.date >= following.date:
        return False
    between = text[day.end : following.start]
    if not _TO.search(between):
        return False
    return bool(_BETWEEN.search(text[: day.start]) or re.match(r"\s*(?:ate|ao|to|al|hasta|a)\b", between))


def _in_week(one: FoundDate, other: FoundDate) -> Momento:
    week, weekday = (one, other) if one.kind == "week" else (other, one)
    day = date.fromisoformat(week.first or "") + timedelta(days=weekday.weekday or 0)
    return Momento(min(one.start, other.start), max(one.end, other.end), dia=Dia(day.isoformat(), day.isoformat()))


def _one_day(text: str, found: FoundDate, now: datetime) -> Momento:
    start, end = found.start, found.end
    figure = _AFTER_WEEKDAY.match(text[end:])
    if found.kind == "weekday" and figure:
        return _weekday_with_day(found, int(figure.group(1)), end + figure.end(), now)
    if found.contradictory:
        return Momento(start, end, falha="inexistente" if found.date is None else "contraditoria")
    if found.first and found.last:
        return Momento(start, end, dia=Dia(max(found.first, now.date().isoformat()), found.last))
    if found.date is None:
        return Momento(start, end, falha="inexistente")
    if found.date < now.date().isoformat():
        return Momento(start, end, falha="passada")
    if found.kind == "day" and _is_over_this_month(found, now.date()):
        return Momento(start, end, falha="duas_leituras")
    return _bounded(text, found, now)


def _is_over_this_month(found: FoundDate, today: date) -> bool:
    """Whether a day without a month is behind us in this month: the next month's may be meant, or a slip."""
    return found.day is not None and found.day < today.day and today.day - found.day <= _WEEK


def _bounded(text: str, found: FoundDate, now: datetime) -> Momento:
    before, after = text[: found.start], text[found.end :]
    day = date.fromisoformat(found.date or "")
    if match := BEFORE_DAY.search(before):
        last = day - timedelta(days=1) if STRICT.search(match.group()) else day
        return Momento(match.start(), found.end, dia=Dia("0000-01-01", last.isoformat()))
    if match := AFTER_DAY.search(before):
        first = day + timedelta(days=1) if STRICT.search(match.group()) else day
        return Momento(match.start(), found.end, dia=Dia(first.isoformat(), DISTANT))
    if match := _ONWARD.search(after):
        return Momento(found.start, found.end + match.end(), dia=Dia(day.isoformat(), DISTANT))
    if found.kind == "weekday" and found.next_week and _OF_NEXT_WEEK.search(text, found.start, found.end):
        exact = now.date() + timedelta(days=_WEEK - now.weekday() + (found.weekday or 0))
        return Momento(found.start, found.end, dia=Dia(exact.isoformat(), exact.isoformat()))
    if found.kind == "weekday" and found.next_week:
        return Momento(found.start, found.end, dia=_coming_weekday(day, now.date()))
    weekday = found.weekday if found.kind == "weekday" else None
    if weekday == now.weekday():
        day += timedelta(days=_WEEK)  # of today one says "hoje"
    place = _PLACES.get(text[found.start : found.end], 0) if _ARTICLE.search(before) else 0
    return Momento(found.start, found.end, dia=Dia(day.isoformat(), day.isoformat(), weekday, place))


def _coming_weekday(day: date, today: date) -> Dia:
    """`sexta que vem`: next week's; said early in this week it may be this week's too, unless that is tomorrow."""
    later = day + timedelta(days=_WEEK)
    if day.isocalendar()[:2] != today.isocalendar()[:2]:
        return Dia(day.isoformat(), day.isoformat())
    if (day - today).days <= 1:
        return Dia(later.isoformat(), later.isoformat())
    return Dia(day.isoformat(), later.isoformat(), day.weekday())


def _weekday_with_day(found: FoundDate, figure: int, end: int, now: datetime) -> Momento:
    """`terça 22`: the day of the month after its weekday."""
    day = coming_day(figure, now.date())
    if day is None:
        return Momento(found.start, end, falha="inexistente")
    if day.weekday() != found.weekday:
        return Momento(found.start, end, falha="contraditoria")
    return Momento(found.start, end, dia=Dia(day.isoformat(), day.isoformat()))


def coming_day(figure: int, today: date) -> date | None:
    """The next day of that number, today included; None when no month has it."""
    for months in range(12):
        month = today.month - 1 + months
        try:
            day = date(today.year + month // 12, month % 12 + 1, figure)
        except ValueError:
            continue
        if day >= today:
            return day
    return None


def _more_days(text: str, taken: list[Momento], now: datetime) -> Iterator[Momento]:
    """`dia 18 ou 19`, `dia 21, 22`: figures that follow a day are days."""
    for known in [one for one in taken if one.dia and one.dia.is_one_day and one.dia.weekday is None]:
        end = known.end
        while match := _MORE_DAYS.match(text[end:]):
            day = coming_day(int(match.group(1)), now.date())
            if day is None:
                break
            yield Momento(end + match.start(1), end + match.end(1), dia=Dia(day.isoformat(), day.isoformat()))
            end += match.end()


def _hours_with_part(text: str, now: datetime) -> Iterator[Momento]:
    bounded = [one.end for one in read(text).horas if one.relation in {"before", "after"}]
    for match in _HOUR_WITH_PART.finditer(text):
        if any(match.start(1) < end <= match.end() for end in bounded):
            continue  # `antes das 10 da manhã`
        hour = int(match.group(1))
        later = match.group(2) not in {"manha", "manana", "morning"}
        if 1 <= hour <= 12:
            hour = hour % 12 + 12 if later else hour
            yield Momento(*match.span(), hora=Hora((f"{hour:02d}:00",)))


def _times(text: str, now: datetime) -> Iterator[Momento]:
    for found in read(text).horas:
        end = found.end - bool(_FULL_STOP.search(text[found.start : found.end]))
        if found.impossible:
            yield Momento(found.start, end, falha="hora_inexistente")
        elif found.time is None and found.period is not None:
            yield Momento(found.start, end, hora=period(found.period))
        elif found.time is not None:
            strict = STRICT.search(text, max(0, found.start - len("antes das ")), end)
            yield Momento(found.start, end, hora=_hour(found, strict=strict is not None))


def _hour(found: FoundTime, *, strict: bool) -> Hora:
    time = found.time or ""
    if found.relation == "after":
        return Hora(first=time, last="23:59")
    if found.relation == "before":
        return Hora(first="00:00", last=_minute_before(time) if strict else time)
    return Hora(found.readings)


def _minute_before(time: str) -> str:
    minutes = max(int(time[:2]) * 60 + int(time[3:]) - 1, 0)
    return f"{minutes // 60:02d}:{minutes % 60:02d}"


def _figures(text: str) -> Iterator[Momento]:
    for match in _FIGURE.finditer(text):
        figure = int(match.group(1))
        if 0 < figure < 32:
            yield Momento(*match.span(), numero=figure)
