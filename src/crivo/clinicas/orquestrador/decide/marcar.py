"""Booking: a slot told in full, or one chosen among those shown; never one that was guessed."""

from __future__ import annotations

import itertools
import re
from typing import Final

import msgspec

from crivo.clinicas.orquestrador.contracts import Offer
from crivo.clinicas.orquestrador.decide.aponta import agrees_to_proposal, earliest_of, picks, propose_slot
from crivo.clinicas.orquestrador.decide.buscas import search_for, set_free
from crivo.clinicas.orquestrador.decide.conferencia import check
from crivo.clinicas.orquestrador.decide.conversa import accepted, offered_again, own_bookings
from crivo.clinicas.orquestrador.decide.escolha import choose, in_scope, narrowed
from crivo.clinicas.orquestrador.decide.listar import absent, decide_list, freed_scope, list_slots, scope_of_talk, which_doctor
from crivo.clinicas.orquestrador.decide.outro_medico import is_asked_for, than_the_one_shown
from crivo.clinicas.orquestrador.decide.por_especialidade import on_the_same_day
from crivo.clinicas.orquestrador.decide.situacao import Pendente, Saida, Situacao
from crivo.clinicas.orquestrador.entende.atos import Ato
from crivo.clinicas.orquestrador.entende.criterios import VAZIO, Criterios, Dia, agreeing, by_weekday, each_apart, over, without
from crivo.clinicas.orquestrador.entende.frase import Frase
from crivo.clinicas.orquestrador.entende.leitura import Leitura, read_stretch, takes_back
from crivo.clinicas.orquestrador.entende.mensagem import read
from crivo.clinicas.orquestrador.entende.selecao import MOST_AT_ONCE
from crivo.clinicas.orquestrador.passos import book
from crivo.clinicas.protocol import Slot

_PLACES: Final = ("ordinais", "extremo", "numeros")
_TAKEN_AT_ONCE: Final = 3
_AND_ALONE: Final = re.compile(r"\s+(?:e|and|y)\s+|\s*,\s*")
_AND: Final = re.compile(
    r"\s+(?:e|and|y)\s+(?=(?:tambem\s+)?(?:o|a|os|as|no|na|com|con|with|the|el|la|dia|also|dra?|d[aeo]s?|para|outr[ao])\b)|\s*,\s*(?=(?:o|a|the|el|la)\s)"
)


def decide_booking(act: Ato, situacao: Situacao, inherited: Criterios = VAZIO) -> Saida:
    """The booking that a request or a choice asks for, or the listing or the question that must come first."""
    asked = act.leitura
    leitura, _ = than_the_one_shown(asked, situacao)
    act = msgspec.structs.replace(act, leitura=leitura)
    checked = check(leitura, situacao)
    if checked.saida:
        return checked.saida
    if is_asked_for(asked, situacao) and not _tells_which(checked.criterios, act, situacao):
        return decide_list(asked, situacao, inherited)  # who is not the one shown is no slot yet
    return _wished_for(act, checked.criterios, situacao, inherited)


def _wished_for(act: Ato, criterios: Criterios, situacao: Situacao, inherited: Criterios) -> Saida:
    """The booking of what is wished for, together with what was said or asked before it."""
    leitura = act.leitura
    if {"mesma_clinica", "outro_medico"} <= leitura.referencias and criterios.medicos:
        act = _with_another(act, criterios)
        leitura, criterios = act.leitura, _beside_named(criterios, situacao)
    if leitura.ausentes and not criterios.has_scope:
        return absent(leitura.ausentes[0], situacao)
    if inherited.has_scope and not criterios.has_scope:
        criterios = over(inherited, criterios)
    if situacao.pendente.assunto == "recusado" and criterios.time and not (criterios.has_scope or criterios.ordinais):
        criterios = over(situacao.pendente.criterios, criterios)  # another hour in the place of the one that was not free
    if situacao.pendente.assunto in {"medico", "especialidade"}:
        criterios = _answered(criterios, situacao)
    if situacao.pendente.assunto == "medico" and situacao.pendente.proposito == "listar" and not criterios.has_moment:
        return list_slots(criterios, leitura.excluidos, situacao, "marcar")
    free = set_free(leitura, situacao)
    if free and criterios.extremo and without(criterios, "extremo").is_empty:
        return earliest_of(criterios, act, free, situacao)
    if free and not criterios.has_moment:
        return list_slots(over(freed_scope(situacao, free), criterios), leitura.excluidos, situacao, "marcar", free)
    return _booking(act, criterios, situacao)


def _tells_which(criterios: Criterios, act: Ato, situacao: Situacao) -> bool:
    """Whether a slot of another doctor is told by its hour or its place in the list, and was shown."""
    told = criterios.time or criterios.ordinais or criterios.numeros
    return bool(told) and bool(choose(criterios, act.leitura.excluidos, situacao))


def _with_another(act: Ato, criterios: Criterios) -> Ato:
    """The act with the doctor that it names as one that is not meant: `na clínica da Noemi, com o outro médico`."""
    refused = over(act.leitura.excluidos, Criterios(medicos=criterios.medicos))
    return msgspec.structs.replace(act, leitura=msgspec.structs.replace(act.leitura, excluidos=refused))


def _beside_named(criterios: Criterios, situacao: Situacao) -> Criterios:
    places = tuple(dict.fromkeys(place for doctor in criterios.doctors for place in situacao.works_at(doctor)))
    return over(without(criterios, "medicos"), Criterios(clinicas=places))


def _answered(criterios: Criterios, situacao: Situacao) -> Criterios:
    """The answer to a question, together with what had been asked for before it."""
    asked = situacao.pendente.criterios
    if criterios.medicos and asked.medicos:
        both = tuple(name for name in criterios.doctors if name in asked.doctors)
        return over(asked, criterios) if not both else over(over(asked, criterios), Criterios(medicos=(both,)))
    if criterios.clinicas and asked.medicos and not criterios.medicos:
        there = tuple(name for name in asked.doctors if set(situacao.works_at(name)) & set(criterios.clinicas))
        return over(over(asked, criterios), Criterios(medicos=(there,))) if there else criterios
    if criterios.ordinais and asked.medicos:
        places = [place for place in criterios.ordinais if -len(asked.doctors) <= place <= len(asked.doctors)]
        chosen = tuple(asked.doctors[place - 1 if place > 0 else place] for place in places)
        return over(asked, over(without(criterios, "ordinais"), Criterios(medicos=(chosen,) if chosen else ())))
    return over(without(asked, "ordinais", "numeros"), criterios)


def _booking(act: Ato, criterios: Criterios, situacao: Situacao) -> Saida:
    excluded = act.leitura.excluidos
    shown = in_scope(criterios, situacao) if criterios.has_scope else situacao.offers
    told = _told_in_full(criterios, situacao)
    if told and not shown:
        return told
    if _asks_anew(act, criterios, shown):
        return _doctor_or_list(criterios, excluded, situacao)
    if not shown:
        return _doctor_or_list(criterios, excluded, situacao)
    if criterios.is_empty:
        return _vague(act, situacao)
    return _chosen(act, criterios, situacao)


def _told_in_full(criterios: Criterios, situacao: Situacao) -> Saida | None:
    """The booking of a slot of which doctor, day and time were all said."""
    day, time = criterios.day, criterios.time
    if not (criterios.medicos and day and time):
        return None
    if len(criterios.doctors) > 1:
        return which_doctor(criterios.doctors, criterios, situacao, "marcar")
    doctor = criterios.doctors[0]
    places = tuple(place for place in situacao.works_at(doctor) if not criterios.clinicas or place in criterios.clinicas)
    if len(places) > 1:
        texts = situacao.mensagens
        asked = texts.say("qual_clinica", medico=doctor, clinicas=texts.clinics(places))
        return Saida(pergunta=asked, pendente=Pendente("medico", criterios))
    return Saida(steps=(book(Offer(places[0], Slot(doctor, "", day, time.readings[0]))),))


def _asks_anew(act: Ato, criterios: Criterios, shown: tuple[Offer, ...]) -> bool:
    """Whether it is a new request for a specialty and no choice among the slots shown."""
    if not criterios.especialidades or criterios.medicos or criterios.clinicas:
        return False
    return not criterios.has_moment and not any(offer.slot.specialty in criterios.ramos for offer in shown)


def _doctor_or_list(criterios: Criterios, excluded: Criterios, situacao: Situacao) -> Saida:
    if not criterios.has_scope and excluded.has_scope and not situacao.offers:
        criterios = over(scope_of_talk(situacao), criterios)
    return list_slots(criterios, excluded, situacao, "marcar")


def _vague(act: Ato, situacao: Situacao) -> Saida:
    """A wish for `that one`, `any`, or only for what is not wanted, after slots were shown."""
    excluded = act.leitura.excluidos
    asked = situacao.pendente.criterios
    if act.nenhum and excluded.is_empty:
        return Saida(pergunta=situacao.mensagens.say("nenhum_serve"), pendente=Pendente("reabrir", scope_of_talk(situacao)))
    if act.tudo and excluded.is_empty and asked.has_moment:
        every = choose(asked, excluded, situacao)
        if 1 < len(every) <= _TAKEN_AT_ONCE and act.quantos in {0, len(every)}:
            return Saida(steps=tuple(book(offer, index) for index, offer in enumerate(every, 1)))
    if situacao.pendente.assunto == "alarme" or _has_been_chosen_from(act, situacao):
        return _nothing_waits(act, situacao)
    focus = () if not excluded.is_empty else choose(asked, excluded, situacao)
    if len(focus) == 1 and not act.qualquer and ("este" in act.leitura.referencias or act.tipo == "marcar"):
        return Saida(steps=(book(focus[0]),))
    limited = act.qualquer or not excluded.is_empty
    candidates = (choose(asked, excluded, situacao) if limited else ()) or choose(VAZIO, excluded, situacao)
    pointed = act.tipo == "marcar" or act.qualquer or bool(act.leitura.referencias)
    if len(candidates) == 1 and pointed and (excluded.is_empty or "o_outro" in act.leitura.referencias):
        return Saida(steps=(book(candidates[0]),))
    if len(candidates) == 1:
        return offered_again(candidates[0], situacao)
    return ask_among(candidates, asked, situacao, suggest=act.qualquer, excluidos=excluded)


def _has_been_chosen_from(act: Ato, situacao: Situacao) -> bool:
    """Whether something was booked since slots were shown and nothing waits, so that none that is left is meant unless it is told."""
    points = (
        act.leitura.referencias & {"o_outro", "outro_horario", "outro_medico", "outra_clinica", "mulher", "homem"}
        or act.qualquer
        or act.tambem
    )
    return bool(situacao.bookings) and not situacao.pendente.assunto and not points and act.leitura.excluidos.is_empty


def _nothing_waits(act: Ato, situacao: Situacao) -> Saida:
    """What a wish with nothing in it comes to where no slot waits for it: what is held, or the question what is meant."""
    if situacao.pendente.assunto == "alarme":
        return accepted(situacao)
    left = choose(VAZIO, VAZIO, situacao)
    if act.tipo == "marcar" and len(left) == 1:
        return offered_again(left[0], situacao)
    return ask_among(left, VAZIO, situacao, suggest=False) if act.tipo == "marcar" and left else own_bookings(situacao)


def _chosen(act: Ato, criterios: Criterios, situacao: Situacao) -> Saida:
    if "destes" in act.leitura.referencias and situacao.pendente.assunto in {"listado", "escolher"}:
        criterios = over(without(situacao.pendente.criterios, *_PLACES), criterios)
    if agrees_to_proposal(act, situacao):
        return accepted(situacao)
    if act.duvida and len(criterios.dias) > 1:
        criterios = by_weekday(criterios)  # `não sei se sexta ou segunda` is of all of them
    fitting = narrowed(criterios, act.leitura.excluidos, situacao)
    if _leaves_the_day(criterios, fitting, situacao):
        return decide_list(act.leitura, situacao)  # which says that the day has none then, and which others have
    if act.soma and len({offer.slot.doctor for offer in fitting}) < len(criterios.medicos):
        named = choose(Criterios(medicos=criterios.medicos), act.leitura.excluidos, situacao)
        return ask_among(named, Criterios(medicos=criterios.medicos), situacao, suggest=False)
    if act.cada and criterios.extremo:
        return _one_of_each(criterios, situacao)
    if len(fitting) == 1 and act.quantos < 2 and (picks(act, situacao) or fitting[0] not in situacao.kept(criterios)):
        return Saida(steps=(book(fitting[0]),))
    if len(fitting) == 1:
        return propose_slot(fitting[0], situacao)
    if act.tudo and 0 < len(fitting) <= _TAKEN_AT_ONCE and act.quantos in {0, len(fitting)}:
        return Saida(steps=tuple(book(offer, index) for index, offer in enumerate(fitting, 1)))
    together = over(without(situacao.pendente.criterios, *_PLACES), criterios)
    kept = fitting and fitting == choose(together, act.leitura.excluidos, situacao)
    return ask_among(fitting, together if kept else criterios, situacao, suggest=act.qualquer, excluidos=act.leitura.excluidos)


def _leaves_the_day(criterios: Criterios, fitting: tuple[Offer, ...], situacao: Situacao) -> bool:
    """Whether only an hour or a part of the day is told, and all that fits it is on other days than were asked for before."""
    bare = bool(criterios.horas) and without(criterios, "horas").is_empty
    asked = situacao.pendente.criterios.dias
    if not (bare and fitting and asked) or situacao.pendente.assunto not in {"listado", "escolher"}:
        return False
    return not any(dia.holds(offer.slot.date) for dia in asked for offer in fitting)


def _one_of_each(criterios: Criterios, situacao: Situacao) -> Saida:
    """The earliest or the latest of every specialty shown: `o mais cedo de cada`."""
    names = dict.fromkeys(situacao.specialty_of(offer.clinic) for offer in situacao.offers)
    each = [choose(over(Criterios(especialidades=(name,)), criterios), VAZIO, situacao) for name in names]
    if not all(len(found) == 1 for found in each):
        return ask_among(tuple(offer for found in each for offer in found), criterios, situacao, suggest=False)
    return Saida(steps=tuple(book(found[0], index) for index, found in enumerate(each, 1)))


def ask_among(
    fitting: tuple[Offer, ...], criterios: Criterios, situacao: Situacao, *, suggest: bool, excluidos: Criterios = VAZIO
) -> Saida:
    """The question back where none or several of the slots fit: which of these, numbered anew."""
    texts = situacao.mensagens
    if not fitting:
        return Saida(pergunta=texts.say("nenhum"), pendente=Pendente("reabrir", scope_of_talk(situacao)))
    criterios = _on_days_found(fitting, agreeing(criterios, each_apart(excluidos)))
    first = min(fitting, key=lambda offer: (offer.slot.date, offer.slot.time))
    if suggest:
        text = texts.say("varios_com_sugestao", quantos=str(len(fitting)), horario=texts.offer(first))
        return Saida(pergunta=text, pendente=Pendente("escolher", without(criterios, "ordinais", "numeros"), proposta=first))
    shown = fitting[:MOST_AT_ONCE]
    listed = texts.numbered(shown) + (texts.say("e_mais", mais=str(len(fitting) - len(shown))) if len(shown) < len(fitting) else "")
    text = texts.say("varios", quantos=str(len(fitting)), lista=listed)
    memory = Pendente("escolher", without(criterios, "ordinais", "numeros"))
    busca = search_for(without(criterios, *_PLACES), excluidos, situacao)
    return Saida(pergunta=text, pendente=memory, buscas=(busca,), ofertas=shown)


def _on_days_found(fitting: tuple[Offer, ...], criterios: Criterios) -> Criterios:
    """The same of the days that the slots are on, where the day told itself is none of them: `só sábado, mas nessa semana não dá`."""
    days = tuple(dict.fromkeys(offer.slot.date for offer in fitting))
    missed = criterios.day is not None and criterios.day not in days
    return over(criterios, Criterios(dias=tuple(Dia(day, day) for day in days))) if missed else criterios


def decide_several(act: Ato, sentence: Frase, situacao: Situacao) -> tuple[Offer, ...]:
    """The slots of a wish for more than one (`o primeiro e o terceiro`); empty where it is not such a wish."""
    if takes_back(sentence.text[act.start : act.end]):
        return ()
    mentions = read(sentence, situacao.dialogue).mencoes
    scopes = {one.start for one in mentions if one.field in {"medicos", "especialidades", "clinicas"}}
    joints = [match.end() for match in _AND.finditer(sentence.text, act.start, act.end)]
    joints += [match.end() for match in _AND_ALONE.finditer(sentence.text, act.start, act.end) if match.end() in scopes]
    cuts = [act.start, *sorted(set(joints)), act.end]
    if len(cuts) == 2:
        return ()
    shared = act.leitura.criterios.medicos if len(act.leitura.criterios.medicos) == 1 else ()
    readings = [read_stretch(sentence, mentions, start, end) for start, end in itertools.pairwise(cuts)]
    readings = on_the_same_day(readings)
    if act.soma:
        readings = [_on_shared_day(reading, act) for reading in readings]
    chosen = [_one_slot(reading, shared, situacao) for reading in readings]
    found = [offer for offer in chosen if offer is not None]
    return tuple(found) if len(set(found)) == len(chosen) else ()


def _on_shared_day(leitura: Leitura, act: Ato) -> Leitura:
    """A doctor told without a moment of his own takes the one that was told for all: `dia 13: Heitor e Olívia`."""
    when = Criterios(dias=act.leitura.criterios.dias, horas=act.leitura.criterios.horas)
    if leitura.criterios.has_moment or not leitura.criterios.medicos or len(when.dias) != 1:
        return leitura
    return Leitura(over(when, leitura.criterios), leitura.excluidos)


def _one_slot(leitura: Leitura, shared: tuple[tuple[str, ...], ...], situacao: Situacao) -> Offer | None:
    """The one slot that a stretch tells, of those shown or in full; `shared` is the doctor told for all stretches."""
    criterios = leitura.criterios
    if shared and not criterios.has_scope and criterios.day and criterios.time:
        criterios = over(Criterios(medicos=shared), criterios)
    if leitura.falhas or not criterios.has_moment:
        return None
    fitting = narrowed(criterios, leitura.excluidos, situacao)
    if len(fitting) == 1:
        return fitting[0]
    doctors, day, time = criterios.doctors, criterios.day, criterios.time
    if in_scope(criterios, situacao) or len(doctors) != 1 or not (day and time) or len(situacao.works_at(doctors[0])) != 1:
        return None
    return Offer(situacao.works_at(doctors[0])[0], Slot(doctors[0], "", day, time.readings[0]))
