"""`na outra terça`: the Tuesday after the one of what was just booked, changed or cancelled, or of the slots shown."""

from __future__ import annotations

from datetime import date, timedelta

import msgspec

from crivo.clinicas.orquestrador.contracts import Booking, Dialogue, Step
from crivo.clinicas.orquestrador.decide.situacao import Situacao
from crivo.clinicas.orquestrador.entende.atos import Ato
from crivo.clinicas.orquestrador.entende.criterios import Criterios, Dia, Hora, over
from crivo.clinicas.orquestrador.feito import cancelled

_WEEK = timedelta(days=7)


def counted_on(act: Ato, situacao: Situacao) -> Ato:
    """An act with its day, and the hour that is told to be the same, counted from what was done or shown; as it is where it is not that."""
    said, points = act.leitura.criterios, act.leitura.referencias
    if act.tipo not in {"marcar", "escolher", "listar"} or "outra_semana_depois" not in points or len(said.dias) != 1:
        return act
    told, last = said.dias[0], _last_done(situacao.dialogue)
    if not told.is_one_day:
        return act
    before = _before(date.fromisoformat(told.first).weekday(), last, situacao)
    if before is None:
        return act
    day = (before + _WEEK).isoformat()
    counted = Criterios(dias=(Dia(day, day),))
    if last is not None and "mesma_hora" in points and not said.horas:
        counted = msgspec.structs.replace(counted, horas=(Hora((last.time,)),))
    if last is not None and not said.has_scope:
        counted = msgspec.structs.replace(counted, medicos=((last.doctor,),), clinicas=(last.clinic,))
    meant = msgspec.structs.replace(said, dias=())
    return msgspec.structs.replace(act, leitura=msgspec.structs.replace(act.leitura, criterios=over(meant, counted)))


def _before(weekday: int, last: Booking | None, situacao: Situacao) -> date | None:
    """The day that the other one is after: of what was done last, else the only one of that weekday among the slots shown."""
    days = {last.date} if last is not None else {offer.slot.date for offer in situacao.offers}
    found = [day for day in map(date.fromisoformat, sorted(days)) if day.weekday() == weekday]
    return found[0] if len(found) == 1 else None


def takes_back(steps: tuple[Step, ...], dialogue: Dialogue) -> bool:
    """Whether a booking takes the very slot that was cancelled, with no word of taking it back."""
    gone = {(one.clinic, one.doctor, one.date, one.time) for one in cancelled(dialogue.feito)}
    return any((step.clinic, *(step.parameters[name] for name in ("doctor", "date", "time"))) in gone for step in steps)


def _last_done(dialogue: Dialogue) -> Booking | None:
    done = dialogue.feito
    return done.consultas[0] if done is not None and len(done.consultas) == 1 else None
