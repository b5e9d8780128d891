"""Deadlines in business days: the first day is left out, the last one is counted whole, until the second before its midnight.

Source: CPC, art. 219 and 224; Lei 9.784/1999, art. 66. National holidays are those of the law: Carnaval and Corpus Christi are not among
them, and are left out where an organisation says so. Of a year that the package `holidays` does not tell of, no day is counted at all.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta, tzinfo
from functools import cache
from typing import ClassVar, Final

import holidays

from crivo.kernel.clock import BRASILIA
from crivo.kernel.errors import CrivoError, Kind
from crivo.kernel.linguagem.dobra import fold

MOST_DAYS: Final = 365
_SATURDAY: Final = 5
_LAST_SECOND: Final = time(23, 59, 59)
# Cities of the package, by how people call them.
_CIDADES: Final = {"São Paulo": "São Paulo Capital"}
# Where each capital is. Some share their name with towns of other states, which are named too.
_CAPITAIS: Final[Mapping[str, tuple[str, ...]]] = {
    "Aracaju": ("SE",),
    "Belém": ("PA", "AL", "PB"),
    "Belo Horizonte": ("MG",),
    "Boa Vista": ("RR", "PB"),
    "Brasília": ("DF",),
    "Campo Grande": ("MS", "AL", "RN"),
    "Cuiabá": ("MT",),
    "Curitiba": ("PR",),
    "Florianópolis": ("SC",),
    "Fortaleza": ("CE",),
    "Goiânia": ("GO",),
    "João Pessoa": ("PB",),
    "Macapá": ("AP",),
    "Maceió": ("AL",),
    "Manaus": ("AM",),
    "Natal": ("RN",),
    "Palmas": ("TO", "PR"),
    "Porto Alegre": ("RS",),
    "Porto Velho": ("RO",),
    "Recife": ("PE",),
    "Rio Branco": ("AC", "MT"),
    "Rio de Janeiro": ("RJ",),
    "Salvador": ("BA",),
    "São Luís": ("MA",),
    "São Paulo": ("SP",),
    "Teresina": ("PI",),
    "Vitória": ("ES",),
}
# From Easter Sunday, which stands two days after Good Friday.
_MOVING: Final = {"carnaval": (-48, -47), "cinzas": (-46,), "corpus-christi": (60,)}


class ForaDoCalendario(CrivoError):
    """A day of a year whose holidays nobody here knows."""

    codigo: ClassVar[str] = "fora_do_calendario"
    kind: ClassVar[Kind] = Kind.INVALID
    titulo: ClassVar[str] = "O calendário de feriados não chega até lá"


@dataclass(frozen=True, slots=True)
class Calendario:
    """Which days count: Brazil's, with a state's own holidays where `uf` names one, a city's where `cidade` names one of `cidades`, and
    with days off of the organisation's own.

    `folgas` are single days, `anuais` days of every year as (month, day), `moveis` of `carnaval`, `cinzas` and `corpus-christi`.
    """

    uf: str = ""
    folgas: frozenset[date] = frozenset()
    anuais: frozenset[tuple[int, int]] = frozenset()
    moveis: frozenset[str] = frozenset()
    cidade: str = ""

    def is_business_day(self, day: date) -> bool:
        """Whether a day counts. Raises ForaDoCalendario."""
        if day.weekday() >= _SATURDAY or day in self.folgas or (day.month, day.day) in self.anuais:
            return False
        return day not in _public(day.year, self.uf, self.cidade) and day not in _moving(day.year, self.moveis)


NACIONAL: Final = Calendario()
"""Which days count where nobody says a place."""


def nth_business_day(start: date, days: int, calendario: Calendario = NACIONAL) -> date:
    """The day on which so many business days after a day have passed; the day itself does not count."""
    if not 1 <= days <= MOST_DAYS:
        raise ValueError("a deadline has from 1 to 365 business days")
    day = start
    while days:
        day += timedelta(days=1)
        days -= calendario.is_business_day(day)
    return day


def business_day_before(day: date, calendario: Calendario = NACIONAL) -> date:
    """The last business day before a day."""
    day -= timedelta(days=1)
    while not calendario.is_business_day(day):
        day -= timedelta(days=1)
    return day


def prazo_em_dias_uteis(desde: datetime, days: int, calendario: Calendario, fuso: tzinfo = BRASILIA) -> datetime:
    """The last second of the last of so many business days after a moment, where `fuso` is kept. What comes by then is in time."""
    return datetime.combine(nth_business_day(desde.astimezone(fuso).date(), days, calendario), _LAST_SECOND, fuso)


def is_in_time(em: datetime, prazo: datetime) -> bool:
    """Whether a moment is within a deadline: its last second counts to the end."""
    return em < prazo + timedelta(seconds=1)


def read_folgas(said: str) -> Calendario:
    """Days off as settings write them, separated by commas: `2027-06-14`, `06-13` of every year, or the names of moving ones.

    Raises ValueError.
    """
    folgas, anuais, moveis = set[date](), set[tuple[int, int]](), set[str]()
    for one in [part.strip().lower() for part in said.split(",") if part.strip()]:
        if one in _MOVING:
            moveis.add(one)
        elif len(one) == len("06-13"):
            found = date.fromisoformat(f"2000-{one}")  # a leap year, so that the 29th of February may be said
            anuais.add((found.month, found.day))
        else:
            folgas.add(date.fromisoformat(one))
    return Calendario("", frozenset(folgas), frozenset(anuais), frozenset(moveis))


def ufs() -> tuple[str, ...]:
    """The states whose holidays are known, by their two letters."""
    return tuple([one for one in holidays.country_holidays("BR").subdivisions if len(one) == 2])


def cidades() -> tuple[str, ...]:
    """The cities whose holidays are known by themselves, as they are called; the days off of all others have to be said."""
    return tuple(_CIDADES)


def estados_de(cidade: str) -> tuple[str, ...]:
    """The states that a city may be in, however it is written; none where nobody here knows."""
    return _por_nome().get(fold(cidade), ())


@cache
def _por_nome() -> Mapping[str, tuple[str, ...]]:
    return {fold(nome): estados for nome, estados in _CAPITAIS.items()}


@cache
def _public(year: int, uf: str, cidade: str) -> frozenset[date]:
    known = holidays.country_holidays("BR")
    if not known.start_year <= year <= known.end_year:
        raise ForaDoCalendario(f"Os feriados conhecidos vão de {known.start_year} a {known.end_year}; {year} fica fora. Confira a data.")
    of_city = _CIDADES.get(cidade)
    found = holidays.country_holidays("BR", subdiv=uf or None, years=year)
    if of_city is not None:
        found = found + holidays.country_holidays("BR", subdiv=of_city, years=year)
    return frozenset(found)


@cache
def _moving(year: int, moveis: frozenset[str]) -> frozenset[date]:
    if not moveis:
        return frozenset()
    friday = next(day for day, name in holidays.country_holidays("BR", years=year, language="en_US").items() if name == "Good Friday")
    easter = friday + timedelta(days=2)
    return frozenset([easter + timedelta(days=off) for name in moveis for off in _MOVING[name]])
