"""`mais`: going on with a list of which a part was shown. Source: design, "Short listings"."""

from __future__ import annotations

import re
from typing import Final

from crivo.clinicas.orquestrador.decide.conversa import own_bookings
from crivo.clinicas.orquestrador.decide.listar import listings
from crivo.clinicas.orquestrador.decide.situacao import Saida, Situacao
from crivo.clinicas.orquestrador.entende.atos import Ato
from crivo.clinicas.orquestrador.entende.criterios import VAZIO, holds_booking, without
from crivo.clinicas.orquestrador.entende.frase import Frase
from crivo.clinicas.orquestrador.entende.lexico import intention

_FIGURES: Final = re.compile(r"\s*(?:\d{1,3}[,;.]?\s+)+\d{1,3}[.!]?\s*")
_LONGEST_PLACE: Final = 2  # a CPF written apart has one figure that short
_OF_NO_LIST: Final = frozenset({"cancelar", "cancelou", "mudar", "medico", "especialidade", "pacientes"})


def decide_settled(sentence: Frase, act: Ato, situacao: Situacao) -> Saida | None:
    """A yes right after something was booked, which says again what was: it is told, and nothing else is booked on it."""
    of_all = act.tudo and len(situacao.bookings) > 1
    points = act.leitura.referencias - ({"destes"} if of_all else set())
    if situacao.pendente.assunto or not situacao.bookings or act.has_verb or act.tambem or points:
        return None
    said = without(act.leitura.criterios, "horas") if of_all else act.leitura.criterios  # `sim, as duas` tells no hour
    told = any(holds_booking(said, held, situacao.specialty_of(held.clinic)) for held in situacao.bookings)
    again = not said.ordinais and told and (of_all or not said.is_empty)
    if not intention("aceitar").match(sentence.text, act.start) or not again or not act.leitura.excluidos.is_empty:
        return None
    return own_bookings(situacao)


def decide_numbers(sentence: Frase, situacao: Situacao) -> Saida | None:
    """The question for one number where several, and nothing else, answer a numbered list; what was shown stays as it was."""
    figures = sentence.text.split() if _FIGURES.fullmatch(sentence.text) else []
    short = [one for one in figures if len(one.strip(",;.")) <= _LONGEST_PLACE]
    if len(short) < 2 or not situacao.offers or situacao.pendente.assunto in _OF_NO_LIST:
        return None
    return Saida(pergunta=situacao.mensagens.say("um_numero_so"), pendente=situacao.pendente)


def decide_more(sentence: Frase, acts: list[Ato], situacao: Situacao) -> list[Saida]:
    """The listings again, to go on after what was shown; nothing where more is not what is asked for, or nothing was shown."""
    vitrine, buscas = situacao.dialogue.vitrine, situacao.dialogue.preferencias.buscas
    told = any(not (act.leitura.criterios.is_empty and act.leitura.excluidos.is_empty) for act in acts)
    if told or not buscas or not intention("mais").fullmatch(sentence.text.strip(" ,.;!?")):
        return []
    if not (vitrine.mais or vitrine.fora):
        return [Saida(pergunta=situacao.mensagens.say("sem_mais"), pendente=situacao.pendente)]
    return [Saida(listings(busca.quer, VAZIO, situacao), pendente=situacao.pendente, buscas=(busca,), mais=True) for busca in buscas]
