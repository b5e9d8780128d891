"""Until when notas are taken: the last day of the edital's phase of judging, or the later one that somebody was given. Pure."""

from __future__ import annotations

from datetime import date, datetime

from crivo.kernel.clock import BRASILIA
from crivo.triagem.edital import Edital, Value


class Prazo(Value, frozen=True):
    """The last day on which somebody's notas are taken, in Brasília, to its end; `reaberto`: it is later than everybody's."""

    ate: date
    reaberto: bool = False

    def is_over(self, now: datetime) -> bool:
        """Whether the day has ended."""
        return now.astimezone(BRASILIA).date() > self.ate


def last_day_of(edital: Edital) -> date | None:
    """The last day of judging; None where the edital has no such phase, and notas are taken for ever."""
    return max([one.fim or one.inicio for one in edital.fases if one.fase == "avaliacao"], default=None)


def prazo_of(edital: Edital, reaberto_ate: date | None) -> Prazo | None:
    """Until when notas are taken of somebody to whom a day was given, or none."""
    last = last_day_of(edital)
    if last is None:
        return None
    return Prazo(reaberto_ate, reaberto=True) if reaberto_ate is not None and reaberto_ate > last else Prazo(last)
