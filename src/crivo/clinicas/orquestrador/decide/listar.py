"""Asking what there is: which clinics are asked for their slots. Source: blueprint rule 10; design, "What a plan holds"."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import msgspec

from crivo.clinicas.orquestrador.contracts import Booking, Step
from crivo.clinicas.orquestrador.decide.buscas import search_for, set_free
from crivo.clinicas.orquestrador.decide.conferencia import check
from crivo.clinicas.orquestrador.decide.outro_medico import than_the_one_shown
from crivo.clinicas.orquestrador.decide.situacao import Pendente, Proposito, Saida, Situacao
from crivo.clinicas.orquestrador.entende.criterios import VAZIO, Criterios, Extremo, over, without
from crivo.clinicas.orquestrador.entende.leitura import Leitura
from crivo.clinicas.orquestrador.entende.lexico import ESPECIALIDADES
from crivo.clinicas.orquestrador.passos import list_free

_ELSEWHERE: Final = frozenset({"outro_medico", "outra_clinica"})


def decide_list(leitura: Leitura, situacao: Situacao, inherited: Criterios = VAZIO) -> Saida:
    """The listings that a question asks for; what the message itself does not say comes from `inherited` or from what was shown."""
    leitura, others = than_the_one_shown(leitura, situacao)
    checked = check(leitura, situacao, "listar")
    if checked.saida:
        return checked.saida
    criterios = checked.criterios
    if "outro_medico" in leitura.referencias and not criterios.has_scope:
        criterios = over(_specialties_of(scope_of_talk(situacao, inherited), situacao), criterios)
    if not criterios.has_scope:
        criterios = over(scope_of_talk(situacao, inherited), criterios)
    if not criterios.has_scope and leitura.ausentes:
        return absent(leitura.ausentes[0], situacao)
    criterios = _as_asked(criterios, leitura, situacao)
    held = _to_change(criterios, leitura, situacao)
    if held is not None:
        focused = msgspec.structs.replace(situacao, pendente=Pendente("mudar_alvo", VAZIO, "mudar", consulta=held))
        elsewhere = leitura.criterios.has_scope or leitura.referencias & _ELSEWHERE
        own = VAZIO if elsewhere else Criterios(medicos=((held.doctor,),), clinicas=(held.clinic,))
        return list_slots(over(criterios, own), leitura.excluidos, focused, "mudar")
    return list_slots(criterios, leitura.excluidos, situacao, "marcar", (*set_free(leitura, situacao), *others))


def _as_asked(criterios: Criterios, leitura: Leitura, situacao: Situacao) -> Criterios:
    """What a question asks: `e de manhã?` keeps the day that was asked before."""
    before = situacao.pendente
    goes_on = before.assunto == "listado" and not leitura.criterios.has_scope
    return over(Criterios(dias=before.criterios.dias), criterios) if goes_on and criterios.horas else criterios


def _to_change(criterios: Criterios, leitura: Leitura, situacao: Situacao) -> Booking | None:
    """The booking that a question for slots asks to change.

    It is one held with the doctor asked for, or where nobody was named the one just made; and only where another time is wanted, an
    earlier or a later one, or where its day is refused.
    """
    if _is_of_the_change(leitura, situacao):
        return situacao.pendente.consulta
    just_made = situacao.bookings[-1:] if not leitura.criterios.has_scope and not situacao.pendente.assunto else ()
    with_doctor = tuple(booking for booking in situacao.bookings if criterios.doctors == (booking.doctor,))
    held = with_doctor or just_made
    refused = any(dia.holds(booking.date) for booking in held for dia in leitura.excluidos.dias)
    said = leitura.criterios
    another = "outro_horario" in leitura.referencias or (held == just_made and (said.extremo is not None or (said.horas and not said.dias)))
    return held[0] if len(held) == 1 and (refused or another) else None


def _is_of_the_change(leitura: Leitura, situacao: Situacao) -> bool:
    """Whether a change waits for what it shall become, and nothing of another specialty is asked about: `na quinta tem?`."""
    changing = situacao.pendente.consulta
    if situacao.pendente.assunto != "mudar_alvo" or changing is None or changing not in situacao.bookings:
        return False
    named = _specialties_of(leitura.criterios, situacao).especialidades
    return set(named) <= {situacao.specialty_of(changing.clinic)}


def scope_of_talk(situacao: Situacao, inherited: Criterios = VAZIO) -> Criterios:
    """Whom or where the talk is about: what this message said before, what was asked last, what was shown last."""
    for known in (inherited, situacao.pendente.criterios):
        if known.has_scope:
            return without(known, "dias", "horas", "numeros", "ordinais", "extremo")
    if situacao.offers:
        return Criterios(clinicas=tuple(dict.fromkeys(offer.clinic for offer in situacao.offers)))
    if situacao.bookings:
        last = situacao.bookings[-1]
        return Criterios(medicos=((last.doctor,),), clinicas=(last.clinic,))
    return VAZIO


def freed_scope(situacao: Situacao, free: Iterable[str]) -> Criterios:
    """The same without the fields set free, so that `tanto faz a clínica` is of every clinic of the specialty."""
    talk = scope_of_talk(situacao)
    left = without(talk, *free)
    return left if left.has_scope else over(_specialties_of(talk, situacao), left)


def _specialties_of(criterios: Criterios, situacao: Situacao) -> Criterios:
    """The specialties of the doctors or clinics of a scope."""
    places = [*criterios.clinicas, *(place for doctor in criterios.doctors for place in situacao.works_at(doctor))]
    named = dict.fromkeys((*criterios.especialidades, *(situacao.specialty_of(place) for place in places)))
    return Criterios(especialidades=tuple(named))


def list_slots(criterios: Criterios, excluidos: Criterios, situacao: Situacao, proposito: Proposito, livre: Iterable[str] = ()) -> Saida:
    """One listing for each clinic in scope; a question where the doctor may be two people, or where there is no scope."""
    say = situacao.mensagens.say
    if not criterios.has_scope:
        return Saida(pergunta=say("qual_especialidade"), pendente=Pendente("especialidade", criterios, "listar"))
    ambiguous = next((names for names in criterios.medicos if len(names) > 1), None)
    if ambiguous:
        return which_doctor(ambiguous, criterios, situacao, "listar")
    criterios = _without_places(criterios)
    old = situacao.pendente
    held = old.consulta if proposito == "mudar" else None
    memory = Pendente("listado", criterios, proposito, consulta=held)
    told = say("no_lugar_de", horario=situacao.mensagens.booking(held)) if held is not None else None
    buscas = tuple(search_for(one, excluidos, situacao, proposito, livre) for one in _each_specialty(criterios))
    return Saida(steps=listings(criterios, excluidos, situacao), fala=told, pendente=memory, buscas=buscas)


def _each_specialty(criterios: Criterios) -> tuple[Criterios, ...]:
    """The same for each of several specialties asked about at once: each has a list of its own."""
    names = criterios.especialidades if not (criterios.medicos or criterios.clinicas) else ()
    if len(names) < 2:
        return (criterios,)
    return tuple(msgspec.structs.replace(criterios, especialidades=(name,), ramos=_branches_of(name, criterios)) for name in names)


def _branches_of(name: str, criterios: Criterios) -> tuple[str, ...]:
    entry = ESPECIALIDADES.get(name)
    return tuple(ramo for ramo in criterios.ramos if entry is None or ramo in entry.ramos)


def _without_places(criterios: Criterios) -> Criterios:
    """The same with the first or the last of a list that is yet to be seen told as the earliest or the latest."""
    extremes: dict[tuple[int, ...], Extremo] = {(1,): "min", (-1,): "max"}
    extremo = extremes.get(criterios.ordinais)
    return over(without(criterios, "ordinais"), Criterios(extremo=extremo)) if extremo and not criterios.extremo else criterios


def listings(criterios: Criterios, excluidos: Criterios, situacao: Situacao) -> tuple[Step, ...]:
    """The listing steps of a scope: of doctors at their clinics, else of the clinics named, else of every clinic of the specialties."""
    wanted: list[tuple[str, str]] = []
    for doctor in criterios.doctors:
        places = situacao.works_at(doctor)
        wanted += [(place, doctor) for place in places if not criterios.clinicas or place in criterios.clinicas]
    if not criterios.medicos:
        clinics = criterios.clinicas or tuple(one for name in criterios.especialidades for one in situacao.clinics_of(name))
        wanted = [(clinic, "") for clinic in clinics if clinic not in excluidos.clinicas]
    return tuple(list_free(clinic, index, doctor) for index, (clinic, doctor) in enumerate(dict.fromkeys(wanted), 1))


def which_doctor(names: tuple[str, ...], criterios: Criterios, situacao: Situacao, proposito: Proposito) -> Saida:
    """The question which of several doctors is meant."""
    texts = situacao.mensagens
    listed = "; ".join(f"{name} ({texts.clinics(situacao.works_at(name))})" for name in names)
    return Saida(pergunta=texts.say("qual_medico", medicos=listed), pendente=Pendente("medico", criterios, proposito))


def absent(especialidade: str, situacao: Situacao) -> Saida:
    """What is said of a specialty that no clinic practises: it cannot be had, and what can."""
    return Saida(
        pergunta=situacao.mensagens.say("especialidade_ausente", especialidade=situacao.mensagens.specialty(especialidade)), recusa="escopo"
    )
