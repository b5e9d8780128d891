"""What the clinics answered, as facts that a text can be held against."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any, Final

import msgspec

from crivo.clinicas.ferramentas import VER_HORARIOS
from crivo.clinicas.orquestrador.contracts import Booking, ClinicReply, Offer, Paciente, Papel
from crivo.kernel.linguagem.fala import fold

_APPOINTMENTS: Final = {
    "appointment": "booked",
    "new_appointment": "booked",
    "original_appointment": "released",
    "cancelled_appointment": "released",
}
_STATUSES: Final = frozenset({"confirmed", "rescheduled", "cancelled"})


class Known(msgspec.Struct, frozen=True):
    """What may be said though no clinic answered it in this turn.

    `doctors` are full names from the directory; `offers` the slots and `bookings` the appointments that the conversation already holds;
    `said` is what the person said, whose days and times a question may repeat. Only a booking makes "está marcada" true. `shown` are
    the slots, of those answered, that the text is to tell of, each of them and no other; None where it is to tell of all. `works` are
    the clinics of each doctor, and `counts` the numbers of slots that may be told beside those of the data; `people` are the names that
    the person gave of those to book for. `done` is what earlier turns did and still stands, as the clinics say it (`cancelled`).
    """

    doctors: tuple[str, ...] = ()
    offers: tuple[Offer, ...] = ()
    bookings: tuple[Booking, ...] = ()
    said: tuple[str, ...] = ()
    shown: tuple[Offer, ...] | None = None
    works: frozenset[tuple[str, str]] = frozenset()
    counts: frozenset[int] = frozenset()
    people: tuple[str, ...] = ()
    done: frozenset[str] = frozenset()


class Fact(msgspec.Struct, frozen=True):
    """One slot of one clinic, and whether it is free, booked, released by this turn, or known from before."""

    clinic: str
    doctor: str
    date: str
    time: str
    state: str


class Fatos:
    """The facts of a turn: who may be named, which slots there are, and every string of the answers.

    `slots` are those that a text may tell of, `free` the free ones of these, `existing` every free slot that was answered.
    """

    def __init__(self, replies: tuple[ClinicReply, ...], paciente: Paciente | None, papel: Papel, known: Known) -> None:
        self.replies = replies
        self.paciente = paciente
        self.papel = papel
        self.known = known
        answered = tuple(_slots(replies))
        self.existing = tuple(slot for slot in answered if slot.state == "free")
        shown = None if known.shown is None else {_moment(_from_offer(offer)) for offer in known.shown}
        self.slots = tuple(slot for slot in answered if shown is None or slot.state != "free" or _moment(slot) in shown)
        self.free = tuple(slot for slot in self.slots if slot.state == "free")
        held = (Fact(booking.clinic, booking.doctor, booking.date, booking.time, "known") for booking in known.bookings)
        self.all_slots = (*self.slots, *(_from_offer(offer) for offer in known.offers), *held)
        self.statuses = frozenset(status for reply in replies if (status := (reply.result or {}).get("status")) in _STATUSES)
        self.failed = frozenset(reply.clinic for reply in replies if reply.error is not None and reply.error.codigo is None)
        self.refused = tuple(reply for reply in replies if reply.error is not None and reply.error.codigo is not None)
        self.answered = frozenset(reply.clinic for reply in replies if reply.error is None)
        self.listed = frozenset(reply.clinic for reply in replies if reply.error is None and reply.ferramenta is VER_HORARIOS)

    @cached_property
    def cancelled(self) -> tuple[Fact, ...]:
        """The appointments that were cancelled by themselves, and not moved."""
        held = ((reply.clinic, (reply.result or {}).get("cancelled_appointment")) for reply in self.replies)
        return tuple(_fact(clinic, one, "released") for clinic, one in held if isinstance(one, dict))

    @cached_property
    def doctors(self) -> tuple[str, ...]:
        """The full name of every doctor that may be named, as the answers and the directory spell it."""
        names = [slot.doctor for slot in self.all_slots if slot.doctor]
        return tuple(dict.fromkeys((*names, *self.known.doctors)))

    @cached_property
    def strings(self) -> tuple[tuple[str, str], ...]:
        """Every string and number of the answers with the key it stands under."""
        return tuple(pair for reply in self.replies for pair in _strings("", reply.result or {}))

    @cached_property
    def areas(self) -> frozenset[str]:
        """The specialties that the answers name, folded."""
        return frozenset(fold(text) for key, text in self.strings if key == "specialty" and text.strip())

    @cached_property
    def spoken(self) -> tuple[str, ...]:
        """The free text of the answers: notes and messages, errors included."""
        errors = [reply.error.message for reply in self.replies if reply.error is not None]
        return (*(text for key, text in self.strings if key in {"note", "message"}), *errors)

    @cached_property
    def records(self) -> tuple[dict[str, Any], ...]:
        """Full records that were read."""
        found = [(reply.result or {}).get("patient") for reply in self.replies]
        return tuple(record for record in found if isinstance(record, dict))


def _slots(replies: tuple[ClinicReply, ...]) -> Iterator[Fact]:
    for reply in replies:
        result = reply.result or {}
        listed = result.get("available_slots")
        for slot in listed if isinstance(listed, list | tuple) else ():
            if isinstance(slot, dict) and slot.get("available", True):
                yield _fact(reply.clinic, slot, "free")
        for key, state in _APPOINTMENTS.items():
            if isinstance(appointment := result.get(key), dict):
                yield _fact(reply.clinic, appointment, state)


def _fact(clinic: str, slot: dict[str, Any], state: str) -> Fact:
    doctor, date, time = (str(slot.get(key) or "") for key in ("doctor", "date", "time"))
    return Fact(clinic, doctor, date, time, state)


def _moment(fact: Fact) -> tuple[str, str, str, str]:
    return fact.clinic, fact.doctor, fact.date, fact.time


def _from_offer(offer: Offer) -> Fact:
    return Fact(offer.clinic, offer.slot.doctor, offer.slot.date, offer.slot.time, "known")


def _strings(key: str, value: object) -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        yield key, value
    elif isinstance(value, dict):
        for name, inner in value.items():
            yield from _strings(str(name), inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _strings(key, inner)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield key, str(value)
