"""Appointments booked outside of this conversation: told in full they may be cancelled or moved, since the clinic checks the CPF."""

from __future__ import annotations

from typing import Literal

from crivo.clinicas.orquestrador.contracts import Booking
from crivo.clinicas.orquestrador.decide.situacao import Situacao
from crivo.clinicas.orquestrador.entende.criterios import Criterios
from crivo.clinicas.orquestrador.entende.leitura import Leitura
from crivo.clinicas.orquestrador.linguagem.formatos import enumerated


def told_elsewhere(leitura: Leitura, situacao: Situacao) -> Booking | None:
    """The appointment of which doctor, day and time were all said; None where anything is missing, or one with that doctor is known."""
    if leitura.falhas or leitura.medicos_desconhecidos or leitura.clinicas_desconhecidas:
        return None
    found = of_criteria(leitura.criterios, situacao)
    return None if found is None or any(one.doctor == found.doctor for one in situacao.bookings) else found


def of_criteria(told: Criterios, situacao: Situacao) -> Booking | None:
    """The same of criteria that may have been told in several messages."""
    day, time = told.day, told.time
    if len(told.doctors) != 1 or day is None or time is None:
        return None
    doctor = told.doctors[0]
    places = [place for place in situacao.works_at(doctor) if not told.clinicas or place in told.clinicas]
    return Booking(places[0], doctor, day, time.readings[0]) if len(places) == 1 else None


def ask_for_the_rest(ato: Literal["cancelar", "mudar"], told: Criterios, situacao: Situacao) -> str:
    """The question for what is missing of an appointment that is not known, with what was told of it already."""
    texts = situacao.mensagens
    known = [*(told.doctors if len(told.doctors) == 1 else ()), *(texts.clinic(one) for one in told.clinicas)]
    known += [f"{told.day[8:]}/{told.day[5:7]}"] if told.day else []
    known += [told.time.readings[0]] if told.time else []
    if not known:
        return texts.say(f"nada_para_{ato}")
    parts = (("medico", len(told.doctors) != 1), ("dia", told.day is None), ("hora", told.time is None))
    missing = [texts.say(f"falta_{name}") for name, lacks in parts if lacks] or [texts.say("falta_clinica")]
    return texts.say(f"falta_para_{ato}", dito=", ".join(known), falta=enumerated(missing, texts.idioma))
