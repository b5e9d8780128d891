"""One thing is taken out of what was asked for, by its button: the listings are made again without it."""

from __future__ import annotations

import msgspec

from crivo.clinicas.orquestrador.decide.listar import listings
from crivo.clinicas.orquestrador.decide.situacao import Pendente, Saida, Situacao
from crivo.clinicas.orquestrador.entende.criterios import VAZIO
from crivo.clinicas.orquestrador.entendido import without_it
from crivo.clinicas.orquestrador.linguagem.botoes import dropped
from crivo.clinicas.orquestrador.preferencias import Busca


def decide_drop(message: str, situacao: Situacao) -> list[Saida]:
    """The listings of every search without the thing that a message takes out, or that it binds none; nothing for any other message."""
    words, before = dropped(message), situacao.dialogue.preferencias.buscas
    if not words:
        return []
    buscas = without_it(words, situacao.dialogue)
    if not buscas:
        return [Saida(fala=situacao.mensagens.say("nada_para_tirar"), pendente=situacao.pendente)]
    return [_listed(_with_scope(busca, old, situacao), situacao) for busca, old in zip(buscas, before, strict=True)]


def _with_scope(busca: Busca, before: Busca, situacao: Situacao) -> Busca:
    """A search of the same specialty, where the doctor or the clinic that told it was taken out."""
    if busca.quer.has_scope:
        return busca
    places = (*before.quer.clinicas, *(place for doctor in before.quer.doctors for place in situacao.works_at(doctor)))
    names = tuple(dict.fromkeys(situacao.specialty_of(place) for place in places))
    return msgspec.structs.replace(busca, quer=msgspec.structs.replace(busca.quer, especialidades=names))


def _listed(busca: Busca, situacao: Situacao) -> Saida:
    old = situacao.pendente
    moving = old.proposito == "mudar" and old.consulta is not None
    memory = Pendente("listado", busca.quer, "mudar" if moving else "marcar", consulta=old.consulta if moving else None)
    return Saida(listings(busca.quer, VAZIO, situacao), pendente=memory, buscas=(busca,))
