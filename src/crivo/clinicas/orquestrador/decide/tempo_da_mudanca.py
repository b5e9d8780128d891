"""The day that a change means, where it is told by what is held: `adiar uma semana`, `para a outra quinta`, `melhor às 11`."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Final

import msgspec

from crivo.clinicas.orquestrador.contracts import Booking
from crivo.clinicas.orquestrador.decide.situacao import Situacao
from crivo.clinicas.orquestrador.entende.criterios import DISTANT, Dia
from crivo.clinicas.orquestrador.entende.leitura import Leitura

_WEEK: Final = 7


def on_the_day_meant(booking: Booking, alvo: Leitura, situacao: Situacao) -> Leitura:
    """What is wished for with its day counted from the appointment held; as it is where the day does not hang on that."""
    held = date.fromisoformat(booking.date)
    if alvo.depois and not (alvo.criterios.dias or alvo.criterios.has_scope):
        return _on(held, alvo)
    if alvo.desloca and not alvo.criterios.dias:
        return _on(held + timedelta(days=alvo.desloca), alvo)
    weekday = _weekday(alvo)
    if weekday is not None and "semana_antes" in alvo.referencias:
        return _on(held - timedelta(days=(held.weekday() - weekday) % _WEEK or _WEEK), alvo)
    if weekday is not None and "outra_semana_depois" in alvo.referencias:
        return _on(held + timedelta(days=(weekday - held.weekday()) % _WEEK or _WEEK), alvo)
    if alvo.criterios.day == booking.date and "dia_que_vem" in alvo.referencias:
        return _on(held + timedelta(days=_WEEK), alvo)
    if weekday is not None and (within := _in_the_days_asked(held, alvo.criterios.dias[0], situacao)):
        return _on(within, alvo)
    return _on(held, alvo) if _only_another_hour(booking, alvo, situacao) else alvo


def _in_the_days_asked(held: date, weekday: Dia, situacao: Situacao) -> date | None:
    """A bare weekday in the days that were asked for, where the appointment held is one of those: `next week`, then `make it Friday`."""
    if weekday.weekday is None or not weekday.is_one_day:
        return None
    for asked in (dia for busca in situacao.dialogue.preferencias.buscas for dia in busca.quer.dias):
        spans = asked.first <= held.isoformat() <= asked.last and asked.first and asked.last != DISTANT and not asked.is_one_day
        if spans and not asked.first <= weekday.first <= asked.last:
            day = held + timedelta(days=weekday.weekday - held.weekday())
            return day if asked.first <= day.isoformat() <= asked.last else None
    return None


def _on(day: date, alvo: Leitura) -> Leitura:
    told = Dia(day.isoformat(), day.isoformat())
    return msgspec.structs.replace(alvo, criterios=msgspec.structs.replace(alvo.criterios, dias=(told,)))


def _weekday(alvo: Leitura) -> int | None:
    """The weekday that was told, where it is the only day."""
    if len(alvo.criterios.dias) != 1:
        return None
    dia = alvo.criterios.dias[0]
    return dia.weekday if dia.weekday is not None else date.fromisoformat(dia.first).weekday() if dia.is_one_day else None


def _only_another_hour(booking: Booking, alvo: Leitura, situacao: Situacao) -> bool:
    """Whether only an hour is told, so that the day and the doctor stay: unless the doctor's slots are known, and none is on that day."""
    said, time = alvo.criterios, alvo.criterios.time
    bare = not (said.dias or said.numeros or said.ordinais or said.extremo or said.has_scope or alvo.falhas or alvo.medicos_desconhecidos)
    elsewhere = alvo.referencias & {"mesma_hora", "outra_clinica", "outro_medico", "mesma_clinica", "qualquer_dia", "o_outro"}
    refused = any(dia.holds(booking.date) for dia in alvo.excluidos.dias)
    if time is None or not bare or elsewhere or refused or time.holds(booking.time):
        return False
    own = [offer for offer in situacao.listed if (offer.clinic, offer.slot.doctor) == (booking.clinic, booking.doctor)]
    there = [offer for offer in own if offer.slot.date == booking.date and time.holds(offer.slot.time)]
    return bool(there) or not own
