"""A wish for several specialties, each with a moment of its own: `cardiologia em 24/07 e ortopedia em 25/07`."""

from __future__ import annotations

import itertools
from typing import Final

import msgspec

from crivo.clinicas.orquestrador.decide.situacao import Situacao
from crivo.clinicas.orquestrador.entende.atos import Ato
from crivo.clinicas.orquestrador.entende.criterios import Criterios, over
from crivo.clinicas.orquestrador.entende.frase import Frase
from crivo.clinicas.orquestrador.entende.leitura import Leitura, read_stretch
from crivo.clinicas.orquestrador.entende.mencoes import Mencao
from crivo.clinicas.orquestrador.entende.mensagem import read

_MOMENTS: Final = frozenset({"dias", "horas", "extremo"})


def by_specialty(sentence: Frase, act: Ato, situacao: Situacao) -> list[Ato]:
    """The act as one for each specialty, where a moment was told of one of them alone; else the act as it is.

    What is said after the last, or before the first, of them is of all: `cardio e dermato na quinta`.
    """
    named = act.leitura.criterios.especialidades
    if len(named) < 2 or act.tipo not in {"listar", "marcar", "escolher"} or act.leitura.criterios.medicos:
        return [act]
    mentions = read(sentence, situacao.dialogue).mencoes
    first = [
        next(one for one in mentions if one.start >= act.start and (one.field, one.value) == ("especialidades", name)) for name in named
    ]
    places = sorted(first, key=lambda one: one.start)
    moments = [one for one in mentions if one.field in _MOMENTS and act.start <= one.start < act.end]
    cuts = _cuts(act, places, moments)
    if cuts is None:
        return [act]
    readings = [read_stretch(sentence, mentions, start, end) for start, end in itertools.pairwise(cuts)]
    if not all(len(reading.criterios.especialidades) == 1 for reading in readings):
        return [act]
    return [msgspec.structs.replace(act, leitura=reading) for reading in on_the_same_day(readings)]


def on_the_same_day(readings: list[Leitura]) -> list[Leitura]:
    """`e o Dr. Ciro no mesmo dia`: the day of the one told before."""
    told: list[Leitura] = []
    for reading in readings:
        days = told[-1].criterios.dias if told else ()
        is_same = "mesmo_dia" in reading.referencias and len(days) == 1 and not reading.criterios.dias
        told.append(msgspec.structs.replace(reading, criterios=over(Criterios(dias=days), reading.criterios)) if is_same else reading)
    return told


def _cuts(act: Ato, places: list[Mencao], moments: list[Mencao]) -> list[int] | None:
    """Where the act is cut: before each specialty, or after each where the moments stand before them; None where a moment is of all."""
    after = [act.start, *(one.end for one in places[:-1]), act.end]
    before = [act.start, *(one.start for one in places[1:]), act.end]
    led = all(_told(moments, start, place.start) for start, place in zip(after, places, strict=False))
    trailing = _told(moments, places[-1].end, act.end)
    if led and not trailing:
        return after
    between = any(_told(moments, place.end, other.start) for place, other in itertools.pairwise(places))
    shared = _told(moments, act.start, places[0].start)
    return before if between and not shared else None


def _told(moments: list[Mencao], start: int, end: int) -> bool:
    return any(start <= one.start < end for one in moments)
