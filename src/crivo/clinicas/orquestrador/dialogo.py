"""What a dialogue remembers after a turn: what was shown, who works where, what is booked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from crivo.clinicas.orquestrador.contracts import Booking, Dialogue, Offer, Plan
from crivo.clinicas.protocol import Appointment, ClinicReply, Slot


def after(dialogue: Dialogue, utterance: str, plan: Plan, replies: tuple[ClinicReply, ...], pending: Mapping[str, str]) -> Dialogue:
    """The dialogue after a turn. Slots listed in it take the place of those shown before; only confirmed answers change the bookings."""
    listed = [reply for reply in replies if reply.action == "list_available_slots" and reply.result is not None]
    shown = shown_order(offers_in(listed)) if listed else dialogue.offers
    return msgspec.structs.replace(
        dialogue,
        offers=shown,
        doctors=_directory(dialogue.doctors, offers_in(listed)),
        bookings=_bookings(dialogue.bookings, replies),
        utterances=(*dialogue.utterances, utterance),
        pending=dict(pending),
    )


def offers_in(replies: Iterable[ClinicReply]) -> list[Offer]:
    """Every slot that listings answered with, in the order of the answers."""
    return [
        Offer(reply.clinic, msgspec.convert(slot, Slot))
        for reply in replies
        if reply.action == "list_available_slots" and reply.result
        for slot in reply.result.get("available_slots", ())
    ]


def shown_order(offers: Iterable[Offer]) -> tuple[Offer, ...]:
    """Offers in the order in which they are shown: by date, time and clinic, the same one once."""
    return tuple(sorted(dict.fromkeys(offers), key=lambda offer: (offer.slot.date, offer.slot.time, offer.clinic)))


def _directory(known: Mapping[str, tuple[str, ...]], offers: Iterable[Offer]) -> dict[str, tuple[str, ...]]:
    directory = {doctor: tuple(clinics) for doctor, clinics in known.items()}
    for offer in offers:
        clinics = directory.get(offer.slot.doctor, ())
        if offer.clinic not in clinics:
            directory[offer.slot.doctor] = (*clinics, offer.clinic)
    return directory


def _bookings(held: tuple[Booking, ...], replies: Iterable[ClinicReply]) -> tuple[Booking, ...]:
    bookings = list(held)
    for reply in replies:
        result = reply.result or {}
        match result.get("status"):
            case "confirmed":
                _add(bookings, _booking(reply.clinic, result["appointment"]))
            case "rescheduled":
                _replace(
                    bookings, _booking(reply.clinic, result["original_appointment"]), _booking(reply.clinic, result["new_appointment"])
                )
            case "cancelled":
                _remove(bookings, _booking(reply.clinic, result["cancelled_appointment"]))
            case _:
                continue
    return tuple(bookings)


def _booking(clinic: str, appointment: dict[str, Any]) -> Booking:
    held = msgspec.convert(appointment, Appointment)
    return Booking(clinic, held.doctor, held.date, held.time, held.specialty)


def _same(one: Booking, other: Booking) -> bool:
    return (one.clinic, one.doctor, one.date, one.time) == (other.clinic, other.doctor, other.date, other.time)


def _add(bookings: list[Booking], booking: Booking) -> None:
    if not any(_same(booking, held) for held in bookings):
        bookings.append(booking)


def _remove(bookings: list[Booking], booking: Booking) -> None:
    bookings[:] = [held for held in bookings if not _same(held, booking)]


def _replace(bookings: list[Booking], old: Booking, new: Booking) -> None:
    """The new one in the old one's place, so that `a primeira` stays the first."""
    places = [index for index, held in enumerate(bookings) if _same(held, old)]
    if places:
        bookings[places[0]] = new
    else:
        _add(bookings, new)
