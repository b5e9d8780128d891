"""Whose appointments an act names: `a minha`, `a do Lucas`, `a da minha filha`. Source: design, "Who the appointment is for"."""

from __future__ import annotations

import msgspec

from crivo.clinicas.orquestrador.contracts import Booking
from crivo.clinicas.orquestrador.linguagem.folding import fold
from crivo.clinicas.orquestrador.planner.atos import Ato
from crivo.clinicas.orquestrador.planner.frase import Frase
from crivo.clinicas.orquestrador.planner.lexico import accord
from crivo.clinicas.orquestrador.planner.situacao import Situacao


def of_whom(sentence: Frase, act: Ato, situacao: Situacao) -> Situacao:
    """The situation with the appointments of whoever an act names; unchanged where nobody is named."""
    known, text = situacao.dialogue.bookings, sentence.text[act.start : act.end]
    if act.tipo not in {"cancelar", "mudar"} or not any(one.para for one in known):
        return situacao
    words = set(text.split())
    told = [one for one in known if names_of(one) & words]
    others = {one.para for one in known if one.para}
    if not told and len(others) == 1 and accord("a_dela").search(text):
        told = [one for one in known if one.para]
    if not told and accord("a_minha").search(text):
        told = [one for one in known if not one.para]
    return (
        msgspec.structs.replace(situacao, dialogue=msgspec.structs.replace(situacao.dialogue, bookings=tuple(told))) if told else situacao
    )


def names_of(booking: Booking) -> set[str]:
    """The words that tell whose an appointment is: the first name and the relation (`filho`); none of the speaker's own."""
    named = {fold(booking.para).split()[0]} if booking.para.strip() and booking.para != booking.quem else set()
    return named | ({fold(booking.quem).split()[-1]} if booking.quem.strip() else set())
