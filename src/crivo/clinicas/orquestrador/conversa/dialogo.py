"""What a dialogue remembers after a turn: what was shown, who works where, what is booked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

import msgspec

from crivo.clinicas.ferramentas import MARCAR, VER_HORARIOS
from crivo.clinicas.orquestrador.chama.titulares import labelled
from crivo.clinicas.orquestrador.contracts import Booking, ClinicReply, Dialogue, Feito, Paciente, ParaQuem, Plan, Vitrine
from crivo.clinicas.orquestrador.decide.pessoas import uma_pessoa_por_vez
from crivo.clinicas.orquestrador.decide.pessoas.nova_pessoa import starts_anew
from crivo.clinicas.orquestrador.decide.situacao import Pendente, write_pending
from crivo.clinicas.orquestrador.entende import desejos
from crivo.clinicas.orquestrador.entende.selecao import Selecao, select
from crivo.clinicas.orquestrador.feito import done_last, exchanges
from crivo.clinicas.orquestrador.listados import learned
from crivo.clinicas.orquestrador.preferencias import Criterios, Dia, Preferencias


def unheard(dialogue: Dialogue) -> Dialogue:
    """The dialogue after a turn whose words were withheld: what it asked or showed waits for no answer, and what was done is kept."""
    return msgspec.structs.replace(dialogue, pending={}, offers=(), vitrine=Vitrine())


def after(
    dialogue: Dialogue,
    utterance: str,
    plan: Plan,
    replies: tuple[ClinicReply, ...],
    pending: Mapping[str, str],
    para: ParaQuem | None = None,
    fala: str = "",
) -> Dialogue:
    """The dialogue after a turn, `para` being for whom the next booking is, and `fala` what the person was told.

    Slots listed in it take the place of those shown before; only confirmed answers change the bookings.
    """
    listed = [reply for reply in replies if reply.ferramenta is VER_HORARIOS and reply.result is not None]
    selecao = select(plan, listed, dialogue)
    shown = _shown(starts_anew(dialogue, para), plan, selecao)
    if listed and not selecao.todas:
        shown = msgspec.structs.replace(shown, offers=(), vitrine=Vitrine())
    bookings = labelled(_bookings(dialogue, replies), plan.steps, dialogue, para)
    doctors, ramos = learned(dialogue.doctors, dialogue.ramos, selecao.todas)
    return msgspec.structs.replace(
        shown,
        doctors=doctors,
        ramos=ramos,
        bookings=bookings,
        para=para,
        pessoas=_people(dialogue, para),
        utterances=(*dialogue.utterances, utterance),
        pending=_refused(plan, replies, pending) or dict(pending),
        ultima_fala=fala,
        feito=_with_names(done_last(dialogue, plan, replies), (*bookings, *dialogue.bookings)),
    )


def _with_names(done: Feito | None, known: tuple[Booking, ...]) -> Feito | None:
    """What was done, of the appointments as the dialogue holds or held them: with whose they are."""
    if done is None:
        return None
    left = tuple(msgspec.structs.replace(way, consulta=_with_name(way.consulta, known)) for way in done.restam)
    return msgspec.structs.replace(done, consultas=tuple(_with_name(one, known) for one in done.consultas), restam=left)


def _with_name(told: Booking, known: tuple[Booking, ...]) -> Booking:
    return next((held for held in known if held.vaga == told.vaga), told)


def _refused(plan: Plan, replies: tuple[ClinicReply, ...], pending: Mapping[str, str]) -> dict[str, str]:
    """What is remembered of the only booking that a turn asked for and a clinic did not make: of whom and of which day it was.

    What else was wished for in the same message waits on.
    """
    wanted = plan.steps[0] if len(plan.steps) == 1 and plan.steps[0].ferramenta is MARCAR else None
    if wanted is None or not any(reply.error is not None and reply.error.is_not_free for reply in replies):
        return {}
    day = wanted.parameters["date"]
    asked = Criterios(medicos=((wanted.parameters["doctor"],),), clinicas=(wanted.clinic,), dias=(Dia(day, day),))
    return {**write_pending(Pendente("recusado", asked)), **{key: pending[key] for key in _WAITING if key in pending}}


_WAITING: Final = (desejos.KEY, uma_pessoa_por_vez.KEY)


def _shown(dialogue: Dialogue, plan: Plan, selecao: Selecao) -> Dialogue:
    """The dialogue with what a turn showed: by its listings, or by a question about some of the slots."""
    kept = msgspec.structs.replace(dialogue, preferencias=Preferencias(plan.buscas)) if plan.buscas else dialogue
    if not selecao.todas:
        return msgspec.structs.replace(kept, offers=plan.ofertas) if plan.ofertas else kept
    before = dialogue.vitrine.vistas if selecao.continua else ()
    vitrine = Vitrine(selecao.todas, tuple(dict.fromkeys((*before, *selecao.ofertas))), selecao.mais, selecao.fora)
    return msgspec.structs.replace(kept, offers=selecao.ofertas, vitrine=vitrine, preferencias=Preferencias(plan.buscas))


def _people(dialogue: Dialogue, para: ParaQuem | None) -> tuple[Paciente, ...]:
    known = para.pessoa if para is not None else None
    return dialogue.pessoas if known is None or known in dialogue.pessoas else (*dialogue.pessoas, known)


def _bookings(dialogue: Dialogue, replies: Iterable[ClinicReply]) -> tuple[Booking, ...]:
    bookings = list(dialogue.bookings)
    for done in exchanges(replies, dialogue.paciente):
        if done.antes is not None and done.depois is not None:
            _replace(bookings, done.antes, done.depois)
        elif done.depois is not None:
            _add(bookings, done.depois)
        elif done.antes is not None:
            _remove(bookings, done.antes)
    return tuple(bookings)


def _add(bookings: list[Booking], booking: Booking) -> None:
    if not any(booking.vaga == held.vaga for held in bookings):
        bookings.append(booking)


def _remove(bookings: list[Booking], booking: Booking) -> None:
    bookings[:] = [held for held in bookings if held.vaga != booking.vaga]


def _replace(bookings: list[Booking], old: Booking, new: Booking) -> None:
    """The new one in the old one's place, so that `a primeira` stays the first."""
    places = [index for index, held in enumerate(bookings) if held.vaga == old.vaga]
    if places:  # whose it is stays, also where the clinic's answer was lost and its outcome told without it
        bookings[places[0]] = msgspec.structs.replace(new, alheia=new.alheia or bookings[places[0]].alheia)
    else:
        _add(bookings, new)
