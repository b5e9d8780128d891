"""`na outra terça`, right after something of a Tuesday was booked, changed or cancelled: the Tuesday after it."""

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
    """An act with its day, and the hour that is told to be the same, counted from what was done last; as it is where it is not that."""
    said, points = act.leitura.criterios, act.leitura.referencias
    last = _last_done(situacao.dialogue)
    if last is None or act.tipo not in {"marcar", "escolher", "listar"} or "outra_semana_depois" not in points or len(said.dias) != 1:
        return act
    told, before = said.dias[0], date.fromisoformat(last.date)
    if not told.is_one_day or date.fromisoformat(told.first).weekday() != before.weekday():
        return act
    day = (before + _WEEK).isoformat()
    counted = Criterios(dias=(Dia(day, day),))
    if "mesma_hora" in points and not said.horas:
        counted = msgspec.structs.replace(counted, horas=(Hora((last.time,)),))
    if not said.has_scope:
        counted = msgspec.structs.replace(counted, medicos=((last.doctor,),), clinicas=(last.clinic,))
    meant = msgspec.structs.replace(said, dias=())
    return msgspec.structs.replace(act, leitura=msgspec.structs.replace(act.leitura, criterios=over(meant, counted)))


def takes_back(steps: tuple[Step, ...], dialogue: Dialogue) -> bool:
    """Whether a booking takes the very slot that was cancelled, with no word of taking it back."""
    gone = {(one.clinic, one.doctor, one.date, one.time) for one in cancelled(dialogue.feito)}
    return any((step.clinic, *(step.parameters[name] for name in ("doctor", "date", "time"))) in gone for step in steps)


def _last_done(dialogue: Dialogue) -> Booking | None:
    done = dialogue.feito
    return done.consultas[0] if done is not None and len(done.consultas) == 1 else None
