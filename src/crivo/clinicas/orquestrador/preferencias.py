"""What a person looks for, as values kept through a conversation: who, where, when, and what it must not be.

The values alone; how an offer is held against them stands in `planner.criterios`, and which offers are shown for them in `selecao`.
"""

from __future__ import annotations

from datetime import datetime
from typing import Final, Literal

import msgspec

Extremo = Literal["min", "max"]
DISTANT: Final = "9999-12-31"
_PERIODS: Final = {"manha": ("05:00", "11:59"), "tarde": ("12:00", "18:29"), "noite": ("18:00", "23:59")}


class Value(msgspec.Struct, frozen=True, omit_defaults=True):
    """A frozen value of the planner."""


def _weekday(date: str) -> int:
    return datetime.fromisoformat(date).weekday()


class Dia(Value, frozen=True):
    """The days from `first` to `last`, ISO and both included; one day when they are the same.

    `weekday` (Monday = 0) tells that only the weekday was said: the next such day is meant, or a later one where that was not offered.
    `place` is the place in a list that the same words may name instead (`a segunda`), 0 where they may not.
    """

    first: str
    last: str
    weekday: int | None = None
    place: int = 0

    @property
    def is_one_day(self) -> bool:
        """Whether it tells the day and not a range."""
        return self.first == self.last

    def holds(self, date: str) -> bool:
        """Whether a date is among them."""
        return self.first <= date <= self.last and (self.weekday is None or _weekday(date) == self.weekday)


class Hora(Value, frozen=True):
    """A time of day: one of `readings` ("às 3" may be two), or anything from `first` to `last`, `HH:MM`."""

    readings: tuple[str, ...] = ()
    first: str = ""
    last: str = ""

    @property
    def is_one_time(self) -> bool:
        """Whether it tells the time and not a part of the day."""
        return bool(self.readings)

    def holds(self, time: str) -> bool:
        """Whether a slot at that time is what was asked."""
        return time in self.readings if self.readings else self.first <= time <= self.last


def period(name: str) -> Hora:
    """The part of the day of that name: `manha`, `tarde` or `noite`."""
    return Hora(first=_PERIODS[name][0], last=_PERIODS[name][1])


class Criterios(Value, frozen=True):
    """What must hold of a slot; alternatives within a field, all fields together.

    `medicos` holds, for each doctor that was named, every full name that the name may be. `ordinais` count from 1 in the list that was
    shown; -1 is the last. `numeros` are bare figures that may be a day or an hour. `titulos` are
    those of the doctors wanted, `Dra.` or `Dr.`. `apartadas` are of what is refused, and refused beside it: `sexta não, de manhã também
    não` is both, and not the mornings of Fridays alone.
    """

    especialidades: tuple[str, ...] = ()
    ramos: tuple[str, ...] = ()
    medicos: tuple[tuple[str, ...], ...] = ()
    clinicas: tuple[str, ...] = ()
    titulos: tuple[str, ...] = ()
    dias: tuple[Dia, ...] = ()
    horas: tuple[Hora, ...] = ()
    numeros: tuple[int, ...] = ()
    ordinais: tuple[int, ...] = ()
    extremo: Extremo | None = None
    apartadas: tuple[Criterios, ...] = ()

    @property
    def has_scope(self) -> bool:
        """Whether it says who or where, and not when alone."""
        return bool(self.especialidades or self.medicos or self.clinicas)

    @property
    def has_moment(self) -> bool:
        """Whether it says when, or which one of those shown."""
        return bool(self.dias or self.horas or self.numeros or self.ordinais or self.extremo)

    @property
    def is_empty(self) -> bool:
        """Whether nothing was asked."""
        return not (self.has_scope or self.has_moment or self.ramos or self.titulos or self.apartadas)

    @property
    def day(self) -> str | None:
        """The day, where exactly one was said."""
        return self.dias[0].first if len(self.dias) == 1 and self.dias[0].is_one_day else None

    @property
    def time(self) -> Hora | None:
        """The time, where exactly one was said."""
        return self.horas[0] if len(self.horas) == 1 and self.horas[0].is_one_time else None

    @property
    def doctors(self) -> tuple[str, ...]:
        """Every full name that the named doctors may be."""
        return tuple(dict.fromkeys(name for names in self.medicos for name in names))


VAZIO: Final = Criterios()


class Busca(Value, frozen=True):
    """One search: what was asked of a slot, and what was refused of it; each message's refusals stand together.

    `em_duvida` tells that something in its words was not understood, so that nothing is claimed to be as was asked.
    """

    quer: Criterios = VAZIO
    recusas: tuple[Criterios, ...] = ()
    em_duvida: bool = False

    @property
    def is_free(self) -> bool:
        """Whether nothing was said about when, or which branch, or what it must not be: every slot of its clinics is wanted."""
        return not (self.recusas or self.quer.ramos or self.quer.titulos or self.quer.dias or self.quer.horas)


class Preferencias(Value, frozen=True):
    """What binds what is offered and chosen, until another search takes its place: one search for each specialty asked about."""

    buscas: tuple[Busca, ...] = ()
