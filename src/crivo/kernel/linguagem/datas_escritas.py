"""Dates written in full, day, month and year: a value that is one, and every one of a document. Day first, as Brazilians write."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterator
from datetime import date, datetime
from functools import lru_cache
from typing import Any, Final

import msgspec

from crivo.kernel.linguagem.dobra import without_accents
from crivo.kernel.linguagem.lexico import month_in
from crivo.kernel.linguagem.meses import MESES
from crivo.kernel.linguagem.numeros import WRITTEN, find_numeros

LONGEST_DATE: Final = 40
FIRST_YEAR, LAST_YEAR = 1900, 2199
_NEXT_CENTURY: Final = 60  # of a year of two figures in a document, which is rarely older

_ISO: Final = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})")
# `26-11-05` may begin with its day or its year; with four figures, or between bars and points, it begins with the day.
_DAY_FIRST: Final = re.compile(r"([0-9]{1,2})([/.-])([0-9]{1,2})\2([0-9]{4}|(?<!-)[0-9]{2})")
_YEAR_FIRST: Final = re.compile(r"([0-9]{4})/([0-9]{1,2})/([0-9]{1,2})")
_MONTH: Final = re.compile(r"([0-9]{4})[-/]([0-9]{1,2})|([0-9]{1,2})[-/]([0-9]{4})")
_PACKED: Final = re.compile(r"([0-9]{4})([0-9]{2})([0-9]{2})")
# Twelve hours with AM and PM come from where the month is written first: such a text is left unread.
_HOUR: Final = re.compile(r"(?:[ \t]+|T|,[ \t]*)(?:[aàAÀ]s[ \t]+)?(?:[01]?[0-9]|2[0-3])(?:[:h][0-5][0-9](?::[0-5][0-9])?|h)(?:min)?")
_TOKEN: Final = re.compile(r"[0-9]+|[^\W\d_]+|[^\s\w]")
_BETWEEN: Final = frozenset({*("de", "do", "del", "of", "aos"), *("o", "a", "st", "nd", "rd", "th"), *"/-.,ºª"})

_DAY_IN_WORDS: Final = rf"\b(?:{WRITTEN})(?:\s+e\s+(?:{WRITTEN}))?\b"  # `vinte e tres`
_YEAR_IN_WORDS: Final = rf"dois\s+mil(?:\s+(?:e\s+)?(?:{WRITTEN})){{0,2}}\b"  # `dois mil e vinte e seis`
_NAMED: Final = "|".join(rf"{month[:3]}(?:{month[3:]}|t?\.|\b)" for month in MESES)
DATE: Final = re.compile(
    rf"""(?<![\d/.-]) (?:
        (?P<iso_year>\d{{4}}) (?P<iso_mark>[-/.]) (?P<iso_month>\d{{1,2}}) (?P=iso_mark) (?P<iso_day>\d{{1,2}})
      | (?P<day>\d{{1,2}}) \s? (?P<mark>[/.\-–]) \s? (?P<month>\d{{1,2}}) \s? (?P=mark) \s? (?P<year>\d{{4}}|\d{{2}})
      | (?P<long_day>\d{{1,2}}|primeiro|{_DAY_IN_WORDS}) [º°ªoa]? \s* (?:\([^)\n]{{1,20}}\))? \s*
        (?: dias?\s+d[oe]\s+(?:mes\s+de\s+)? | de\s+ | [/.-] | \s )? \s* (?P<name>{_NAMED}) \s*
        (?: (?:,|/|-|de|do\s+ano\s+de)\s* )? (?P<long_year>\d{{4}}|\d{{2}}(?=\D)|{_YEAR_IN_WORDS})
    ) (?![\d/]|[.-]\d)""",
    re.VERBOSE,
)
"""A date of a document in any form, also as OCR breaks it; over text folded in place."""


class DataEscrita(msgspec.Struct, frozen=True):
    """A date and where it stands."""

    start: int
    end: int
    data: date


def calendar_date(year: int, month: int, day: int) -> date | None:
    """The day, None where no calendar of 1900 to 2199 has it."""
    try:
        return date(year, month, day) if FIRST_YEAR <= year <= LAST_YEAR else None
    except ValueError:
        return None


def months_after(day: date, months: int) -> date:
    """The same day so many months later, or the last of a month that is shorter."""
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


def find_written_dates(folded: str) -> Iterator[DataEscrita]:
    """Every date of a document in the order in which they stand; what no calendar has is passed over.

    A year of two figures is of this century before 60.
    """
    for match in DATE.finditer(folded):
        day = _as_date(match)
        if day is not None:
            yield DataEscrita(*match.span(), day)


def _as_date(match: re.Match[str]) -> date | None:
    if match["iso_year"]:
        numbers = match["iso_year"], match["iso_month"], match["iso_day"]
    elif match["day"]:
        if len(match["year"]) == 2 and match["mark"] != "/" and not len(match["day"]) == len(match["month"]) == 2:
            return None  # the number of a clause, such as 4.1.12
        numbers = match["year"], match["month"], match["day"]
    else:
        numbers = _figures(match["long_year"]), str(month_in(match["name"][:3])), _figures(match["long_day"].replace("primeiro", "1"))
    year, month, day = map(int, numbers)
    if len(numbers[0]) == 2:
        year += 2000 if year < _NEXT_CENTURY else 1900
    return calendar_date(year, month, day)


def _figures(number: str) -> str:
    """A number of a date in figures; nought, which no calendar has, where its words make none."""
    return number if number.isdigit() else str(next((int(found.value) for found in find_numeros(number)), 0))


def read_date(value: Any, born_by: str | None = None) -> str | None:
    """The ISO date that a value writes and nothing else; None when it writes no real calendar date of 1900 to 2199.

    A year of two figures is read of a birth alone: `born_by` is the last day that it can be, and the year the latest not after it.
    Source: PRD RF1 1.2.
    """
    if type(value) is int:
        value = str(value) if 0 <= value <= 99_999_999 else ""
    if type(value) is not str or len(value) > LONGEST_DATE:
        return None
    return _read_date(value.strip(), born_by)


def read_end_of_month(value: Any) -> str | None:
    """The ISO date of the last day of a month written `09/2026` or `2026-09`; None where a value writes none."""
    match = _MONTH.fullmatch(value.strip()) if type(value) is str and len(value) <= LONGEST_DATE else None
    if match is None:
        return None
    year, month = map(int, (match[4], match[3]) if match[1] is None else (match[1], match[2]))
    return _iso(calendar_date(year, month, monthrange(year, month)[1])) if 1 <= month <= 12 and year else None


def _iso(day: date | None) -> str | None:
    return None if day is None else day.isoformat()


@lru_cache(maxsize=8192)
def _read_date(text: str, born_by: str | None) -> str | None:
    if match := _ISO.fullmatch(text) or _YEAR_FIRST.fullmatch(text) or _PACKED.fullmatch(text):
        return _iso(calendar_date(*map(int, match.groups())))
    if (match := _DAY_FIRST.match(text)) and _ends_or_tells_the_hour(text, match.end()):
        return _with_year(match[4], int(match[3]), int(match[1]), born_by)
    if (match := _YEAR_FIRST.match(text)) and _HOUR.fullmatch(text, match.end()):
        return _iso(calendar_date(*map(int, match.groups())))
    return _date_of_instant(text) if _ISO.match(text) else _date_in_words(text, born_by)


def _ends_or_tells_the_hour(text: str, at: int) -> bool:
    return at == len(text) or _HOUR.fullmatch(text, at) is not None


def _date_of_instant(text: str) -> str | None:
    """The date part of an ISO date-time, as written."""
    try:
        instant = datetime.fromisoformat(text)
    except ValueError:
        return None
    return _iso(calendar_date(instant.year, instant.month, instant.day))


def _date_in_words(text: str, born_by: str | None) -> str | None:
    """`5 de novembro de 2026`, `05-nov-26`, `Nov 5, 2026`, with or without the hour."""
    hour = _HOUR.search(text)
    if hour is not None and hour.end() == len(text):
        text = text[: hour.start()].rstrip(" ,")
    told = [token for token in _TOKEN.findall(without_accents(text).lower()) if token not in _BETWEEN]
    if len(told) != 3:
        return None
    first, second, year = told
    name, day = (second, first) if first.isdigit() else (first, second)
    month = None if name.isdigit() else month_in(name)
    if month is None or not (day.isascii() and day.isdigit() and len(day) <= 2 and year.isascii() and year.isdigit()):
        return None
    return _with_year(year, month, int(day), born_by)


def _with_year(year: str, month: int, day: int, born_by: str | None) -> str | None:
    if len(year) == 4:
        return _iso(calendar_date(int(year), month, day))
    if len(year) != 2 or born_by is None:
        return None  # `05/10/26` may begin with its day or with its year: only of a birth is one of the two absurd
    recent = _iso(calendar_date(2000 + int(year), month, day))
    return recent if recent is not None and recent <= born_by else _iso(calendar_date(1900 + int(year), month, day))
