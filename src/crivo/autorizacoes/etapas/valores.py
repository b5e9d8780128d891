"""Reads single values the way people write them: dates, numbers, yes and no, names of enums. Source: PRD RF1 1.2."""

from __future__ import annotations

import re
import unicodedata
from datetime import date, datetime
from decimal import Decimal
from functools import lru_cache
from typing import Any, Final

LARGEST_NUMBER = 999_999_999
MAX_IDADE = 130
_FIRST_YEAR, _LAST_YEAR = 1900, 2199
_LONGEST_VALUE = 40

_ISO = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})")
_DAY_FIRST = re.compile(r"([0-9]{1,2})([/.-])([0-9]{1,2})\2([0-9]{4})")
_YEAR_FIRST = re.compile(r"([0-9]{4})/([0-9]{1,2})/([0-9]{1,2})")
_PACKED = re.compile(r"([0-9]{4})([0-9]{2})([0-9]{2})")
_DECIMAL = re.compile(r"[+-]?[0-9]+(?:[.,][0-9]+)?")
_GROUPED = re.compile(r"[+-]?[0-9]{1,3}(?:\.[0-9]{3})+,[0-9]+")
_SEPARATORS = re.compile(r"[\s_-]+")

UNREADABLE: Final[Any] = object()
"""What `text_of` answers for a value that is no text."""

_SIM = frozenset({"SIM", "S", "TRUE", "VERDADEIRO", "1"})
_NAO = frozenset({"NAO", "N", "FALSE", "FALSO", "0"})


def read_date(value: Any) -> str | None:
    """The ISO date that a value writes, day first; None when it writes no real calendar date of 1900 to 2199."""
    if type(value) is int:
        value = str(value) if 0 <= value <= 99_999_999 else ""
    if type(value) is not str or len(value) > _LONGEST_VALUE:
        return None
    return _read_date(value)


@lru_cache(maxsize=8192)
def _read_date(text: str) -> str | None:
    text = text.strip()
    if match := _DAY_FIRST.fullmatch(text):
        day, _, month, year = match.groups()
    elif match := _ISO.fullmatch(text) or _YEAR_FIRST.fullmatch(text) or _PACKED.fullmatch(text):
        year, month, day = match.groups()
    else:
        return _date_of_instant(text)
    return _calendar_date(int(year), int(month), int(day))


def _date_of_instant(text: str) -> str | None:
    """The date part of an ISO date-time, as written."""
    if not _ISO.match(text):
        return None
    try:
        instant = datetime.fromisoformat(text)
    except ValueError:
        return None
    return _calendar_date(instant.year, instant.month, instant.day)


def _calendar_date(year: int, month: int, day: int) -> str | None:
    if not _FIRST_YEAR <= year <= _LAST_YEAR:
        return None
    try:
        return date(year, month, day).isoformat()
    except ValueError:
        return None


def text_of(value: Any) -> Any:
    """The trimmed text that a JSON value writes, a number in plain decimals; `UNREADABLE` for a boolean, a list or an object."""
    kind = type(value)
    if kind is str:
        return value.strip()
    if kind is int:
        return str(value)
    if kind is float:
        return str(int(value)) if value.is_integer() else format(Decimal(repr(value)), "f")
    return "" if value is None else UNREADABLE


def read_number(value: Any) -> int | float | None:
    """The number that a value is or writes, decimal comma too; None when it is none, a boolean, or beyond 999,999,999."""
    kind = type(value)
    if kind is int:
        number: int | float | None = value
    elif kind is float:
        number = int(value) if value.is_integer() else value
    elif kind is str and len(value) <= _LONGEST_VALUE:
        number = _number_written(value.strip())
    else:
        return None
    return number if number is not None and -LARGEST_NUMBER <= number <= LARGEST_NUMBER else None


def _number_written(text: str) -> int | float | None:
    if _GROUPED.fullmatch(text):
        text = text.replace(".", "")
    elif not _DECIMAL.fullmatch(text):
        return None
    number = float(text.replace(",", "."))
    return int(number) if number.is_integer() else number


def read_idade(value: Any) -> int | None:
    """Whole years from 0 to 130; None when the value is no plausible age."""
    if value is None or (type(value) is str and not value.strip().isdecimal()):
        return None
    number = read_number(value)
    return number if type(number) is int and 0 <= number <= MAX_IDADE else None


def read_boolean(value: Any) -> bool | None:
    """Yes or no as JSON, as a word, or as 1 and 0; None when the value is neither."""
    if type(value) is bool:
        return value
    word = fold_enum(value) if type(value) is str else str(read_number(value)) if type(value) in (int, float) else ""
    return True if word in _SIM else False if word in _NAO else None


def fold_enum(text: str) -> str:
    """Upper case without accents, with one underscore where spaces, hyphens or underscores stood."""
    return _fold_enum(text) if len(text) <= _LONGEST_VALUE else ""


@lru_cache(maxsize=2048)
def _fold_enum(text: str) -> str:
    plain = "".join(c for c in unicodedata.normalize("NFKD", text.strip()) if not unicodedata.combining(c))
    return _SEPARATORS.sub("_", plain.upper()).strip("_")


def years_between(birth: str, day: str) -> int:
    """Completed years from one ISO date to another; negative when the second is earlier."""
    return int(day[:4]) - int(birth[:4]) - (day[5:] < birth[5:])
