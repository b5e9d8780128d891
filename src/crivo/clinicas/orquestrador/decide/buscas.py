"""What binds a search: what this message asks, and what was asked and refused before of the same specialty.

Source: design, "Preferences are kept and bind".
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import msgspec

from crivo.clinicas.ferramentas import MARCAR
from crivo.clinicas.orquestrador.contracts import Booking, Offer, Step
from crivo.clinicas.orquestrador.decide.situacao import Pendente, Proposito, Saida, Situacao
from crivo.clinicas.orquestrador.entende.criterios import VAZIO, Criterios, agreeing, each_apart, over, still_refused, without
from crivo.clinicas.orquestrador.entende.leitura import Leitura
from crivo.clinicas.orquestrador.entende.lexico import accord
from crivo.clinicas.orquestrador.entende.ramos import is_for_children
from crivo.clinicas.orquestrador.entende.vocabulario import catalogue
from crivo.clinicas.orquestrador.preferencias import Busca
from crivo.kernel.linguagem.fala import fold

_PLACES: Final = ("ordinais", "extremo", "numeros")
_SCOPE: Final = ("especialidades", "medicos", "clinicas")
_WITHDRAWN: Final = {"qualquer_dia": "dias", "qualquer_hora": "horas", "qualquer_medico": "medicos", "qualquer_clinica": "clinicas"}


def search_for(
    criterios: Criterios, excluidos: Criterios, situacao: Situacao, proposito: Proposito = "marcar", livre: Iterable[str] = ()
) -> Busca:
    """The search that a message makes; `livre` are the fields that it sets free.

    Of the same specialty it goes on with what was asked and refused before. Of a change only what was refused stays: what it was is to
    be left.
    """
    if criterios.medicos:
        criterios = without(criterios, "titulos")
    elif not criterios.ramos:
        criterios = msgspec.structs.replace(criterios, ramos=_for_a_child(criterios, situacao))
    refused = _refusals(excluidos)
    criterios = agreeing(criterios, refused)
    before = kept_search(criterios, situacao)
    if before is None:
        return Busca(criterios, refused)
    free = tuple(livre)
    stays = still_refused(before.recusas, criterios)
    recusas = tuple(dict.fromkeys((*(one for recusa in stays if not (one := without(recusa, *free)).is_empty), *refused)))
    if proposito == "mudar":
        return Busca(criterios, recusas)
    carried = without(
        agreeing(before.quer, refused),
        *_PLACES,
        *free,
        *(_SCOPE if criterios.has_scope else ()),
        *(("ramos",) if criterios.medicos else ()),
    )
    return Busca(over(carried, criterios), recusas, before.em_duvida)


def _for_a_child(criterios: Criterios, situacao: Situacao) -> tuple[str, ...]:
    """The branches for children of the specialties asked for, where the next booking is for a child; a son or a daughter may be one."""
    para, registro = situacao.dialogue.para, situacao.dialogue.registro
    wanted = _specialties(criterios, situacao)
    if para is None or not wanted:
        return ()
    if not accord("crianca").search(fold(para.quem)):
        return ()
    branches = ((entry, branch) for entry in catalogue(registro) for branch, _ in entry.ramos)
    return tuple(branch for entry, branch in branches if wanted & set(entry.proprias) and is_for_children(branch, entry.nome))


def _refusals(excluidos: Criterios) -> tuple[Criterios, ...]:
    """What a message refuses of a slot; of what it is to be seen for it says nothing (`não aguento mais esse joelho`)."""
    each = (without(one, *_PLACES, "especialidades", "ramos") for one in each_apart(excluidos))
    return tuple(one for one in each if not one.is_empty)


def kept_search(criterios: Criterios, situacao: Situacao) -> Busca | None:
    """What is looked for in the specialty that criteria are of, or in the only one that is spoken of."""
    buscas = situacao.dialogue.preferencias.buscas
    wanted = _specialties(criterios, situacao)
    if not wanted:
        return buscas[-1] if len(buscas) == 1 else None
    return next((busca for busca in buscas if _specialties(busca.quer, situacao) & wanted), None)


def _specialties(criterios: Criterios, situacao: Situacao) -> frozenset[str]:
    places = (*criterios.clinicas, *(place for doctor in criterios.doctors for place in situacao.works_at(doctor)))
    return frozenset(criterios.especialidades) or frozenset(situacao.specialty_of(place) for place in places)


def set_free(leitura: Leitura, situacao: Situacao) -> tuple[str, ...]:
    """The fields of what is looked for that a message sets free: `qualquer horário`, `tanto faz o dia`."""
    named = tuple(field for name, field in _WITHDRAWN.items() if name in leitura.referencias)
    buscas = situacao.dialogue.preferencias.buscas
    asked = (*(busca.quer for busca in buscas), *(recusa for busca in buscas for recusa in busca.recusas))
    return tuple(field for field in named if any(getattr(one, field) for one in asked))


def held_to_preferences(saida: Saida, said: Criterios, situacao: Situacao) -> Saida:
    """The outcome of a choice; where it breaks what was asked for before and is not taken back by what was said now, the question first."""
    for step in saida.steps:
        if step.ferramenta is not MARCAR or step.depends_on:
            continue
        where = (step.clinic, step.parameters["doctor"], step.parameters["date"], step.parameters["time"])
        offer = next((one for one in situacao.listed if one.vaga == where), None)
        if offer is not None and offer not in situacao.kept(said) and not _was_asked(offer, situacao):
            question = situacao.mensagens.say("fora_do_pedido", horario=situacao.mensagens.offer(offer))
            return Saida(
                pergunta=question, pendente=Pendente("confirmar", VAZIO, proposta=offer, consulta=_given_up(step, saida, situacao))
            )
    return saida


def _was_asked(offer: Offer, situacao: Situacao) -> bool:
    """Whether the last reply proposed the slot, so that it is taken in spite of what was asked for before."""
    pending = situacao.pendente
    return pending.assunto == "confirmar" and pending.perguntado and not pending.largado and pending.proposta == offer


def _given_up(booking: Step, saida: Saida, situacao: Situacao) -> Booking | None:
    """The appointment that a booking takes the place of, so that a yes changes it and books no second one."""
    after = next((step for step in saida.steps if booking.step_id in step.depends_on), None)
    where = None if after is None else (after.clinic, *(after.parameters.get(name) for name in ("doctor", "date", "time")))
    return next((one for one in situacao.bookings if one.vaga == where), None)
