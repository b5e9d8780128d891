"""The free slots that listings answered with, as offers, in the order in which offers are shown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec

from crivo.clinicas.ferramentas import VER_HORARIOS
from crivo.clinicas.orquestrador.contracts import ClinicReply, Offer
from crivo.clinicas.protocol import Slot


def offers_in(replies: Iterable[ClinicReply]) -> list[Offer]:
    """Every slot that listings answered with, in the order of the answers."""
    return [
        Offer(reply.clinic, msgspec.convert(slot, Slot))
        for reply in replies
        if reply.ferramenta is VER_HORARIOS and reply.result
        for slot in reply.result.get("available_slots", ())
    ]


def shown_order(offers: Iterable[Offer]) -> tuple[Offer, ...]:
    """Offers in the order in which they are shown: by date, time and clinic, the same one once."""
    return tuple(sorted(dict.fromkeys(offers), key=lambda offer: (offer.slot.date, offer.slot.time, offer.clinic)))


Conhecidos = dict[str, tuple[str, ...]]
"""Something known of doctors, by their full names."""


def learned(
    doctors: Mapping[str, tuple[str, ...]], ramos: Mapping[str, tuple[str, ...]], offers: Iterable[Offer]
) -> tuple[Conhecidos, Conhecidos]:
    """Where each doctor works and what each is filed under, with what some slots tell of it."""
    places, filed = dict(doctors), dict(ramos)
    for offer in offers:
        for known, told in ((places, offer.clinic), (filed, offer.slot.specialty)):
            before = known.get(offer.slot.doctor, ())
            if told and told not in before:
                known[offer.slot.doctor] = (*before, told)
    return places, filed
