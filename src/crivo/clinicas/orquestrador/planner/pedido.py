"""Which of some slots are of the moment that an utterance asks for; the responder tells it."""

from __future__ import annotations

import msgspec

from crivo.clinicas.orquestrador.contracts import Dialogue, Offer
from crivo.clinicas.orquestrador.planner.criterios import VAZIO, Criterios
from crivo.clinicas.orquestrador.planner.escolha import choose
from crivo.clinicas.orquestrador.planner.frase import read_sentence
from crivo.clinicas.orquestrador.planner.leitura import context_of, find_mentions, read_stretch
from crivo.clinicas.orquestrador.planner.mensagens import Mensagens
from crivo.clinicas.orquestrador.planner.situacao import situation_of


def fitting_places(utterance: str, offers: tuple[Offer, ...], dialogue: Dialogue) -> tuple[int, ...] | None:
    """The places, from 1, of the offers that fit the day and time asked for; None where none was asked for."""
    sentence, context = read_sentence(utterance), context_of(dialogue)
    leitura = read_stretch(sentence, find_mentions(sentence, context), 0, len(sentence.text))
    said = leitura.criterios
    wanted = Criterios(dias=said.dias, horas=said.horas, extremo=said.extremo, ramos=said.ramos)
    refused = Criterios(dias=leitura.excluidos.dias, horas=leitura.excluidos.horas, medicos=leitura.excluidos.medicos)
    if wanted.is_empty and refused.is_empty:
        return None
    now_shown = msgspec.structs.replace(dialogue, offers=offers, bookings=())
    fitting = choose(wanted, refused if not refused.is_empty else VAZIO, situation_of(now_shown, Mensagens("pt", dialogue.registro)))
    return tuple(place for place, offer in enumerate(offers, 1) if offer in fitting)
