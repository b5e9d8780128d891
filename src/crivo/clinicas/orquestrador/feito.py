"""What a turn did, read from the clinics' answers, and the steps that take it back. Source: design, "Nothing irreversible on a guess"."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any, Final, Literal

import msgspec

from crivo.clinicas.ferramentas import CANCELAR, MARCAR
from crivo.clinicas.orquestrador.contracts import Booking, ClinicReply, Dialogue, Feito, Paciente, Plan, Step, Vaga, Value, Volta
from crivo.clinicas.orquestrador.passos import book, exchange, offer_of
from crivo.clinicas.protocol import Appointment
from crivo.kernel.linguagem.identificadores import digits_of

PRAZO: Final = timedelta(minutes=10)
"""For how long what was cancelled or changed can be taken back."""


class Troca(Value, frozen=True):
    """An appointment as it was and as it is now; one of them is missing where it was booked or cancelled."""

    antes: Booking | None = None
    depois: Booking | None = None


def done_last(dialogue: Dialogue, plan: Plan, replies: tuple[ClinicReply, ...]) -> Feito | None:
    """What was done last in a dialogue: by this turn, where its answers tell of anything, else before it."""
    return done_by(dialogue, plan.steps, exchanges(replies, dialogue.paciente))


def done_by(dialogue: Dialogue, steps: Sequence[Step], trocas: Iterable[Troca]) -> Feito | None:
    """The same of what steps are known to have changed, however that was learned."""
    done = _without_passed_on(_with_exchanges(list(trocas), steps))
    if not done:
        return dialogue.feito
    turno, before = len(dialogue.utterances) + 1, dialogue.feito.restam if dialogue.feito is not None else ()
    held = tuple(one.depois for one in done if one.depois is not None)
    left = tuple(one for one in before if not any(one.consulta.vaga == booked.vaga for booked in held))
    if given_back(steps, dialogue.feito):
        return Feito("desfez", held, turno, restam=left)
    undone = [one for one in done if one.antes is not None]
    if not undone:
        return Feito("marcou", held, turno, restam=left)
    ate, theirs = dialogue.now + PRAZO, frozenset(one.vaga for one in dialogue.bookings if one.alheia)
    ways = tuple(_way_back(one.antes, one.depois, ate) for one in undone if one.antes is not None and not _is_gone(one, theirs))
    ato: Literal["mudou", "cancelou"] = "cancelou" if all(one.depois is None for one in undone) else "mudou"
    gone = tuple(one.antes for one in undone if one.antes is not None)
    return Feito(ato, gone, turno, all_steps(ways), ate if ways else None, (*left, *ways))


def _is_gone(done: Troca, theirs: frozenset[Vaga]) -> bool:
    """Whether it cannot be taken back: what was somebody else's is booked in their name alone, which is not known here."""
    return done.depois is None and done.antes is not None and (done.antes.alheia or done.antes.vaga in theirs)


def given_back(steps: Sequence[Step], feito: Feito | None) -> tuple[Volta, ...]:
    """What was given up and steps bring back, where they do nothing else."""
    wanted = {_key(step) for step in steps if step.step_id >= _FIRST_BACK}
    found = tuple(one for one in (feito.restam if feito is not None else ()) if {_key(step) for step in one.steps} <= wanted)
    whole = all(step.step_id >= _FIRST_BACK for step in steps) and wanted == {_key(step) for one in found for step in one.steps}
    return found if whole else ()


def cancelled(feito: Feito | None) -> tuple[Booking, ...]:
    """What was cancelled and is not back; what was changed is not among it."""
    return tuple(one.consulta for one in _given_up(feito) if _is_cancelled(one))


def claims(feito: Feito | None) -> frozenset[str]:
    """The clinics' words for what stands of what was done: `cancelled`, `rescheduled`."""
    return frozenset("cancelled" if _is_cancelled(one) else "rescheduled" for one in _given_up(feito))


def _given_up(feito: Feito | None) -> tuple[Volta, ...]:
    return feito.restam if feito is not None else ()


def _is_cancelled(way: Volta) -> bool:
    return [step.ferramenta for step in way.steps] == [MARCAR]


def all_steps(ways: Iterable[Volta]) -> tuple[Step, ...]:
    """The steps that bring back every one, numbered on."""
    steps: list[Step] = []
    for way in ways:
        shift = len(steps)
        steps += [
            msgspec.structs.replace(step, step_id=step.step_id + shift, depends_on=tuple(one + shift for one in step.depends_on))
            for step in way.steps
        ]
    return tuple(steps)


def _key(step: Step) -> tuple[str, str, tuple[tuple[str, str], ...]]:
    return step.clinic, step.action, tuple(sorted(step.parameters.items()))


def exchanges(replies: Iterable[ClinicReply], own: Paciente | None) -> Iterator[Troca]:
    """What each answer gave up or made."""
    told = ((reply.clinic, reply.freed, reply.booked) for reply in replies)
    for clinic, old, new in told:
        if old or new:
            yield Troca(booking_of(clinic, old, own) if old else None, booking_of(clinic, new, own) if new else None)


def _with_exchanges(done: list[Troca], steps: Sequence[Step]) -> list[Troca]:
    """The same, where a booking and the cancellation that waited for it are one change."""
    booked = {step.step_id: step for step in steps if step.ferramenta is MARCAR}
    for step in steps:
        new = next((booked[one] for one in step.depends_on if one in booked), None)
        if step.ferramenta is not CANCELAR or new is None:
            continue
        gone = next((one for one in done if one.depois is None and one.antes is not None and _is_of(step, one.antes)), None)
        held = next((one for one in done if one.antes is None and one.depois is not None and _is_of(new, one.depois)), None)
        if gone is not None and held is not None:
            done = [one for one in done if one not in {gone, held}]
            done.append(Troca(gone.antes, held.depois))
    return done


def _without_passed_on(done: list[Troca]) -> list[Troca]:
    """The same, where a slot that was given up and booked at once only passed to another person: there is nothing to take back."""
    booked = {one.depois.vaga for one in done if one.depois is not None}
    gone = [one.antes for one in done if one.depois is None and one.antes is not None]
    passed = [one for one in gone if one.vaga in booked]
    return [one for one in done if one.depois is not None or one.antes not in passed]


def _is_of(step: Step, booking: Booking) -> bool:
    told = step.parameters
    return (step.clinic, told.get("date"), told.get("time")) == (booking.clinic, booking.date, booking.time)


_FIRST_BACK: Final = 101  # so that the same slot asked for anew, for somebody else perhaps, is not taken for a taking back


def _way_back(old: Booking, new: Booking | None, ate: datetime) -> Volta:
    """The steps that make an appointment as it was before."""
    was = offer_of(old)
    return Volta(old, (book(was, _FIRST_BACK),) if new is None else exchange(new, was, _FIRST_BACK), ate)


def booking_of(clinic: str, appointment: dict[str, Any], own: Paciente | None) -> Booking:
    """An appointment as the dialogue keeps it: with the name of whom it is for, where not for the speaker."""
    held = msgspec.convert(appointment, Appointment)
    is_own = own is None or digits_of(held.cpf) == digits_of(own.cpf)
    named = "" if is_own else held.patient_name
    return Booking(clinic, held.doctor, held.date, held.time, held.specialty, named, alheia=not is_own and not held.cpf)
