"""What takes the place of a booking, and what only gives it up: corrections, answers about a change, a day that cannot be kept."""

from __future__ import annotations

import re
from typing import Final

import msgspec

from crivo.clinicas.orquestrador.decide.de_fora import told_elsewhere
from crivo.clinicas.orquestrador.decide.escolha import choose
from crivo.clinicas.orquestrador.decide.mudar import change_to, decide_change
from crivo.clinicas.orquestrador.decide.situacao import Pendente, Saida, Situacao
from crivo.clinicas.orquestrador.entende.atos import Ato
from crivo.clinicas.orquestrador.entende.criterios import VAZIO, Criterios, holds_booking, without
from crivo.clinicas.orquestrador.entende.frase import Frase


def is_change(act: Ato, situacao: Situacao) -> bool:
    """Whether a choice is meant to take the place of a booking: an answer about a change, or a correction of one just made."""
    pending = situacao.pendente
    if not situacao.bookings and pending.assunto == "mudar" and act.tipo == "escolher":
        wished = act.has_verb and act.leitura.criterios.has_scope and without(act.leitura.criterios, "especialidades", "ramos").is_empty
        return not wished
    if act.tipo not in {"escolher", "marcar"} or not situacao.bookings:
        return False
    if pending.assunto in {"mudar", "mudar_alvo"} or (pending.proposito == "mudar" and pending.consulta in situacao.bookings):
        return not act.tambem
    signs = (_keeps_a_part, _points_beside, _cannot_keep, _asks_for_another_moment)
    if _wants_another_time(act) or any(sign(act, situacao) for sign in signs):
        return True
    if not act.correcao or act.tambem or act.leitura.criterios.is_empty or pending.assunto == "escolher":
        return False
    return _same_specialty(act.leitura.criterios, situacao)


_CHANGES: Final = re.compile(
    r"\b(?:(?:re|trans)\w{4,}|adi|antecip|mud|troc|alter|posterg|change|move|switch|push|cambi|postpone|em vez|no lugar|instead)"
)


def without_a_booking(sentence: Frase, act: Ato, situacao: Situacao) -> Ato:
    """The act, where it is a change and nothing is held, as what it can be: `me passa para a Dra. Marina` books, of an offer it lists."""
    if act.tipo != "mudar" or situacao.bookings:
        return act
    if _is_of_offer(act, situacao):
        return msgspec.structs.replace(act, tipo="listar")
    elsewhere = told_elsewhere(act.origem, situacao) is not None or _CHANGES.search(sentence.text, act.start, act.end)
    return act if elsewhere else msgspec.structs.replace(act, tipo="marcar")


def _is_of_offer(act: Ato, situacao: Situacao) -> bool:
    """Whether a change is of the only slot that was offered, where nothing is held: `muda pra daqui a uma semana no mesmo horário`."""
    said, pending = act.leitura, situacao.pendente
    offered = len(situacao.offers) == 1 and pending.assunto in {"listado", "confirmar", "escolher"} and not situacao.bookings
    named = said.criterios.has_scope or said.medicos_desconhecidos or said.clinicas_desconhecidas or said.ausentes or said.falhas
    return offered and not named and bool(said.criterios.dias or said.criterios.horas)


def without_what_stays(acts: list[Ato], situacao: Situacao) -> list[Ato]:
    """The acts without those that, beside a cancelling, only name a booking that is to stay: `só a Dra. Norma, tira o Samir`."""
    if not any(act.tipo == "cancelar" for act in acts):
        return acts
    return [act for act in acts if not _only_names_held(act, situacao)]


def _only_names_held(act: Ato, situacao: Situacao) -> bool:
    said = act.leitura.criterios
    chooses = act.tipo == "escolher" and not act.tambem and not said.ordinais and said.has_scope
    told = not act.has_verb or (said.day is not None and said.time is not None)
    return chooses and told and any(holds_booking(said, held, situacao.specialty_of(held.clinic)) for held in situacao.bookings)


def _keeps_a_part(act: Ato, situacao: Situacao) -> bool:
    """Whether right after a booking its day or its time is to stay and the other is told: `no mesmo dia, mas às 16h`."""
    criterios = act.leitura.criterios
    kept = {"mesmo_dia", "mesma_hora"} & act.leitura.referencias
    other = not (act.tambem or criterios.has_scope or criterios.ordinais or situacao.pendente.assunto)
    return bool(kept) and other and bool(criterios.dias or criterios.horas)


def _points_beside(act: Ato, situacao: Situacao) -> bool:
    """Whether the line below or above the one just booked is meant."""
    last = situacao.bookings[-1]
    shown = any((offer.clinic, offer.slot.date, offer.slot.time) == (last.clinic, last.date, last.time) for offer in situacao.offers)
    return shown and bool(act.leitura.referencias & {"o_de_baixo", "o_de_cima"}) and not act.tambem


def _cannot_keep(act: Ato, situacao: Situacao) -> bool:
    """Whether the day or the doctor of the last booking is refused and another told: `hoje não dá, pode ser semana que vem?`."""
    return not act.leitura.criterios.is_empty and _refuses_last(act, situacao) and not act.tambem


def _wants_another_time(act: Ato) -> bool:
    """Whether only another time is wished for, of what is booked."""
    return "outro_horario" in act.leitura.referencias and act.tipo == "escolher" and act.leitura.criterios.is_empty and not act.tambem


def _asks_for_another_moment(act: Ato, situacao: Situacao) -> bool:
    """Whether right after a booking only another moment is asked for: `pode ser quarta?`, `tem como ser mais tarde?`."""
    criterios = act.leitura.criterios
    if act.tipo != "escolher" or act.tambem or criterios.has_scope or not act.pergunta or situacao.pendente.assunto:
        return False
    return bool(criterios.dias or criterios.horas or criterios.extremo or act.leitura.desloca) and not criterios.ordinais


def _same_specialty(criterios: Criterios, situacao: Situacao) -> bool:
    """Whether a correction can be of the last booking: what it names, or else what was shown last, is of its specialty."""
    specialty = situacao.specialty_of(situacao.bookings[-1].clinic)
    named = [*criterios.clinicas, *(place for doctor in criterios.doctors for place in situacao.works_at(doctor))]
    if criterios.especialidades:
        return specialty in criterios.especialidades
    if named:
        return specialty in {situacao.specialty_of(place) for place in named}
    fitting = choose(criterios, VAZIO, situacao)
    return not fitting or specialty in {situacao.specialty_of(offer.clinic) for offer in fitting}


def decide_correction(act: Ato, situacao: Situacao) -> Saida:
    """The change that an act asks for: of the booking spoken of, of the last one, or of the one that it tells itself."""
    booking = situacao.pendente.consulta
    if act.tipo in {"escolher", "marcar"} and booking in situacao.bookings and booking is not None:
        return change_to(booking, act.leitura, situacao, asks=False, free=act.correcao or situacao.pendente.assunto == "listado")
    if act.tipo in {"escolher", "marcar"} and situacao.pendente.assunto != "mudar":
        return change_to(situacao.bookings[-1], act.leitura, situacao, asks=False, free=True)
    return _which_to_change(act, situacao)


def _which_to_change(act: Ato, situacao: Situacao) -> Saida:
    """The answer to which booking is to be changed, or a change told from the start."""
    if situacao.pendente.assunto == "mudar" and act.tipo != "mudar":
        act = msgspec.structs.replace(act, tipo="mudar", origem=act.leitura)
    return decide_change(act, situacao)


def gives_up(act: Ato, situacao: Situacao) -> bool:
    """Whether only something refused was said, and it is what the person holds: `não posso mais dia 18`."""
    return act.leitura.criterios.is_empty and _refuses_last(act, situacao) and not act.tambem


def _refuses_last(act: Ato, situacao: Situacao) -> bool:
    last, refused = situacao.bookings[-1], act.leitura.excluidos
    return last.doctor in refused.doctors or any(dia.first <= last.date <= dia.last for dia in refused.dias)


def cancel_or_move(situacao: Situacao) -> Saida:
    """The question whether a booking that cannot be kept shall be cancelled or moved."""
    texts = situacao.mensagens
    last = situacao.bookings[-1]
    memory = Pendente("mudar_alvo", VAZIO, "mudar", consulta=last)
    return Saida(pergunta=texts.say("cancelar_ou_mudar", horario=texts.booking(last)), pendente=memory)
