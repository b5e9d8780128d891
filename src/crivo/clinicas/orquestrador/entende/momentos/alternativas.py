"""Working days, and alternatives of which each is of other days and hours: `sábado ou depois das 18 durante a semana`.

What is asked of a slot holds of its day and of its hour at once. Alternatives that cannot be told so are told by what is left out: of each
weekday the hours that none of them allows.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable
from datetime import date
from typing import Final

from crivo.clinicas.orquestrador.entende.criterios import DISTANT, Criterios, Dia, Hora
from crivo.clinicas.orquestrador.entende.lexico import reference
from crivo.clinicas.orquestrador.entende.momentos.tempo import Momento

FIELD: Final = "so_se"
_WORKING: Final = range(5)
_WEEK: Final = range(7)
_SMALL: Final = r"(?:n?[ao]s?|on|the|el|l[ao]s|at|del?|d[ao]s?|em|in|so|entao|depois|apos|after|despues|antes|before|a partir|desde)"
_OR: Final = re.compile(rf"\s*,?\s*(?:ou|or|o|u)(?:\s+{_SMALL})*\s*")
_BESIDE: Final = re.compile(rf"(?:\s+{_SMALL})*\s*")
_COMMA: Final = re.compile(rf"\s*,(?:\s+{_SMALL})*\s*")
_DAWN, _MIDNIGHT = "00:00", "23:59"


def working_days(text: str) -> list[Momento]:
    """The five working days where words name them all (`durante a semana`), and not those that somebody works on."""
    taken = [match.span() for match in reference("ocupado").finditer(text)]
    spans = [match.span() for match in reference("dias_uteis").finditer(text)]
    free = [(start, end) for start, end in spans if not any(one < end and start < other for one, other in taken)]
    return [Momento(start, end, dia=any_week(weekday)) for start, end in free for weekday in _WORKING]


def any_week(weekday: int) -> Dia:
    """A weekday of any week."""
    return Dia("", DISTANT, weekday)


def alternatives(text: str, moments: Iterable[Momento]) -> list[tuple[int, int, tuple[Criterios, ...]]]:
    """Where alternatives stand that are not of the same days and hours each, and what none of them allows."""
    chains = _chains(text, [one for one in moments if one.dia is not None or one.hora is not None])
    told = [chain for chain in chains if len(chain) > 1 and _differ(chain)]
    return [(chain[0][0].start, max(one.end for one in chain[-1]), _left_out(chain)) for chain in told]


def _chains(text: str, moments: list[Momento]) -> list[list[list[Momento]]]:
    """The moments in chains of alternatives; what stands side by side is one alternative."""
    chains: list[list[list[Momento]]] = [[[moments[0]]]] if moments else []
    for one, following in itertools.pairwise(moments):
        listed = one.dia is not None and following.dia is not None and _COMMA.fullmatch(text, one.end, following.start)
        if one.start == following.start:
            chains[-1][-1].append(following)
        elif listed or _OR.fullmatch(text, one.end, following.start):
            chains[-1].append([following])
        elif _BESIDE.fullmatch(text, one.end, following.start):
            chains[-1][-1].append(following)
        else:
            chains.append([[following]])
    return chains


def _differ(chain: list[list[Momento]]) -> bool:
    """Whether one tells weekdays alone, and another hours of any day or of all working days; each hour a bound, each day a weekday."""
    days = [one.dia for each in chain for one in each if one.dia is not None]
    hours = [one.hora for each in chain for one in each if one.hora is not None]
    if any(_weekdays(dia) == () for dia in days) or any(hora.is_one_time for hora in hours):
        return False
    of_days = any(not any(one.hora for one in each) for each in chain)
    of_hours = any(any(one.hora for one in each) and not any(one.dia and one.dia.first for one in each) for each in chain)
    return of_days and of_hours


def _weekdays(dia: Dia) -> tuple[int, ...]:
    """The weekdays that a day told by its name is of; empty where it was not told so."""
    if dia.weekday is not None:
        return (dia.weekday,)
    first = date.fromisoformat(dia.first) if dia.first else None
    weekend = first is not None and first.weekday() in {5, 6} and dia.last != DISTANT and (date.fromisoformat(dia.last) - first).days == 1
    return (5, 6) if weekend else ()


def _left_out(chain: list[list[Momento]]) -> tuple[Criterios, ...]:
    """Of each weekday the hours that no alternative allows, weekdays of the same hours together."""
    named = any(one.dia is not None and not one.dia.first for each in chain for one in each)
    allowed: dict[int, list[Hora]] = {weekday: [] for weekday in _WEEK}
    for each in chain:
        days = {weekday for one in each if one.dia is not None for weekday in _weekdays(one.dia)}
        hours = [one.hora for one in each if one.hora is not None] or [Hora(first=_DAWN, last=_MIDNIGHT)]
        for weekday in days or (_WORKING if named else _WEEK):
            allowed[weekday] += hours
    by_gap: dict[tuple[Hora, ...], list[int]] = {}
    for weekday, hours in allowed.items():
        by_gap.setdefault(_gaps(hours), []).append(weekday)
    whole = (Hora(first=_DAWN, last=_MIDNIGHT),)
    return tuple(
        Criterios(dias=tuple(any_week(one) for one in weekdays), horas=() if gap == whole else gap)
        for gap, weekdays in by_gap.items()
        if gap
    )


def _gaps(hours: list[Hora]) -> tuple[Hora, ...]:
    """The hours of a day that are in none of those."""
    gaps, reached = [], _DAWN
    for hora in sorted(hours, key=lambda one: one.first):
        if hora.first > reached:
            gaps.append(Hora(first=reached, last=_before(hora.first)))
        reached = max(reached, hora.last)
    return (*gaps, Hora(first=reached, last=_MIDNIGHT)) if reached < _MIDNIGHT else tuple(gaps)


def _before(time: str) -> str:
    minutes = int(time[:2]) * 60 + int(time[3:]) - 1
    return f"{minutes // 60:02d}:{minutes % 60:02d}"
