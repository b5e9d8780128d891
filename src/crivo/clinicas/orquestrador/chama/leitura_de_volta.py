"""What a slot read back says about a booking that was claimed, or about a cancellation that nobody answered. Source: design, Router."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from crivo.clinicas.orquestrador.chama.transport import Answer, Caller
from crivo.clinicas.orquestrador.contracts import Paciente, Step, Value
from crivo.clinicas.protocol import Action, Appointment, Cancelled, ClinicReply, Rescheduled, ToolError


class Moment(Value, frozen=True):
    """A slot of a doctor."""

    doctor: str
    date: str
    time: str


def taken_by(action: Action, reply: ClinicReply) -> Moment | None:
    """The slot that a reply claims to be booked now, if it claims one."""
    claimed = {"book_appointment": "appointment", "reschedule_appointment": "new_appointment"}.get(action)
    if claimed is None or reply.result is None:
        return None
    return _moment(reply.result[claimed])


def is_as_asked(taken: Moment, step: Step) -> bool:
    """Whether a claimed slot is of the day and time that were asked for; the doctor may have been named in part."""
    given = step.parameters
    return (taken.date, taken.time) in {(given.get("date"), given.get("time")), (given.get("new_date"), given.get("new_time"))}


def released_by(action: Action, step: Step) -> Moment | None:
    """The slot that is free again once a cancellation or a change is done, if the step is one."""
    given = step.parameters
    try:
        if action == "cancel_appointment":
            return Moment(given["doctor"], given["date"], given["time"])
        if action == "reschedule_appointment":
            return Moment(given["doctor"], given["original_date"], given["original_time"])
    except KeyError:  # a clinic would have refused it
        return None
    return None


def unproved(reply: ClinicReply) -> Answer:
    """What becomes of a booking that was claimed while its slot is still offered."""
    told = ToolError("A clínica disse que marcou, mas o horário continua livre. Confira antes de contar com ele.", codigo="nao_confirmada")
    return Answer(ClinicReply(reply.clinic, reply.action, None, told))


def unconfirmed(answer: Answer) -> Answer:
    """What is told of a booking, change or cancellation that may have been done, and may not."""
    told = ToolError("A clínica não confirmou a tempo: pode ter sido feito ou não. Confira daqui a pouco.", codigo="sem_confirmacao")
    return Answer(ClinicReply(answer.reply.clinic, answer.reply.action, None, told), may_have_run=True)


def outcome_after(answer: Answer, step: Step, caller: Caller, *, is_free: bool | None) -> Answer:
    """What came of a cancellation or change whose answer was lost, given whether the old slot is offered again.

    Free again: it was done, since a change is done whole or not at all. Not free: it was not. Unknown: it stays open.
    """
    if is_free is None or caller.paciente is None:
        return answer
    if not is_free:
        return Answer(answer.reply)
    return Answer(ClinicReply(step.clinic, answer.reply.action, _done(step, caller.paciente)))


def _done(step: Step, paciente: Paciente) -> dict[str, Any]:
    given = step.parameters
    if step.action == "cancel_appointment":
        return _plain(Cancelled(_appointment(given["doctor"], given["date"], given["time"], paciente), ""))
    old = _appointment(given["doctor"], given["original_date"], given["original_time"], paciente)
    return _plain(Rescheduled(old, _appointment(given["doctor"], given["new_date"], given["new_time"], paciente), ""))


def _appointment(doctor: str, date: str, time: str, paciente: Paciente) -> Appointment:
    return Appointment(doctor, date, time, paciente.nome, paciente.cpf, "")


def _plain(value: msgspec.Struct) -> dict[str, Any]:
    built: dict[str, Any] = msgspec.to_builtins(value)
    return built


def _moment(appointment: Mapping[str, Any]) -> Moment:
    return Moment(appointment["doctor"], appointment["date"], appointment["time"])
