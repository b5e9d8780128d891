"""How long one waits before asking a service again."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from email.utils import parsedate_to_datetime
from typing import Final

LONGEST_PAUSE_SECONDS: Final = 30.0  # whoever asks for more patience than this is not asked again
_FIRST_PAUSE_SECONDS: Final = 0.5


def pause_before(tentativa: int, asked: float | None, sample: float) -> float:
    """Seconds to wait after the attempt `tentativa` (from 0): full jitter by `sample` in [0, 1), on top of what the service asked for."""
    spread = sample * min(LONGEST_PAUSE_SECONDS, _FIRST_PAUSE_SECONDS * 2.0**tentativa)
    return spread if asked is None else asked + min(spread, 1.0)


def retry_after(headers: Mapping[str, str], now: datetime) -> float | None:
    """Seconds that a service asks for, said in milliseconds, in seconds or as a date; None where it says nothing that can be read.

    A date counts from the service's own `Date`, where there is one: its clock is not ours. Source: RFC 9110, 10.2.3.
    """
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        told = headers.get(name, "").strip()
        if told.isascii() and told.replace(".", "", 1).isdigit():
            return float(told) * unit
    until = _date(headers.get("retry-after", ""))
    return None if until is None else max(0.0, (until - (_date(headers.get("date", "")) or now)).total_seconds())


def _date(value: str) -> datetime | None:
    try:
        found = parsedate_to_datetime(value)
    except ValueError:
        return None
    return found if found.tzinfo is not None else None
