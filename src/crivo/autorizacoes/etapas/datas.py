"""Reads dates the way people and systems write them, day first; what could be read two ways is not read. Source: PRD RF1 1.2."""

from __future__ import annotations

import re
from calendar import monthrange
from datetime import date, datetime
from functools import cache, lru_cache
from importlib import resources
from typing import Any, Final

import msgspec

from crivo.kernel.linguagem.dobra import without_accents

LONGEST_DATE: Final = 40
_FIRST_YEAR, _LAST_YEAR = 1900, 2199

_ISO = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})")
# `26-11-05` may begin with its day or its year; with four figures, or between bars and points, it begins with the day.
_DAY_FIRST = re.compile(r"([0-9]{1,2})([/.-])([0-9]{1,2})\2([0-9]{4}|(?<!-)[0-9]{2})")
_YEAR_FIRST = re.compile(r"([0-9]{4})/([0-9]{1,2})/([0-9]{1,2})")
_MONTH = re.compile(r"([0-9]{4})[-/]([0-9]{1,2})|([0-9]{1,2})[-/]([0-9]{4})")
_PACKED = re.compile(r"([0-9]{4})([0-9]{2})([0-9]{2})")
# Twelve hours with AM and PM come from where the month is written first: such a text is left unread.
_HOUR = re.compile(r"(?:[ \t]+|T|,[ \t]*)(?:[aàAÀ]s[ \t]+)?(?:[01]?[0-9]|2[0-3])(?:[:h][0-5][0-9](?::[0-5][0-9])?|h)(?:min)?")
_TOKEN = re.compile(r"[0-9]+|[^\W\d_]+|[^\s\w]")
_ORDINALS: Final = frozenset({"O", "A", "ST", "ND", "RD", "TH"})
_JOINERS: Final = frozenset("/-.,ºª")


class _Palavras(msgspec.Struct, frozen=True):
    meses: tuple[tuple[str, ...], ...]
    entre_datas: frozenset[str]


def read_date(value: Any, born_by: str | None = None) -> str | None:
    """The ISO date that a value writes, day first; None when it writes no real calendar date of 1900 to 2199.

    A year of two figures is read of a birth alone: `born_by` is the last day that it can be, and the year the latest not after it.
    """
    if type(value) is int:
        value = str(value) if 0 <= value <= 99_999_999 else ""
    if type(value) is not str or len(value) > LONGEST_DATE:
        return None
    return _read_date(value, born_by)


def read_end_of_month(value: Any) -> str | None:
    """The ISO date of the last day of a month written `09/2026` or `2026-09`; None where a value writes none."""
    match = _MONTH.fullmatch(value.strip()) if type(value) is str and len(value) <= LONGEST_DATE else None
    if match is None:
        return None
    year, month = (match[4], match[3]) if match[1] is None else (match[1], match[2])
    first = _calendar_date(int(year), int(month), 1)
    return None if first is None else _calendar_date(int(year), int(month), monthrange(int(year), int(month))[1])


@lru_cache(maxsize=8192)
def _read_date(text: str, born_by: str | None) -> str | None:
    text = text.strip()
    if match := _ISO.fullmatch(text) or _YEAR_FIRST.fullmatch(text) or _PACKED.fullmatch(text):
        year, month, day = match.groups()
        return _calendar_date(int(year), int(month), int(day))
    if (match := _DAY_FIRST.match(text)) and _ends_or_tells_the_hour(text, match.end()):
        day, _, month, year = match.groups()
        return _with_year(year, int(month), int(day), born_by)
    if (match := _YEAR_FIRST.match(text)) and _HOUR.fullmatch(text, match.end()):
        year, month, day = match.groups()
        return _calendar_date(int(year), int(month), int(day))
    return _date_of_instant(text) if _ISO.match(text) else _date_in_words(text, born_by)


def _ends_or_tells_the_hour(text: str, at: int) -> bool:
    return at == len(text) or _HOUR.fullmatch(text, at) is not None


def _date_of_instant(text: str) -> str | None:
    """The date part of an ISO date-time, as written."""
    try:
        instant = datetime.fromisoformat(text)
    except ValueError:
        return None
    return _calendar_date(instant.year, instant.month, instant.day)


def _date_in_words(text: str, born_by: str | None) -> str | None:
    """`5 de novembro de 2026`, `05-nov-26`, `Nov 5, 2026`, with or without the hour."""
    hour = _HOUR.search(text)
    if hour is not None and hour.end() == len(text):
        text = text[: hour.start()].rstrip(" ,")
    plain = without_accents(text).upper()
    told = [token for token in _TOKEN.findall(plain) if token not in _palavras().entre_datas | _JOINERS | _ORDINALS]
    if len(told) != 3:
        return None
    months = [_months().get(token) for token in told]
    day, month, year = (told[1], months[0], told[2]) if months[0] else (told[0], months[1], told[2])
    if month is None or not (day.isascii() and day.isdigit() and len(day) <= 2 and year.isascii() and year.isdigit()):
        return None
    return _with_year(year, month, int(day), born_by)


def _with_year(year: str, month: int, day: int, born_by: str | None) -> str | None:
    if len(year) == 4:
        return _calendar_date(int(year), month, day)
    if len(year) != 2:
        return None
    recent = _calendar_date(2000 + int(year), month, day)
    if born_by is None:
        return None  # `05/10/26` may begin with its day or with its year: only of a birth is one of the two absurd
    return recent if recent is not None and recent <= born_by else _calendar_date(1900 + int(year), month, day)


def _calendar_date(year: int, month: int, day: int) -> str | None:
    if not _FIRST_YEAR <= year <= _LAST_YEAR:
        return None
    try:
        return date(year, month, day).isoformat()
    except ValueError:
        return None


@cache
def _palavras() -> _Palavras:
    return msgspec.json.decode(resources.files("crivo.autorizacoes").joinpath("valores.json").read_bytes(), type=_Palavras)


@cache
def _months() -> dict[str, int]:
    return {nome: number for number, nomes in enumerate(_palavras().meses, 1) for nome in nomes}
