"""A wish for several specialties, each with a moment of its own: `cardiologia em 24/07 e ortopedia em 25/07`."""

from __future__ import annotations

import itertools

import msgspec

from crivo.clinicas.orquestrador.planner.atos import Ato
from crivo.clinicas.orquestrador.planner.frase import Frase
from crivo.clinicas.orquestrador.planner.leitura import find_mentions, read_stretch
from crivo.clinicas.orquestrador.planner.situacao import Situacao


def by_specialty(sentence: Frase, act: Ato, situacao: Situacao) -> list[Ato]:
    """The act as one for each specialty, where each was told with its own day or hour; else the act as it is."""
    named = act.leitura.criterios.especialidades
    if len(named) < 2 or act.tipo not in {"listar", "marcar", "escolher"} or act.leitura.criterios.medicos:
        return [act]
    mentions = find_mentions(sentence, situacao.contexto)
    starts = [
        next(one.start for one in mentions if one.start >= act.start and (one.field, one.value) == ("especialidades", name))
        for name in named
    ]
    cuts = [act.start, *sorted(starts)[1:], act.end]
    readings = [read_stretch(sentence, mentions, start, end) for start, end in itertools.pairwise(cuts)]
    told = [reading.criterios for reading in readings]
    if not all(len(one.especialidades) == 1 and (one.dias or one.horas) for one in told):
        return [act]
    return [msgspec.structs.replace(act, leitura=reading) for reading in readings]
