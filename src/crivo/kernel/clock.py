"""The only place that asks what time it is."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Protocol
from zoneinfo import ZoneInfo

BRASILIA = ZoneInfo("America/Sao_Paulo")


class Clock(Protocol):
    """A source of the current instant."""

    def now(self) -> datetime:
        """The current instant, timezone-aware."""
        ...


class SystemClock:
    """The machine's own clock, in Brasília's time zone."""

    def now(self) -> datetime:
        """The current instant, timezone-aware."""
        return datetime.now(BRASILIA)


@dataclass(frozen=True, slots=True)
class FixedClock:
    """A clock that stands still, for tests, evaluations and replays. Source: interfaces, `CRIVO_AGORA`."""

    instant: datetime

    def now(self) -> datetime:
        """The instant it was made with; a naive one is taken as Brasília's."""
        return self.instant if self.instant.tzinfo else self.instant.replace(tzinfo=BRASILIA)

    def after(self, elapsed: timedelta) -> FixedClock:
        """The same clock, later."""
        return FixedClock(self.now() + elapsed)


def today(clock: Clock) -> date:
    """The calendar date in Brasília at the clock's instant."""
    return clock.now().astimezone(BRASILIA).date()
