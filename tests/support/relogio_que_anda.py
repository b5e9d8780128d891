"""A clock that a test moves."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta


@dataclass
class RelogioQueAnda:
    instant: datetime

    def now(self) -> datetime:
        return self.instant

    def passa(self, **elapsed: float) -> None:
        self.instant += timedelta(**elapsed)
