"""What is refused apart from one another: `sexta não, de manhã também não` are two things, `sexta de manhã não` is one."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable
from typing import Final

import msgspec

from crivo.clinicas.orquestrador.entende.criterios import Dia, Hora
from crivo.clinicas.orquestrador.entende.mencoes import Mencao

_MOMENT: Final = frozenset({"dias", "horas"})
_SMALL: Final = r"(?:n[ao]s?|[ao]s?|d[aeo]s?|ao|pela|pelo|on|in|the|at|en|por|el|los?|las?|del|dias?)"
_ONE_THING: Final = re.compile(rf"\s*(?:{_SMALL}\s+)*")
_MORE_ALIKE: Final = re.compile(rf"\s*(?:,\s*)?(?:(?:e|ou|nem|and|or|nor|y|o|ni)\s+)?(?:{_SMALL}\s+)*")


def apart(refused: Iterable[Mencao], text: str) -> list[list[Mencao]]:
    """The mentions refused, in the refusals that they are: first those of no moment with the days or the hours refused by themselves."""
    mentions = [_to_the_minute(one, text) for one in refused]
    moments = [one for one in mentions if one.field in _MOMENT]
    rest = [one for one in mentions if one.field not in _MOMENT]
    groups = _groups(moments, text)
    whole = [group for group in groups if _fields(group) == {"dias"} and any(map(_is_range, group))]  # `nem segunda, nem essa semana`
    days = [one for group in groups if _fields(group) == {"dias"} and group not in whole for one in group]
    hours = [one for group in groups if _fields(group) == {"horas"} for one in group]
    parts = [part for part in (days, hours, *whole, *(group for group in groups if _fields(group) == _MOMENT)) if part]
    return [rest + parts[0], *parts[1:]] if parts else [rest]


def _groups(moments: list[Mencao], text: str) -> list[list[Mencao]]:
    """Days and hours that stand together: an hour right beside its day, and what is only more of the same."""
    groups = [moments[:1]] if moments else []
    for one, following in itertools.pairwise(moments):
        joined = _MORE_ALIKE if one.field == following.field and _is_range(one) == _is_range(following) else _ONE_THING
        if joined.fullmatch(text, one.end, following.start):
            groups[-1].append(following)
        else:
            groups.append([following])
    return groups


def _is_range(mention: Mencao) -> bool:
    return isinstance(mention.value, Dia) and not mention.value.is_one_day


def _fields(group: list[Mencao]) -> set[str]:
    return {one.field for one in group}


_AFTER: Final = re.compile(r"\b(?:depois|apos|after|despues|passad[ao])\b")
_LED_BY: Final = len("depois das ")


def _to_the_minute(mention: Mencao, text: str) -> Mencao:
    """An hour after which it shall not be, from the minute after: `nem depois das 16` leaves 16:00 itself."""
    hora = mention.value
    if mention.field != "horas" or hora.is_one_time or hora.last < "23:59" or not hora.first.endswith("0"):
        return mention
    if not _AFTER.search(text, max(0, mention.start - _LED_BY), mention.end):
        return mention
    return msgspec.structs.replace(mention, value=Hora(first=f"{hora.first[:-1]}1", last=hora.last))
