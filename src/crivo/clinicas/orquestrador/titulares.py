"""Whose a step is: the speaker's, or somebody's for whom the speaker books. Source: design, "Who the appointment is for"."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from crivo.clinicas.orquestrador.contracts import Booking, Dialogue, Paciente, ParaQuem, Step
from crivo.clinicas.orquestrador.transport import Caller

Grupo = tuple[Caller, tuple[Step, ...]]


def by_person(steps: Sequence[Step], dialogue: Dialogue, para: ParaQuem | None) -> list[Grupo]:
    """The steps of each person, in the order told; a change is one person's, so what depends on each other stays together."""
    groups: dict[Caller, list[Step]] = {}
    for step in steps:
        person = holder_of(step, steps, dialogue, para)
        groups.setdefault(Caller(dialogue.papel, person), []).append(step)
    return [(caller, tuple(own)) for caller, own in groups.items()]


def holder_of(step: Step, steps: Sequence[Step], dialogue: Dialogue, para: ParaQuem | None) -> Paciente | None:
    """Whom a step is done for."""
    freed = next((one for one in steps if step.step_id in one.depends_on and one.action == "cancel_appointment"), None)
    known = (*dialogue.bookings, *(dialogue.feito.consultas if dialogue.feito is not None else ()))
    if freed is not None or step.action != "book_appointment" or (dialogue.feito is not None and tuple(steps) == dialogue.feito.volta):
        held = next((one for one in known if _is_of(freed or step, one)), None)
        named = next((one for one in dialogue.pessoas if held is not None and one.nome == held.para), None)
        return named or dialogue.paciente
    return para.pessoa or dialogue.paciente if para is not None else dialogue.paciente


def _is_of(step: Step, booking: Booking) -> bool:
    told = step.parameters
    moments = ((told.get("date"), told.get("time")), (told.get("original_date"), told.get("original_time")))
    return (step.clinic, told.get("doctor")) == (booking.clinic, booking.doctor) and (booking.date, booking.time) in moments


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
