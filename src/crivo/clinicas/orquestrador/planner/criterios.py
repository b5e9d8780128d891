"""What a person asked of a slot, as values: who, where, when and which one, and what it must not be."""

from __future__ import annotations

from datetime import datetime
from typing import Final, Literal

import msgspec

from crivo.clinicas.orquestrador.contracts import Booking, Offer
from crivo.clinicas.orquestrador.linguagem.folding import fold

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
    shown; -1 is the last. `numeros` are bare figures that may be a day or an hour.
    """

    especialidades: tuple[str, ...] = ()
    ramos: tuple[str, ...] = ()
    medicos: tuple[tuple[str, ...], ...] = ()
    clinicas: tuple[str, ...] = ()
    dias: tuple[Dia, ...] = ()
    horas: tuple[Hora, ...] = ()
    numeros: tuple[int, ...] = ()
    ordinais: tuple[int, ...] = ()
    extremo: Extremo | None = None

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
        return not (self.has_scope or self.has_moment or self.ramos)

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


def by_weekday(criterios: Criterios) -> Criterios:
    """The same with every bare weekday widened to all days of that name."""
    days = tuple(Dia("", DISTANT, dia.weekday) if dia.weekday is not None and dia.is_one_day else dia for dia in criterios.dias)
    return msgspec.structs.replace(criterios, dias=days)


def over(first: Criterios, second: Criterios) -> Criterios:
    """Both together; where both speak of the same thing the second counts."""
    values = {field: getattr(second, field) or getattr(first, field) for field in Criterios.__struct_fields__}
    if second.horas and first.horas and not any(hora.is_one_time for hora in second.horas):
        narrower = tuple(hora for hora in first.horas if hora.is_one_time and any(_narrowed(hora, other) for other in second.horas))
        values["horas"] = tuple(_narrowed(hora, other) for hora in narrower for other in second.horas) or second.horas
    if second.ordinais:
        values["extremo"] = second.extremo
    return Criterios(**values)


def _narrowed(hora: Hora, part: Hora) -> Hora:
    return Hora(tuple(reading for reading in hora.readings if part.holds(reading)))


def without(criterios: Criterios, *fields: str) -> Criterios:
    """The same with those fields left out."""
    return Criterios(**{field: getattr(criterios, field) for field in Criterios.__struct_fields__ if field not in fields})


def holds_when(criterios: Criterios, date: str, time: str) -> bool:
    """Whether a moment is one that was asked; places in a list are not looked at."""
    return (
        (not criterios.dias or any(dia.holds(date) for dia in criterios.dias))
        and (not criterios.horas or any(hora.holds(time) for hora in criterios.horas))
        and (not criterios.numeros or any(_is_figure(numero, date, time) for numero in criterios.numeros))
    )


def _is_figure(numero: int, date: str, time: str) -> bool:
    return int(date[8:]) == numero or (time.endswith(":00") and int(time[:2]) == numero)


def holds(criterios: Criterios, offer: Offer, specialty: str) -> bool:
    """Whether an offer, of a clinic of that specialty, is one that was asked; places in a list are not looked at."""
    return (
        (not criterios.especialidades or specialty in criterios.especialidades)
        and (not criterios.medicos or offer.slot.doctor in criterios.doctors)
        and (not criterios.clinicas or offer.clinic in criterios.clinicas)
        and (not criterios.ramos or fold(offer.slot.specialty) in {fold(ramo) for ramo in criterios.ramos})
        and holds_when(criterios, offer.slot.date, offer.slot.time)
    )


def holds_booking(criterios: Criterios, booking: Booking, specialty: str) -> bool:
    """Whether a booking is one that was meant."""
    return (
        (not criterios.especialidades or specialty in criterios.especialidades)
        and (not criterios.medicos or booking.doctor in criterios.doctors)
        and (not criterios.clinicas or booking.clinic in criterios.clinicas)
        and holds_when(criterios, booking.date, booking.time)
    )


def instant(date: str, time: str, now: datetime) -> datetime:
    """A clinic's date and time as an instant, in the zone of `now`."""
    return datetime.fromisoformat(f"{date}T{time}").replace(tzinfo=now.tzinfo)
