"""What a slot read back says about a booking that was claimed, or about a cancellation that nobody answered. Source: design, Router."""

from __future__ import annotations

from typing import Any

import msgspec

from crivo.clinicas.ferramentas import Ferramenta
from crivo.clinicas.orquestrador.chama.transport import Answer, Caller
from crivo.clinicas.orquestrador.contracts import ClinicReply, Paciente, Step, Vaga, vaga_in
from crivo.clinicas.protocol import Appointment, ToolError


def taken_by(reply: ClinicReply) -> Vaga | None:
    """The slot that a reply claims to be booked now, if it claims one."""
    return vaga_in(reply.clinic, reply.booked) if reply.booked else None


def is_as_asked(taken: Vaga, step: Step) -> bool:
    """Whether a claimed slot is of the day and time that were asked for; the doctor may have been named in part."""
    return step.books is not None and taken[2:] == step.books[2:]


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
    return Answer(ClinicReply(step.clinic, answer.reply.action, _done(step, answer.reply.ferramenta, caller.paciente)))


def _done(step: Step, tool: Ferramenta, paciente: Paciente) -> dict[str, Any]:
    """What the clinic would have answered."""
    told = ((tool.frees, step.frees), (tool.books, step.books))
    held = {place.result: Appointment(*vaga[1:], paciente.nome, paciente.cpf, "") for place, vaga in told if place and vaga}
    done: dict[str, Any] = msgspec.to_builtins(msgspec.convert({**held, "message": ""}, tool.answers))
    return done
