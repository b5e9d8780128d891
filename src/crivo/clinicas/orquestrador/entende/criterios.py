"""What a person asked of a slot, as values: who, where, when and which one, and what it must not be."""

from __future__ import annotations

from datetime import datetime
from typing import Final

import msgspec

from crivo.clinicas.orquestrador.contracts import Booking, Offer
from crivo.clinicas.orquestrador.linguagem.tratamento import Genero, gender_of
from crivo.clinicas.orquestrador.preferencias import DISTANT, VAZIO, Criterios, Dia, Extremo, Hora, Value, period
from crivo.kernel.linguagem.fala import fold

__all__ = ["DISTANT", "VAZIO", "Criterios", "Dia", "Extremo", "Hora", "Value", "period"]


_TITLES: Final[dict[Genero, str]] = {"a": "Dra.", "o": "Dr."}


def by_weekday(criterios: Criterios) -> Criterios:
    """The same with every bare weekday widened to all days of that name."""
    days = tuple(Dia("", DISTANT, dia.weekday) if dia.weekday is not None and dia.is_one_day else dia for dia in criterios.dias)
    return msgspec.structs.replace(criterios, dias=days)


def over(first: Criterios, second: Criterios) -> Criterios:
    """Both together; where both speak of the same thing the second counts."""
    values = {field: getattr(second, field) or getattr(first, field) for field in Criterios.__struct_fields__}
    if second.horas and first.horas and not any(hora.is_one_time for hora in second.horas):
        narrower = (_narrowed(hora, other) for hora in first.horas if hora.is_one_time for other in second.horas)
        values["horas"] = tuple(hora for hora in narrower if hora.readings) or second.horas
    values["dias"] = _within(first.dias, second.dias) or values["dias"]
    if not any(hora.is_one_time for hora in (*first.horas, *second.horas)):
        values["horas"] = both_hours(first.horas, second.horas) or values["horas"]
    if second.ordinais:
        values["extremo"] = second.extremo
    return Criterios(**values)


def _within(ranges: tuple[Dia, ...], days: tuple[Dia, ...]) -> tuple[Dia, ...]:
    """Bare weekdays within the days that bound them (`a partir do dia 21`, then `às quartas`); none where it is not that.

    A weekday of those days (`semana que vem`, then `na quinta`) is bound by them still when another takes its place: `melhor na sexta`.
    """
    bounds = tuple(dict.fromkeys(Dia(dia.first, dia.last) for dia in ranges if not dia.is_one_day and dia.first))
    if not (bounds and days) or any(dia.weekday is None or not dia.is_one_day or dia.place for dia in days):
        return ()
    return tuple(Dia(bound.first, bound.last, dia.weekday) for bound in bounds for dia in days)


def both_hours(ones: tuple[Hora, ...], others: tuple[Hora, ...]) -> tuple[Hora, ...]:
    """What a part of the day and a bound leave together: `à tarde`, `depois das 15h`; none where they are not one of each."""
    parts = {period(name) for name in ("manha", "tarde", "noite")}
    pairs = [(one, other) for one in ones for other in others if (one in parts) != (other in parts)]
    shared = (Hora(first=max(one.first, other.first), last=min(one.last, other.last)) for one, other in pairs)
    return tuple(hora for hora in shared if hora.first <= hora.last)


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
        and (not criterios.titulos or _TITLES.get(gender_of(offer.slot.doctor)) in criterios.titulos)
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


def refuses(excluidos: Criterios, offer: Offer, specialty: str) -> bool:
    """Whether any one of the things refused is true of an offer, of a clinic of that specialty; a bare weekday is every such day."""
    return any(_refuses(one, offer, specialty) for one in each_apart(excluidos))


def each_apart(excluidos: Criterios) -> tuple[Criterios, ...]:
    """What is refused as the refusals that it is made of, each of them by itself."""
    return tuple(one for one in (without(excluidos, "apartadas"), *excluidos.apartadas) if not one.is_empty)


def agreeing(criterios: Criterios, recusas: tuple[Criterios, ...]) -> Criterios:
    """What was asked without the days and the parts of the day that are refused since: `sexta de manhã`, then `sexta não posso`."""
    for recusa in recusas:
        days = tuple(dia for dia in criterios.dias if not _is_among(dia, recusa))
        hours = tuple(hora for hora in criterios.horas if hora not in recusa.horas)
        if recusa.horas and recusa.dias and (days or hours):
            continue  # of those days another hour may be
        values = {"dias": days if recusa.dias else criterios.dias, "horas": hours if recusa.horas else criterios.horas}
        criterios = msgspec.structs.replace(criterios, **values)
    return criterios


def still_refused(recusas: tuple[Criterios, ...], said: Criterios) -> tuple[Criterios, ...]:
    """What was refused without the days and the parts of the day that are asked for since: `sexta pode sim`."""
    kept = []
    for recusa in recusas:
        days = tuple(dia for dia in recusa.dias if not any(_is_among(one, Criterios(dias=(dia,))) for one in said.dias))
        hours = tuple(hora for hora in recusa.horas if hora not in said.horas)
        taken_back = not days and not hours
        alone = not (recusa.dias and recusa.horas)
        kept.append(msgspec.structs.replace(recusa, dias=days, horas=hours) if alone or taken_back else recusa)
    return tuple(one for one in kept if not one.is_empty)


def _is_among(dia: Dia, recusa: Criterios) -> bool:
    return dia.is_one_day and any(one.holds(dia.first) for one in by_weekday(recusa).dias)


_NOT_OF_A_SLOT: Final = frozenset({"ordinais", "extremo", "numeros", "apartadas"})


def _refuses(excluidos: Criterios, offer: Offer, specialty: str) -> bool:
    wider = by_weekday(excluidos)
    fields = [field for field in Criterios.__struct_fields__ if field not in _NOT_OF_A_SLOT and getattr(wider, field)]
    together = {"dias", "horas"} <= set(fields)
    alone = [Criterios(**{field: getattr(wider, field)}) for field in fields if not (together and field in {"dias", "horas"})]
    if together:
        alone.append(Criterios(dias=wider.dias, horas=wider.horas))
    return any(holds(one, offer, specialty) for one in alone)
