"""Where a change cannot be as was asked: who else has a slot then, or which slots of the same doctor are nearest."""

from __future__ import annotations

import msgspec

from crivo.clinicas.orquestrador.contracts import Booking, Offer
from crivo.clinicas.orquestrador.decide.buscas import search_for
from crivo.clinicas.orquestrador.decide.escolha import choose
from crivo.clinicas.orquestrador.decide.situacao import Pendente, Saida, Situacao
from crivo.clinicas.orquestrador.entende.criterios import VAZIO, Criterios, over, without
from crivo.clinicas.orquestrador.entende.selecao import MOST_AT_ONCE, nearest
from crivo.clinicas.orquestrador.preferencias import Busca
from crivo.kernel.linguagem.fala import fold

_FEW = 5


def nearest_to(booking: Booking, moment: Criterios, excluidos: Criterios, situacao: Situacao) -> Saida:
    """The question which slot a booking goes to, where its doctor has none at that moment among those listed; until then it stands."""
    texts = situacao.mensagens
    memory = Pendente("mudar_alvo", VAZIO, "mudar", consulta=booking)
    still_open = tuple(offer for offer in situacao.listed if situacao.is_open(offer))
    others = choose(moment, excluidos, situacao, [offer for offer in still_open if _is_alike(offer, booking, situacao)])
    own = [offer for offer in still_open if (offer.clinic, offer.slot.doctor) == (booking.clinic, booking.doctor)]
    shown = others[:MOST_AT_ONCE] or nearest(Busca(moment), own, _FEW, situacao.dialogue.registro)
    if not shown:
        return Saida(pergunta=texts.say("mudar_sem_horario", medico=booking.doctor), pendente=memory)
    key = "mudar_com_outros" if others else "mudar_mais_perto"
    asked = texts.say(key, medico=booking.doctor, horario=texts.booking(booking), lista=texts.numbered(shown))
    busca = search_for(over(Criterios(especialidades=(situacao.specialty_of(booking.clinic),)), moment), excluidos, situacao, "mudar")
    wanted = busca if others else msgspec.structs.replace(busca, quer=without(busca.quer, "dias", "horas"))
    return Saida(pergunta=asked, pendente=memory, buscas=(wanted,), ofertas=shown)


def _is_alike(offer: Offer, booking: Booking, situacao: Situacao) -> bool:
    """Whether an offer is of the booking's specialty, and of the same branch of it (a knee is seen by nobody for spines)."""
    specialty = situacao.specialty_of(booking.clinic)
    if situacao.specialty_of(offer.clinic) != specialty:
        return False
    return _branch(offer.slot.specialty, specialty) == _branch(booking.specialty, specialty)


def _branch(named: str, specialty: str) -> str:
    """The branch that a doctor is of; empty for a general one."""
    return "" if fold(named) == fold(specialty) else fold(named)
