"""Cancelling: the booking that was meant, all of them, or a question which. Source: blueprint rule 9."""

from __future__ import annotations

import msgspec

from crivo.clinicas.orquestrador.contracts import Booking
from crivo.clinicas.orquestrador.decide.de_fora import ask_for_the_rest, of_criteria, told_elsewhere
from crivo.clinicas.orquestrador.decide.situacao import Pendente, Saida, Situacao
from crivo.clinicas.orquestrador.entende.atos import Ato
from crivo.clinicas.orquestrador.entende.criterios import Criterios, by_weekday, holds_booking, over, without
from crivo.clinicas.orquestrador.entende.frase import Frase
from crivo.clinicas.orquestrador.entende.leitura import Leitura
from crivo.clinicas.orquestrador.entende.lexico import accord
from crivo.clinicas.orquestrador.passos import cancel


def decide_cancel(act: Ato, situacao: Situacao) -> Saida:
    """The cancellations that a message asks for."""
    texts, criterios = situacao.mensagens, act.leitura.criterios
    elsewhere = told_elsewhere(act.leitura, situacao)
    if elsewhere is not None:
        return _cancelled((elsewhere,))
    if not situacao.bookings:
        return _unknown(criterios, situacao)
    if act.tudo:  # `as duas` counts them, and tells no hour
        each = msgspec.structs.replace(act.leitura, criterios=without(criterios, "horas"))
        return _cancelled(bookings_meant(each, situacao) or situacao.bookings)
    meant = _pointed_at(act.leitura, bookings_meant(act.leitura, situacao), situacao)
    if len(meant) == 1:
        return _cancelled(meant)
    if len(meant) > 1 and each_named(act.leitura.criterios, meant, situacao):
        return _cancelled(meant)
    if not meant:
        question = texts.say("nao_e_essa", lista=texts.bookings(situacao.bookings))
        return Saida(pergunta=question, pendente=Pendente("cancelar"))
    return Saida(pergunta=texts.say("qual_cancelar", lista=texts.bookings(meant)), pendente=Pendente("cancelar"))


def _pointed_at(leitura: Leitura, meant: tuple[Booking, ...], situacao: Situacao) -> tuple[Booking, ...]:
    """Of several, the one just booked where only `essa` is said, and the others than the one spoken of where `a outra` is."""
    if not leitura.criterios.is_empty:
        return meant
    done, spoken_of = situacao.dialogue.feito, situacao.pendente.consulta
    if "o_outro" in leitura.referencias:
        return tuple(one for one in meant if one != spoken_of) if spoken_of in meant else meant
    just_made = done is not None and done.ato in {"marcou", "desfez"} and done.turno == len(situacao.dialogue.utterances)
    if "este" in leitura.referencias and just_made and done is not None:
        return tuple(one for one in meant if one in done.consultas) or meant
    return meant


def as_an_answer(act: Ato, sentence: Frase, situacao: Situacao) -> Ato:
    """The act, as an answer where it looks like a booking or a listing and tells in full which one is to be cancelled or changed."""
    waits = situacao.pendente.assunto in {"cancelar", "mudar"} and not situacao.bookings and act.tipo in {"marcar", "listar"}
    named = waits and of_criteria(act.leitura.criterios, situacao) is not None and not accord("manda").search(sentence.text)
    return msgspec.structs.replace(act, tipo="escolher") if named else act


def tells_which(act: Ato, sentence: Frase, situacao: Situacao) -> bool:
    """Whether what is said after a question about a cancelling tells which appointment that is, and is no new wish (`e dermato, tem?`)."""
    said = act.leitura.criterios
    if not said.has_scope or act.tambem or accord("aponta_consulta").search(sentence.text, act.start, act.end):
        return True
    wished = act.has_verb and without(said, "especialidades", "ramos").is_empty
    if not situacao.bookings:
        return not wished
    return not (act.pergunta or wished) and bool(bookings_meant(act.leitura, situacao))


def _unknown(criterios: Criterios, situacao: Situacao) -> Saida:
    """The question which appointment is meant, where none is known; what was told of it is remembered, and the answer is of it alone."""
    asked = situacao.pendente.criterios if situacao.pendente.assunto == "cancelar" else Criterios()
    together = over(asked, without(criterios, "ordinais", "extremo", "numeros"))
    whole = of_criteria(together, situacao)
    if whole is not None:
        return _cancelled((whole,))
    return Saida(pergunta=ask_for_the_rest("cancelar", together, situacao), pendente=Pendente("cancelar", together))


def each_named(criterios: Criterios, meant: tuple[Booking, ...], situacao: Situacao) -> bool:
    """Whether every booking meant was named by something of its own: `a de cardiologia e a de dermatologia`."""
    alone = [
        *(Criterios(medicos=(names,)) for names in criterios.medicos),
        *(Criterios(especialidades=(name,)) for name in criterios.especialidades),
        *(Criterios(clinicas=(clinic,)) for clinic in criterios.clinicas),
        *(Criterios(dias=(dia,)) for dia in criterios.dias),
    ]
    told = [[one for one in meant if holds_booking(each, one, situacao.specialty_of(one.clinic))] for each in alone]
    named = {one for found in told if len(found) == 1 for one in found}
    return (bool(criterios.ordinais) and len(criterios.ordinais) == len(meant)) or named == set(meant)


def _cancelled(bookings: tuple[Booking, ...]) -> Saida:
    steps = tuple(msgspec.structs.replace(cancel(booking), step_id=index) for index, booking in enumerate(bookings, 1))
    spoken_of = bookings[0] if len(bookings) == 1 else None
    return Saida(steps=steps, pendente=Pendente("cancelou", consulta=spoken_of))


def bookings_meant(leitura: Leitura, situacao: Situacao) -> tuple[Booking, ...]:
    """The bookings that a reading may mean, in the order they were booked; every one where it tells nothing of them."""
    criterios = leitura.criterios
    if leitura.medicos_desconhecidos or leitura.ausentes or leitura.clinicas_desconhecidas:
        return ()
    told = criterios.ordinais or (tuple(dia.place for dia in criterios.dias) if not _any_day(criterios, situacao) else ())
    places = tuple(place for place in told if place and _exists(place, situacao))
    if places and not criterios.ordinais:
        criterios = without(criterios, "dias")
    by_features = without(criterios, "ordinais", "extremo", "ramos")
    kept = _kept(by_features, leitura, situacao) or _kept(by_weekday(by_features), leitura, situacao)
    if places:
        named = {situacao.bookings[place - 1 if place > 0 else place] for place in places}
        return tuple(booking for booking in kept if booking in named)
    if criterios.extremo:
        pick = min if criterios.extremo == "min" else max
        return (pick(kept, key=lambda booking: (booking.date, booking.time)),) if kept else ()
    return tuple(kept)


def _kept(told: Criterios, leitura: Leitura, situacao: Situacao) -> list[Booking]:
    return [
        booking
        for booking in situacao.bookings
        if holds_booking(told, booking, situacao.specialty_of(booking.clinic)) and not _refused(leitura.excluidos, booking, situacao)
    ]


def _any_day(criterios: Criterios, situacao: Situacao) -> bool:
    return any(dia.holds(booking.date) for dia in by_weekday(criterios).dias for booking in situacao.bookings)


def _exists(place: int, situacao: Situacao) -> bool:
    return 0 < place <= len(situacao.bookings) or 0 > place >= -len(situacao.bookings)


def _refused(excluidos: Criterios, booking: Booking, situacao: Situacao) -> bool:
    return not excluidos.is_empty and holds_booking(
        without(excluidos, "ordinais", "extremo", "ramos"), booking, situacao.specialty_of(booking.clinic)
    )
