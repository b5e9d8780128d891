"""What the buttons of a page say: whole sentences, so that a press reads like what a person would have written, and names what it does."""

from __future__ import annotations

from typing import Final

from crivo.clinicas.orquestrador.contracts import Booking, Offer
from crivo.clinicas.orquestrador.linguagem.formatos import clinic_name, with_doctor, written_moment
from crivo.clinicas.registro import Registro

DESFAZER: Final = "Desfazer"
"""What the button says that takes back what was just cancelled or changed."""


_TIRAR: Final = "Tirar: "


def drop_message(words: str) -> str:
    """What the button says that takes one thing out of what was asked for."""
    return f"{_TIRAR}{words}"


def dropped(message: str) -> str:
    """The words of the thing that a message takes out; empty for any other message."""
    text = message.strip()
    return text[len(_TIRAR) :].strip() if text.lower().startswith(_TIRAR.lower()) else ""


def slot_message(offer: Offer, registro: Registro) -> str:
    """What the button of a free slot says, which books it."""
    slot = offer.slot
    moment, whom = written_moment(slot.date, slot.time, "pt").capitalize(), with_doctor(slot.doctor, "pt")
    return f"{moment}, {whom}, na {clinic_name(offer.clinic, registro)}"


def cancel_message(booking: Booking, registro: Registro) -> str:
    """What the button says that cancels an appointment; it is acted on at once, since the page has asked before."""
    when, whom = written_moment(booking.date, booking.time, "pt"), with_doctor(booking.doctor, "pt")
    return f"Quero cancelar a consulta de {when}, {whom}, na {clinic_name(booking.clinic, registro)}"


def move_message(booking: Booking) -> str:
    """What the button says that asks for other times of the same doctor."""
    return f"Quero ver outros horários {with_doctor(booking.doctor, 'pt')} para remarcar"
