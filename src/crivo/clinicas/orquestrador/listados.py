"""The free slots that listings answered with, as offers, in the order in which offers are shown."""

from __future__ import annotations

from collections.abc import Iterable

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
