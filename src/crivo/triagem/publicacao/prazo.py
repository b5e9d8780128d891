"""Until when recursos are taken, as far as it can be suggested: what the edital says, else as many business days from tomorrow."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date, timedelta
from typing import Final

from crivo.triagem.edital import FaseDatada, Value

DIAS_UTEIS: Final = 3
"""Where the edital says nothing: the least that calls of culture give. It is a suggestion, and whoever publishes says the day."""
IsUtil = Callable[[date], bool]


class PrazoSugerido(Value, frozen=True):
    """The last day, both ends of it included; `do_edital` where it is the edital's own, `uteis` how many business days it has."""

    ate: date
    uteis: int
    do_edital: bool


def suggest(fases: Sequence[FaseDatada], hoje: date, is_util: IsUtil) -> PrazoSugerido:
    """The last day of the edital's recursos that is still to come, or as many business days from tomorrow as it has of them.

    `is_util` says which days count.
    """
    theirs = [one for one in fases if one.fase == "recursos"]
    for one in theirs:
        last = one.fim or one.inicio
        if last >= hoje:
            return PrazoSugerido(last, _between(max(one.inicio, hoje), last, is_util), do_edital=True)
    many = max([DIAS_UTEIS, *(_between(one.inicio, one.fim or one.inicio, is_util) for one in theirs)])
    return PrazoSugerido(_after(hoje, many, is_util), many, do_edital=False)


def _between(first: date, last: date, is_util: IsUtil) -> int:
    return sum(is_util(first + timedelta(days=at)) for at in range((last - first).days + 1))


def _after(day: date, many: int, is_util: IsUtil) -> date:
    while many:
        day += timedelta(days=1)
        many -= is_util(day)
    return day
