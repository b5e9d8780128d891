"""Dates as people write them, found in a text and resolved against the present day."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from typing import Final, Literal

import msgspec

from crivo.kernel.linguagem import formas_de_datas as patterns
from crivo.kernel.linguagem.fala import Folded, folded
from crivo.kernel.linguagem.folego import check
from crivo.kernel.linguagem.formas_de_datas import day_in
from crivo.kernel.linguagem.lexico import PALAVRAS, month_in, weekday_in

Kind = Literal["full", "day_month", "day", "weekday", "relative", "week", "month"]
WORKING_WEEK: Final = 7


class FoundDate(msgspec.Struct, frozen=True):
    """A date in a text: what was written of it, and the day it comes to.

    `date` is ISO, or None where there is no one day (a week, a month) or no such day (31/02); `weekday` counts from Monday = 0 and is
    there only when it was written. `first` and `last` bound a week or a month. `contradictory` tells that the parts written do not agree
    (a weekday that is not that of the date) or that there is no such day.
    """

    start: int
    end: int
    date: str | None
    kind: Kind
    weekday: int | None = None
    day: int | None = None
    month: int | None = None
    year: int | None = None
    offset: int | None = None
    next_week: bool = False
    first: str | None = None
    last: str | None = None
    contradictory: bool = False


def find_dates(text: str, hoje: date) -> list[FoundDate]:
    """Every date of a text in the order written, each with the parts written of it joined ("sexta, 18/07" is one).

    Without a year the nearest such day to `hoje` is meant; a day alone or a weekday alone is the next one, today included.
    """
    page = folded(text)
    parts = _without_overlaps(_raw(page))
    return [_resolved(page, part, hoje) for part in _joined(page, parts)]


def _raw(page: Folded) -> Iterator[FoundDate]:
    by_name: tuple[Callable[[str], Iterator[FoundDate]], ...] = (_named, _english) if patterns.MONTH_SIGN.search(page.text) else ()
    for finder in (_numeric, _day_lists, *by_name, _days, _spans, _weekdays, _relative):
        check()
        yield from finder(page.text)


def _numeric(plain: str) -> Iterator[FoundDate]:
    for match in patterns.ISO.finditer(plain):
        yield _part(match, "full", int(match["day"]), int(match["month"]), int(match["year"]))
    for match in (match for pattern in patterns.NUMERIC for match in pattern.finditer(plain)):
        day, month = int(match["day"]), int(match["month"])
        if month > 12 >= day:
            day, month = month, day
        if day > 39 or month > 12 or day == 0 or month == 0:
            continue
        year = _year(match["year"])
        yield _part(match, "full" if year else "day_month", day, month, year)


def _day_lists(plain: str) -> Iterator[FoundDate]:
    """`dias 18, 19 e 21 de julho`, `21 e 23/07`, `July 18 and 21`: as many dates as days."""
    lists = patterns.LISTS_OF_A_MONTH if patterns.MONTH_SIGN.search(plain) else ()
    slash = (patterns.SLASH_LIST,) if patterns.SLASH_LIST_SIGN.search(plain) else ()
    for pattern in (*lists, *slash, *patterns.BARE_LISTS):
        for match in pattern.finditer(plain):
            month, year = month_in(match["month"]), _year(match["year"])
            days = list(patterns.LISTED_DAY.finditer(plain, match.start("days"), match.end("days")))
            for index, day in enumerate(days):
                start = match.start() if index == 0 else day.start()
                end = match.end() if index == len(days) - 1 else day.end()
                kind: Kind = "day" if month is None else "full" if year else "day_month"
                yield FoundDate(start, end, None, kind, day=day_in(day.group()), month=month, year=year)


def _named(plain: str) -> Iterator[FoundDate]:
    for match in patterns.NAMED.finditer(plain):
        year = _year(match["year"])
        yield _part(match, "full" if year else "day_month", day_in(match["day"]), month_in(match["month"]), year)


def _english(plain: str) -> Iterator[FoundDate]:
    for match in patterns.ENGLISH.finditer(plain):
        year = _year(match["year"])
        yield _part(match, "full" if year else "day_month", day_in(match["day"]), month_in(match["month"]), year)


def _days(plain: str) -> Iterator[FoundDate]:
    for match in (match for pattern in patterns.DAYS for match in pattern.finditer(plain)):
        day = day_in(match["day"])
        if day is not None and 0 < day < 40:
            yield _part(match, "day", day)
    for match in patterns.AFTER_WEEKDAY.finditer(plain):
        weekday = weekday_in(match["weekday"])
        yield msgspec.structs.replace(_part(match, "day", int(match["day"])), weekday=weekday)


def _weekdays(plain: str) -> Iterator[FoundDate]:
    for match in patterns.WEEKDAY.finditer(plain):
        word = match["long"] or match["short"] or match["number"]
        weekday = weekday_in(word)
        if weekday is None or (match["long"] in patterns.ORDINAL_TOO and patterns.COUNTED.match(plain, match.end())):
            continue
        yield FoundDate(*match.span(), None, "weekday", weekday=weekday, next_week=bool(match["after"] or match["before"]))


def _spans(plain: str) -> Iterator[FoundDate]:
    for match in patterns.WEEK.finditer(plain):
        yield FoundDate(*match.span(), None, "week", next_week=bool(match["next"] or match["next_too"]))
    for match in patterns.MONTH.finditer(plain):
        month = month_in(match["month"]) if match["month"] else None
        yield FoundDate(*match.span(), None, "month", month=month, next_week=bool(match["next"]))


def _relative(plain: str) -> Iterator[FoundDate]:
    for match in patterns.RELATIVE.finditer(plain):
        if match.group() == "manana" and patterns.OF_THE_MORNING.search(plain, 0, match.start()):
            continue
        yield FoundDate(*match.span(), None, "relative", offset=PALAVRAS.relativos[match.group()])
    for match in patterns.IN_SOME_DAYS.finditer(plain):
        count = day_in(match["count"])
        if count is not None:
            days = count * (WORKING_WEEK if match["unit"].startswith(("semana", "week")) else 1)
            yield FoundDate(*match.span(), None, "relative", offset=days)


def _part(match: re.Match[str], kind: Kind, day: int | None, month: int | None = None, year: int | None = None) -> FoundDate:
    return FoundDate(*match.span(), None, kind, day=day, month=month, year=year)


def _year(written: str | None) -> int | None:
    if not written:
        return None
    return int(written) if len(written) == 4 else 2000 + int(written)


def _without_overlaps(found: Iterator[FoundDate]) -> list[FoundDate]:
    """The finds in order of place; where two overlap, the one that begins first, then the longer, stands."""
    kept: list[FoundDate] = []
    for part in sorted(found, key=lambda part: (part.start, -part.end)):
        if not kept or part.start >= kept[-1].end:
            kept.append(part)
    return kept


_RANK: Final[dict[Kind, int]] = {"full": 3, "day_month": 3, "day": 2, "relative": 1, "weekday": 0, "week": 0, "month": 0}


def _joined(page: Folded, parts: list[FoundDate]) -> Iterator[FoundDate]:
    """Neighbours that tell of the same day become one date."""
    current: FoundDate | None = None
    for part in parts:
        together = _merge(page, current, part) if current else None
        if together is None and current is not None:
            yield current
        current = together or part
    if current is not None:
        yield current


def _merge(page: Folded, left: FoundDate, right: FoundDate) -> FoundDate | None:
    gap = page.text[left.end : right.start]
    if not patterns.GAP.fullmatch(gap) or not _complementary(left, right, gap):
        return None
    main, other = (left, right) if _RANK[left.kind] >= _RANK[right.kind] else (right, left)
    closing = 1 if "(" in gap and page.text[right.end : right.end + 1] == ")" else 0
    return msgspec.structs.replace(
        main,
        start=left.start,
        end=right.end + closing,
        weekday=main.weekday if main.weekday is not None else other.weekday,
        offset=main.offset if main.offset is not None else other.offset,
        month=main.month if main.month is not None else other.month,
        next_week=main.next_week or other.next_week,
    )


def _complementary(left: FoundDate, right: FoundDate, gap: str) -> bool:
    kinds = {left.kind, right.kind}
    if "," in gap and right.kind == "weekday" and left.kind != "relative" and left.weekday is not None:
        return False
    if kinds == {"weekday", "week"}:
        return True
    if kinds == {"day", "month"}:
        return left.kind == "day"
    if "week" in kinds or "month" in kinds:
        return False
    ranks = (_RANK[left.kind], _RANK[right.kind])
    if min(ranks) == 0:
        return max(ranks) > 0 and (left.weekday is None or right.weekday is None)
    return min(ranks) == 1 and max(ranks) > 1 and left.offset != right.offset


def _resolved(page: Folded, part: FoundDate, today: date) -> FoundDate:
    start, end = page.span(part.start, part.end)
    if part.kind in {"week", "month"}:
        first, last = _bounds(part, today)
        return msgspec.structs.replace(part, start=start, end=end, first=first.isoformat(), last=last.isoformat())
    day = _the_day(part, today)
    wrong = day is None or (part.weekday is not None and day.weekday() != part.weekday)
    if day is not None and part.offset is not None:
        wrong = wrong or day != today + timedelta(days=part.offset)
    return msgspec.structs.replace(part, start=start, end=end, date=day.isoformat() if day else None, contradictory=wrong)


def _the_day(part: FoundDate, today: date) -> date | None:
    if part.day is not None and part.month is not None:
        return _nearest(part.day, part.month, part.year, today)
    if part.day is not None:
        return _next_day(part.day, today)
    if part.offset is not None:
        return today + timedelta(days=part.offset)
    if part.weekday is None:
        return None
    if part.kind == "week" or (part.next_week and part.weekday == today.weekday()):
        monday = today - timedelta(days=today.weekday()) + timedelta(days=WORKING_WEEK)
        return monday + timedelta(days=part.weekday)
    return today + timedelta(days=(part.weekday - today.weekday()) % WORKING_WEEK)


def _nearest(day: int, month: int, year: int | None, today: date) -> date | None:
    years = (year,) if year else (today.year - 1, today.year, today.year + 1)
    days = [found for found in (_existing(one, month, day) for one in years) if found]
    return min(days, key=lambda found: (abs(found - today), found < today)) if days else None


def _next_day(day: int, today: date) -> date | None:
    for months in range(12):
        month = today.month - 1 + months
        found = _existing(today.year + month // 12, month % 12 + 1, day)
        if found and found >= today:
            return found
    return None


def _existing(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _bounds(part: FoundDate, today: date) -> tuple[date, date]:
    if part.kind == "week":
        monday = today - timedelta(days=today.weekday()) + timedelta(days=WORKING_WEEK if part.next_week else 0)
        return monday, monday + timedelta(days=WORKING_WEEK - 1)
    months = today.month - 1 + (1 if part.next_week else 0)
    if part.month is not None:
        months = part.month - 1 + (12 if part.month < today.month else 0)
    first = date(today.year + months // 12, months % 12 + 1, 1)
    return first, date(today.year + (months + 1) // 12, (months + 1) % 12 + 1, 1) - timedelta(days=1)
