"""What a dialogue remembers after a turn: what was shown, who works where, what is booked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from crivo.clinicas.orquestrador.contracts import Booking, Dialogue, Offer, Plan, Vitrine
from crivo.clinicas.orquestrador.preferencias import Preferencias
from crivo.clinicas.orquestrador.selecao import Selecao, select
from crivo.clinicas.protocol import Appointment, ClinicReply


def after(dialogue: Dialogue, utterance: str, plan: Plan, replies: tuple[ClinicReply, ...], pending: Mapping[str, str]) -> Dialogue:
    """The dialogue after a turn. Slots listed in it take the place of those shown before; only confirmed answers change the bookings."""
    listed = [reply for reply in replies if reply.action == "list_available_slots" and reply.result is not None]
    selecao = select(plan, listed, dialogue)
    shown = _shown(dialogue, plan, selecao)
    if listed and not selecao.todas:
        shown = msgspec.structs.replace(shown, offers=(), vitrine=Vitrine())
    return msgspec.structs.replace(
        shown,
        doctors=_directory(dialogue.doctors, selecao.todas),
        bookings=_bookings(dialogue.bookings, replies),
        utterances=(*dialogue.utterances, utterance),
        pending=dict(pending),
    )


def _shown(dialogue: Dialogue, plan: Plan, selecao: Selecao) -> Dialogue:
    """The dialogue with what a turn showed: by its listings, or by a question about some of the slots."""
    kept = msgspec.structs.replace(dialogue, preferencias=Preferencias(plan.buscas)) if plan.buscas else dialogue
    if not selecao.todas:
        return msgspec.structs.replace(kept, offers=plan.ofertas) if plan.ofertas else kept
    before = dialogue.vitrine.vistas if selecao.continua else ()
    vitrine = Vitrine(selecao.todas, tuple(dict.fromkeys((*before, *selecao.ofertas))), selecao.mais, selecao.fora)
    return msgspec.structs.replace(kept, offers=selecao.ofertas, vitrine=vitrine, preferencias=Preferencias(plan.buscas))


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
