"""Changing a booking: another moment with the same doctor, or another doctor or clinic. Source: blueprint rule 8."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Final

import msgspec

from crivo.clinicas.orquestrador.contracts import Booking, Offer, Step
from crivo.clinicas.orquestrador.decide.buscas import search_for
from crivo.clinicas.orquestrador.decide.cancelar import bookings_meant
from crivo.clinicas.orquestrador.decide.conferencia import check
from crivo.clinicas.orquestrador.decide.de_fora import ask_for_the_rest, of_criteria, told_elsewhere
from crivo.clinicas.orquestrador.decide.escolha import choose, in_scope
from crivo.clinicas.orquestrador.decide.listar import list_slots, which_doctor
from crivo.clinicas.orquestrador.decide.mais_perto import nearest_to
from crivo.clinicas.orquestrador.decide.situacao import Pendente, Saida, Situacao
from crivo.clinicas.orquestrador.decide.tempo_da_mudanca import on_the_day_meant
from crivo.clinicas.orquestrador.entende.atos import Ato
from crivo.clinicas.orquestrador.entende.criterios import DISTANT, VAZIO, Criterios, Dia, by_weekday, holds_booking, over, without
from crivo.clinicas.orquestrador.entende.leitura import Leitura
from crivo.clinicas.orquestrador.entende.selecao import MOST_AT_ONCE
from crivo.clinicas.orquestrador.passos import exchange, reschedule
from crivo.clinicas.protocol import Slot

_WEEK: Final = 7
_NAMING: Final = ("especialidades", "medicos", "clinicas", "dias", "horas", "numeros")


def decide_change(act: Ato, situacao: Situacao) -> Saida:
    """The change that a message asks for, once it is clear which booking it is and what it shall become."""
    texts = situacao.mensagens
    elsewhere = told_elsewhere(act.origem, situacao)
    if elsewhere is not None:
        known = msgspec.structs.replace(situacao.dialogue, bookings=(elsewhere,))
        return change_to(elsewhere, act.alvo, msgspec.structs.replace(situacao, dialogue=known), asks=False)
    if not situacao.bookings:
        return _unknown(act, situacao)
    agreed = _agreed_to_the_one_shown(act, situacao)
    if agreed:
        return Saida(steps=agreed)
    origem, alvo = _sides(act, situacao)
    pending = situacao.pendente
    meant = (pending.consulta,) if pending.consulta in situacao.bookings and _tells_nothing(origem) else bookings_meant(origem, situacao)
    if not meant:
        question = texts.say("nao_e_essa", lista=texts.bookings(situacao.bookings))
        return Saida(pergunta=question, pendente=Pendente("mudar", alvo.criterios, "mudar"))
    if pending.assunto == "mudar":
        alvo = msgspec.structs.replace(alvo, criterios=over(without(pending.criterios, "ordinais"), alvo.criterios))
        situacao = msgspec.structs.replace(situacao, pendente=msgspec.structs.replace(pending, criterios=VAZIO))
    named = tuple(one for one in meant if _only_names(act, alvo, one, situacao))
    if named and not (act.destino and len(meant) > 1):
        meant, alvo = named, msgspec.structs.replace(alvo, criterios=Criterios(extremo=alvo.criterios.extremo))
    if len(meant) > 1:
        meant = _likely(alvo, meant, situacao)
    if len(meant) > 1:
        question = texts.say("qual_mudar", lista=texts.bookings(meant))
        return Saida(pergunta=question, pendente=Pendente("mudar", alvo.criterios, "mudar"))
    booking = meant[0]
    return (
        change_to(booking, alvo, situacao, asks=act.indaga and act.tipo != "escolher", free=act.tipo == "escolher") if booking else Saida()
    )


def _unknown(act: Ato, situacao: Situacao) -> Saida:
    """The change of an appointment that is not known, once it is told in full, in one message or more; till then the question for it."""
    waits = situacao.pendente.assunto == "mudar"
    asked = situacao.pendente if waits else Pendente()
    origem, alvo = (act.origem, act.alvo) if act.destino or act.origem == act.leitura else (act.leitura, Leitura())
    told = over(asked.origem, without(origem.criterios, "ordinais", "extremo", "numeros"))
    wanted = msgspec.structs.replace(alvo, criterios=over(asked.criterios, alvo.criterios))
    found = of_criteria(told, situacao)
    if found is None:
        memory = Pendente("mudar", wanted.criterios, "mudar", origem=told)
        return Saida(pergunta=ask_for_the_rest("mudar", told, situacao), pendente=memory)
    known = msgspec.structs.replace(situacao.dialogue, bookings=(found,))
    return change_to(found, wanted, msgspec.structs.replace(situacao, dialogue=known, pendente=Pendente()), asks=False)


def _agreed_to_the_one_shown(act: Ato, situacao: Situacao) -> tuple[Step, ...]:
    """The change to the only slot that was listed for it, where nothing but the act is named: `sim, pode trocar`."""
    pending, offers = situacao.pendente, [offer for offer in situacao.offers if situacao.is_open(offer)]
    goes_on = pending.assunto == "listado" and pending.proposito == "mudar" and pending.consulta in situacao.bookings
    points = act.leitura.referencias - {"este"} or act.leitura.desloca or not act.leitura.excluidos.is_empty or act.leitura.falhas
    if not goes_on or points or not act.leitura.criterios.is_empty or len(offers) != 1 or act.indaga or pending.consulta is None:
        return ()
    return exchange(pending.consulta, offers[0])


def _tells_nothing(leitura: Leitura) -> bool:
    return leitura.criterios.is_empty


def _only_names(act: Ato, alvo: Leitura, booking: Booking, situacao: Situacao) -> bool:
    """Whether what seems to be wished for is the booking as it stands, so that it only tells which one: `remarcar a de sexta, às 10h`."""
    if act.destino and alvo.referencias & {"o_outro", "outro_horario"}:
        return False  # `para a outra sexta`
    criterios = alvo.criterios if act.destino else by_weekday(alvo.criterios)
    moment = bool(criterios.dias or criterios.numeros) or any(hora.is_one_time for hora in criterios.horas)
    coming = any(not dia.is_one_day for dia in alvo.criterios.dias)  # `para sexta que vem`
    each = [msgspec.structs.replace(VAZIO, **{field: (value,)}) for field in _NAMING for value in getattr(criterios, field)]
    specialty = situacao.specialty_of(booking.clinic)
    return moment and not coming and not criterios.ordinais and all(holds_booking(one, booking, specialty) for one in each)


def _sides(act: Ato, situacao: Situacao) -> tuple[Leitura, Leitura]:
    """Which booking, and what it shall become; a correction tells the latter alone."""
    if act.tipo != "mudar":
        return Leitura(), act.leitura
    origem, alvo = act.origem, act.alvo
    if origem.criterios.is_empty and not origem.excluidos.is_empty:  # `dia 22 não vai dar, joga para a semana seguinte`
        origem = Leitura(criterios=origem.excluidos)
    if origem.criterios == alvo.criterios and not bookings_meant(origem, situacao):
        return Leitura(), alvo  # `segunda é melhor, dá para trocar para segunda?`
    if not bookings_meant(origem, situacao):
        origem = _of_any_week(origem, situacao)
    if not alvo.criterios.is_empty or origem.criterios.is_empty or alvo.referencias:
        return origem, alvo
    if bookings_meant(origem, situacao) and not _is_wish(origem, situacao):
        return origem, alvo
    return Leitura(), origem


def _of_any_week(origem: Leitura, situacao: Situacao) -> Leitura:
    """The same with a bare weekday told of a booking later than the next such day."""
    wider = msgspec.structs.replace(origem, criterios=by_weekday(origem.criterios))
    return wider if bookings_meant(wider, situacao) else origem


def _is_wish(origem: Leitura, situacao: Situacao) -> bool:
    """Whether what stands before a missing `para` must be the wish, since no booking is like it."""
    return not any(
        holds_booking(without(origem.criterios, "ordinais", "extremo", "ramos"), one, situacao.specialty_of(one.clinic))
        for one in situacao.bookings
    )


def _likely(alvo: Leitura, meant: tuple[Booking, ...], situacao: Situacao) -> tuple[Booking, ...]:
    """Of several bookings, the one that the target itself tells: same doctor, same clinic, or same specialty as what is wanted."""
    criterios = alvo.criterios
    for scope in (
        Criterios(medicos=criterios.medicos),
        Criterios(clinicas=criterios.clinicas),
        Criterios(especialidades=_specialties(criterios, situacao)),
    ):
        kept = tuple(one for one in meant if not scope.is_empty and holds_booking(scope, one, situacao.specialty_of(one.clinic)))
        if len(kept) == 1:
            return kept
    return meant


def _specialties(criterios: Criterios, situacao: Situacao) -> tuple[str, ...]:
    places = [*criterios.clinicas, *(place for doctor in criterios.doctors for place in situacao.works_at(doctor))]
    return criterios.especialidades or tuple(dict.fromkeys(situacao.specialty_of(place) for place in places))


def change_to(booking: Booking, alvo: Leitura, situacao: Situacao, *, asks: bool, free: bool = False) -> Saida:
    """The steps that take a booking to what is wanted; `free` lets a bare moment mean another doctor's slot too."""
    told = alvo
    alvo = on_the_day_meant(booking, _of_the_same_weekday(booking, alvo), situacao)
    asks = asks or bool(alvo.criterios.dias and not told.criterios.dias and not _own(booking, situacao))  # whether it is free is seen first
    focused = msgspec.structs.replace(situacao, pendente=msgspec.structs.replace(situacao.pendente, consulta=booking))
    checked = check(alvo, focused, "mudar")
    if checked.saida:
        return msgspec.structs.replace(checked.saida, pendente=Pendente("mudar_alvo", VAZIO, "mudar", consulta=booking))
    criterios = _with_what_was_asked(checked.criterios, situacao)
    if "outro_medico" in alvo.referencias and not (criterios.medicos or criterios.clinicas):
        return _other_doctor(booking, criterios, alvo, focused)
    if _goes_elsewhere(criterios, booking, situacao):
        return _elsewhere(booking, criterios, alvo, focused, asks=asks)
    return _same_doctor(booking, criterios, alvo, focused, asks=asks, free=free)


def _of_the_same_weekday(booking: Booking, alvo: Leitura) -> Leitura:
    """`na semana seguinte, no mesmo dia`: the weekday that is held in that week, or in the next where it is held in that one."""
    week = alvo.criterios.dias[0] if len(alvo.criterios.dias) == 1 else None
    if week is None or week.is_one_day or week.last == DISTANT or "mesmo_dia" not in alvo.referencias:
        return alvo
    held = date.fromisoformat(booking.date)
    first, last = date.fromisoformat(week.first), date.fromisoformat(week.last)
    if (last - first).days >= _WEEK:
        return alvo
    found = last - timedelta(days=(last.weekday() - held.weekday()) % _WEEK)
    day = found + timedelta(days=_WEEK) if found == held else found
    same = Dia(day.isoformat(), day.isoformat())
    return msgspec.structs.replace(alvo, criterios=msgspec.structs.replace(alvo.criterios, dias=(same,)))


def _with_what_was_asked(criterios: Criterios, situacao: Situacao) -> Criterios:
    """The answer with what had been asked for; after a listing that was asked for a change, with whom or where it was of."""
    pending = situacao.pendente
    if pending.assunto in {"mudar", "mudar_alvo"}:
        return over(without(pending.criterios, "ordinais"), criterios)
    place = bool(criterios.numeros) and without(criterios, "numeros").is_empty  # `o 1` is of the list, whoever it is of
    if pending.assunto == "listado" and pending.proposito == "mudar" and not criterios.has_scope and not place:
        return over(without(pending.criterios, "dias", "horas", "numeros", "ordinais", "extremo"), criterios)
    return criterios


def _goes_elsewhere(criterios: Criterios, booking: Booking, situacao: Situacao) -> bool:
    scope = Criterios(medicos=criterios.medicos, clinicas=criterios.clinicas, especialidades=criterios.especialidades)
    return not scope.is_empty and not holds_booking(scope, booking, situacao.specialty_of(booking.clinic))


def _same_doctor(booking: Booking, criterios: Criterios, alvo: Leitura, situacao: Situacao, *, asks: bool, free: bool) -> Saida:
    texts = situacao.mensagens
    own = _own(booking, situacao)
    moment = without(criterios, "especialidades", "medicos", "clinicas", "ramos")
    scope = Criterios(medicos=((booking.doctor,),), clinicas=(booking.clinic,))
    if not asks and not own and situacao.pendente.assunto == "listado":
        just_shown = _of_same_specialty(booking, choose(moment, alvo.excluidos, situacao), situacao) if moment.has_moment else ()
        if len(just_shown) == 1:
            return Saida(steps=exchange(booking, just_shown[0]))
    if asks or (not own and moment.has_moment and not _exact(moment)):
        return list_slots(over(scope, moment), alvo.excluidos, situacao, "mudar")
    others = [offer for offer in own if situacao.is_open(offer)]
    if moment.is_empty and "o_outro" in alvo.referencias and len(others) == 1:
        return Saida(steps=exchange(booking, others[0]))
    if moment.is_empty:
        question = texts.say("para_quando", horario=texts.booking(booking))
        return Saida(pergunta=question, pendente=Pendente("mudar_alvo", VAZIO, "mudar", consulta=booking))
    if not own or not situacao.offers:
        return _unseen(booking, moment, situacao)
    fitting = _candidates(booking, moment, own, alvo, situacao, free=free)
    if not fitting and (moment.dias or moment.horas) and not (moment.ordinais or moment.numeros):
        return nearest_to(booking, moment, alvo.excluidos, situacao)
    made = _among(booking, fitting, situacao)
    if not made.ofertas:
        return made
    wanted = over(Criterios(especialidades=(situacao.specialty_of(booking.clinic),)), without(moment, "ordinais", "extremo", "numeros"))
    return msgspec.structs.replace(made, buscas=(search_for(wanted, alvo.excluidos, situacao, "mudar"),))  # so one of them is as asked


def _own(booking: Booking, situacao: Situacao) -> tuple[Offer, ...]:
    """The slots known of the doctor of a booking."""
    return tuple(offer for offer in situacao.listed if (offer.clinic, offer.slot.doctor) == (booking.clinic, booking.doctor))


def _exact(criterios: Criterios) -> bool:
    return bool(criterios.day and criterios.time)


def _unseen(booking: Booking, moment: Criterios, situacao: Situacao) -> Saida:
    """A day and a time told in full, of a doctor whose slots were not shown: the clinic will tell."""
    day, time = moment.day, moment.time
    if not (day and time):
        question = situacao.mensagens.say("para_quando", horario=situacao.mensagens.booking(booking))
        return Saida(pergunta=question, pendente=Pendente("mudar_alvo", moment, "mudar", consulta=booking))
    if (day, time.readings[0]) == (booking.date, booking.time):
        question = situacao.mensagens.say("mesmo_horario")
        return Saida(pergunta=question, pendente=Pendente("mudar_alvo", VAZIO, "mudar", consulta=booking))
    return Saida(steps=(reschedule(booking, day, time.readings[0]),))


def _candidates(
    booking: Booking, moment: Criterios, own: tuple[Offer, ...], alvo: Leitura, situacao: Situacao, *, free: bool
) -> tuple[Offer, ...]:
    """The slots a change may go to: the same doctor's; any of the specialty, where a place in the list or a correction says so."""
    if moment.ordinais or moment.numeros:
        return _of_same_specialty(booking, choose(moment, alvo.excluidos, situacao), situacao)
    fitting = choose(moment, alvo.excluidos, situacao, own)
    asked = situacao.pendente.assunto in {"mudar_alvo", "listado"} and not moment.dias
    if asked and len(listed := tuple(one for one in fitting if one in situacao.offers)) == 1:
        return listed  # `o das 11:30`, of those that were shown
    shown = choose(moment, alvo.excluidos, situacao, situacao.offers) if situacao.pendente.assunto == "mudar_alvo" else ()
    if fitting or not (free or len(shown) == 1):
        return fitting
    if len(shown) == 1:
        return _of_same_specialty(booking, shown, situacao)
    return _of_same_specialty(booking, choose(moment, alvo.excluidos, situacao), situacao)


def _of_same_specialty(booking: Booking, offers: tuple[Offer, ...], situacao: Situacao) -> tuple[Offer, ...]:
    return tuple(offer for offer in offers if situacao.specialty_of(offer.clinic) == situacao.specialty_of(booking.clinic))


def _among(booking: Booking, fitting: tuple[Offer, ...], situacao: Situacao, asked: Criterios = VAZIO) -> Saida:
    """The change to the one slot that fits, or the question which; `asked` is remembered for its answer."""
    texts = situacao.mensagens
    if len(fitting) == 1:
        return Saida(steps=exchange(booking, fitting[0]))
    memory = Pendente("mudar_alvo", without(asked, "ordinais", "numeros"), "mudar", consulta=booking)
    if not fitting:
        return Saida(pergunta=texts.say("mudar_sem_horario", medico=booking.doctor), pendente=memory)
    shown = fitting[:MOST_AT_ONCE]
    listed = texts.numbered(shown) + (texts.say("e_mais", mais=str(len(fitting) - len(shown))) if len(shown) < len(fitting) else "")
    return Saida(pergunta=texts.say("mudar_varios", quantos=str(len(fitting)), lista=listed), pendente=memory, ofertas=shown)


def _other_doctor(booking: Booking, criterios: Criterios, alvo: Leitura, situacao: Situacao) -> Saida:
    specialty = situacao.specialty_of(booking.clinic)
    others = tuple(offer for offer in situacao.listed if offer.slot.doctor != booking.doctor)
    fitting = _of_same_specialty(booking, choose(criterios, alvo.excluidos, situacao, others), situacao)
    if not fitting:
        refused = over(alvo.excluidos, Criterios(medicos=(*alvo.excluidos.medicos, (booking.doctor,))))
        return list_slots(Criterios(especialidades=(specialty,), titulos=criterios.titulos), refused, situacao, "mudar")
    return _among(booking, fitting, situacao)


def _elsewhere(booking: Booking, criterios: Criterios, alvo: Leitura, situacao: Situacao, *, asks: bool) -> Saida:
    """To another doctor or clinic: by what was shown of them, by a slot told in full, else by a listing."""
    shown = in_scope(criterios, situacao)
    if asks or (not shown and not _exact(criterios)):
        return list_slots(criterios, alvo.excluidos, situacao, "mudar")
    if shown:
        fitting = choose(criterios, alvo.excluidos, situacao, None if criterios.ordinais else shown)
        return _among(booking, fitting, situacao, criterios)
    if len(criterios.doctors) != 1:
        return (
            which_doctor(criterios.doctors, criterios, situacao, "mudar")
            if criterios.doctors
            else list_slots(criterios, alvo.excluidos, situacao, "mudar")
        )
    doctor, day, time = criterios.doctors[0], criterios.day, criterios.time
    places = [place for place in situacao.works_at(doctor) if not criterios.clinicas or place in criterios.clinicas]
    target = Offer(places[0], Slot(doctor, "", day or "", time.readings[0] if time else ""))
    return Saida(steps=exchange(booking, target))
