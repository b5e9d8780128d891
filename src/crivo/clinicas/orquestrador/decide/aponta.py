"""Whether what is said picks one of the slots shown, or only narrows what is wanted, so that what is left is proposed first.

Source: design, "Nothing irreversible on a guess".
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import msgspec

from crivo.clinicas.orquestrador.contracts import Offer
from crivo.clinicas.orquestrador.decide.buscas import search_for
from crivo.clinicas.orquestrador.decide.escolha import choose
from crivo.clinicas.orquestrador.decide.listar import freed_scope, list_slots
from crivo.clinicas.orquestrador.decide.situacao import Pendente, Saida, Situacao
from crivo.clinicas.orquestrador.entende.atos import Ato
from crivo.clinicas.orquestrador.entende.criterios import VAZIO, Criterios, holds, over, without
from crivo.clinicas.orquestrador.preferencias import Preferencias

_POINTING: Final = frozenset({"este", "destes", "o_outro", "o_de_baixo", "o_de_cima", "mesma_hora"})


def picks(act: Ato, situacao: Situacao) -> bool:
    """Whether an act picks: a place in the list, the earliest, an hour, a day, a doctor, words that take or point; never in doubt.

    `O quanto antes` is a wish of when, and picks none; `o mais tarde que tiver` picks from a list that was asked for, and from none that
    was only narrowed since.
    """
    said = act.leitura.criterios
    wishes = act.logo or (act.se_houver and situacao.pendente.assunto != "listado")
    if act.duvida or (wishes and said.extremo and not (said.ordinais or said.numeros)):
        return False
    told = said.ordinais or said.numeros or said.extremo or said.time or said.day or said.medicos or act.leitura.depois
    return bool(told or act.tipo == "marcar" or act.aponta or act.leitura.referencias & _POINTING)


def agrees_to_proposal(act: Ato, situacao: Situacao) -> bool:
    """Whether an act tells again of the slot just proposed, and of nothing else: `isso, oito e meia`."""
    pending, said = situacao.pendente, act.leitura.criterios
    stale = not pending.perguntado or pending.largado
    if pending.assunto != "confirmar" or pending.proposta is None or stale or act.pergunta or act.tambem:
        return False
    place = situacao.specialty_of(pending.proposta.clinic)
    told = without(said, "ordinais", "extremo")
    fits = not told.is_empty and act.leitura.excluidos.is_empty and holds(told, pending.proposta, place)
    return fits and picks(act, situacao)


def propose_slot(offer: Offer, situacao: Situacao) -> Saida:
    """The question whether the only slot that is left shall be booked, or taken in the place of the appointment that is being changed."""
    asked = situacao.mensagens.say("seria", horario=situacao.mensagens.offer(offer))
    return Saida(
        pergunta=asked, pendente=Pendente("confirmar", VAZIO, proposta=offer, consulta=situacao.pendente.consulta), ofertas=(offer,)
    )


def earliest_of(criterios: Criterios, act: Ato, free: Iterable[str], situacao: Situacao) -> Saida:
    """The earliest or the latest of what is asked for once fields of it are set free, proposed: `qualquer dia serve, o mais cedo`."""
    asked = situacao.dialogue.preferencias.buscas
    wider = tuple(search_for(without(busca.quer, *free), act.leitura.excluidos, situacao, livre=free) for busca in asked)
    freed = msgspec.structs.replace(situacao.dialogue, preferencias=Preferencias(wider))
    there = msgspec.structs.replace(situacao, dialogue=freed)
    found = choose(criterios, act.leitura.excluidos, there, there.kept(VAZIO))
    if len(found) != 1:
        return list_slots(over(freed_scope(situacao, free), criterios), act.leitura.excluidos, situacao, "marcar", free)
    return msgspec.structs.replace(propose_slot(found[0], situacao), buscas=wider)
