"""Whose a step is: the speaker's, or somebody's for whom the speaker books. Source: design, "Who the appointment is for"."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from crivo.clinicas.ferramentas import CANCELAR, MARCAR
from crivo.clinicas.orquestrador.chama.transport import Caller
from crivo.clinicas.orquestrador.contracts import Booking, Dialogue, Paciente, ParaQuem, Step
from crivo.clinicas.orquestrador.feito import given_back
from crivo.clinicas.orquestrador.provas import vaga_of
from crivo.kernel.linguagem.identificadores import digits_of

Grupo = tuple[Caller, tuple[Step, ...]]


def by_person(steps: Sequence[Step], dialogue: Dialogue, para: ParaQuem | None) -> list[Grupo]:
    """The steps of each person, in the order told; a change is one person's, so what depends on each other stays together."""
    groups: dict[Caller, list[Step]] = {}
    for step in steps:
        person = holder_of(step, steps, dialogue, para)
        groups.setdefault(caller_of(person, dialogue), []).append(step)
    return [(caller, tuple(own)) for caller, own in groups.items()]


def caller_of(person: Paciente | None, dialogue: Dialogue) -> Caller:
    """For whom a call is made; who speaks was proven for their own appointments alone."""
    is_own = person is not None and dialogue.quem.is_of(digits_of(person.cpf))
    return Caller(dialogue.quem if is_own else dialogue.quem.for_another(), person)


def holder_of(step: Step, steps: Sequence[Step], dialogue: Dialogue, para: ParaQuem | None) -> Paciente | None:
    """Whom a step is done for."""
    freed = next((one for one in steps if step.step_id in one.depends_on and one.ferramenta is CANCELAR), None)
    back = given_back(steps, dialogue.feito)
    known = _known(dialogue)
    if freed is not None or step.ferramenta is not MARCAR or back:
        held = next((one for one in known if _is_of(freed or step, one)), None)
        named = next((one for one in dialogue.pessoas if held is not None and one.nome == held.para), None)
        return named or dialogue.paciente
    return para.pessoa or dialogue.paciente if para is not None else dialogue.paciente


def _known(dialogue: Dialogue) -> tuple[Booking, ...]:
    """The appointments that are held, and those that were and may come back."""
    done = dialogue.feito
    return dialogue.bookings if done is None else (*dialogue.bookings, *done.consultas, *(one.consulta for one in done.restam))


def _is_of(step: Step, booking: Booking) -> bool:
    return booking.vaga == vaga_of(step)


def label_of(step: Step, steps: Sequence[Step], dialogue: Dialogue, para: ParaQuem | None) -> tuple[str, str]:
    """The name of whoever is seen at what a step books or moves, and how they were called; empty where it is the speaker."""
    freed = next((one for one in steps if step.step_id in one.depends_on and one.ferramenta is CANCELAR), None)
    known = _known(dialogue)
    moves = freed is not None or step.ferramenta is not MARCAR
    back = bool(given_back(steps, dialogue.feito))
    held = next((one for one in known if _is_of(freed or step, one)), None) if moves or back else None
    if held is not None:
        return held.para, held.quem
    return (para.nome or para.quem, para.quem) if para is not None and not (moves or back) else ("", "")


def labelled(bookings: Sequence[Booking], steps: Sequence[Step], dialogue: Dialogue, para: ParaQuem | None) -> tuple[Booking, ...]:
    """Appointments with whose they are: as the dialogue holds them, and those that steps book or move by whom they are for."""
    told = {step.books: label_of(step, steps, dialogue, para) for step in steps if step.books is not None}
    named = []
    for one in bookings:
        held = next((old for old in dialogue.bookings if old.vaga == one.vaga), None)
        name, quem = told.get(one.vaga, (held.para, held.quem) if held is not None else ("", ""))
        named.append(msgspec.structs.replace(one, para=one.para or name, quem=quem))
    return tuple(named)


def waits_for_others(groups: Sequence[Grupo]) -> bool:
    """Whether what is done for one person waits for what is done for another, so that they take their turns."""
    return any(one not in {own.step_id for own in steps} for _, steps in groups for step in steps for one in step.depends_on)


def as_served(dialogue: Dialogue, groups: Sequence[Grupo]) -> Dialogue:
    """The dialogue as it is worded: of somebody else, where all that is done is theirs."""
    people = {caller.paciente for caller, _ in groups}
    if len(people) != 1 or people == {dialogue.paciente}:
        return dialogue
    person = people.pop()
    if person is None:
        return dialogue
    known = dialogue.pessoas if person in dialogue.pessoas else (*dialogue.pessoas, person)
    return msgspec.structs.replace(dialogue, paciente=person, pessoas=known)
