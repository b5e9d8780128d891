"""What the planner itself says: questions, refusals and courtesies, in the person's language."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib.resources import files
from typing import Final

import msgspec

from crivo.clinicas.orquestrador.contracts import Booking, Dialogue, Idioma, Offer, Papel
from crivo.clinicas.orquestrador.entende.lexico import ESPECIALIDADES
from crivo.clinicas.orquestrador.linguagem.formatos import clinic_name, enumerated, written_slot
from crivo.clinicas.registro import Registro

_TEXTS: Final = msgspec.json.decode(files(__package__).joinpath("mensagens.json").read_bytes(), type=dict[Idioma, dict[str, str]])

_FOR: Final[dict[Idioma, str]] = {"pt": "para", "en": "for", "es": "para"}
_YOU: Final[dict[Idioma, str]] = {"pt": "você", "en": "you", "es": "usted"}


def text_for(papel: Papel, texts: Mapping[str, str], key: str, *, provado: bool = False) -> str:
    """The text of a key as it is put to that role: an operator is told of the patient's appointments and not of his own.

    Who was proven is told of all that they hold, and who was not of this conversation's alone.
    """
    if papel == "operador":
        return texts.get(f"{key}_operador", texts[key])
    return texts.get(f"{key}_provado", texts[key]) if provado else texts[key]


def called(booking: Booking) -> str:
    """How whoever an appointment is for is called: by the first name, else as told (`seu filho`); empty where it is the speaker's."""
    return booking.para if booking.para == booking.quem else booking.para.split()[0] if booking.para.strip() else ""


class Mensagens(msgspec.Struct, frozen=True):
    """The planner's texts for one conversation: its language, its registry, and whether a patient or an operator reads them."""

    idioma: Idioma
    registro: Registro
    papel: Papel = "paciente"
    provado: bool = False

    @classmethod
    def of(cls, idioma: Idioma, dialogue: Dialogue) -> Mensagens:
        """The texts of a dialogue in a language."""
        return cls(idioma, dialogue.registro, dialogue.papel, dialogue.provado)

    def say(self, key: str, **values: str) -> str:
        """The text of that key with its values filled in."""
        values.setdefault("especialidades", self.specialties())
        values.setdefault("clinicas", self.clinics(clinica.id for clinica in self.registro))
        return text_for(self.papel, _TEXTS[self.idioma], key, provado=self.provado).format(**values)

    def specialty(self, name: str) -> str:
        """A specialty in the person's language."""
        known = ESPECIALIDADES.get(name)
        return (getattr(known, self.idioma) if known and self.idioma != "pt" else "") or name

    def specialties(self) -> str:
        """Every specialty of the registry."""
        names = dict.fromkeys(clinica.especialidade for clinica in self.registro)
        return enumerated((self.specialty(name) for name in names), self.idioma)

    def clinics(self, ids: Iterable[str]) -> str:
        """Clinics by name, each with what it practises."""
        known = [self.registro.find(id_) for id_ in ids]
        named = (f"{one.nome} ({self.specialty(one.especialidade)})" for one in known if one)
        return enumerated(named, self.idioma)

    def clinic(self, id_: str) -> str:
        """A clinic's name."""
        return clinic_name(id_, self.registro)

    def offer(self, offer: Offer) -> str:
        """An offered slot in one line."""
        slot = offer.slot
        return written_slot(offer.clinic, slot.doctor, slot.date, slot.time, self.registro, self.idioma)

    def booking(self, booking: Booking) -> str:
        """A booking in one line, led by whose it is where it is not the speaker's."""
        whose = f"{called(booking)}, " if called(booking) and self.papel == "paciente" else ""
        return f"{whose}{self._moment(booking)}"

    def _moment(self, booking: Booking) -> str:
        return written_slot(booking.clinic, booking.doctor, booking.date, booking.time, self.registro, self.idioma)

    def offers(self, offers: Iterable[Offer]) -> str:
        """Offered slots, one to a line."""
        return "\n".join(f"- {self.offer(offer)}" for offer in offers)

    def numbered(self, offers: Iterable[Offer]) -> str:
        """Offered slots, one to a line and numbered, to be chosen from."""
        return "\n".join(f"{number}) {self.offer(offer)}" for number, offer in enumerate(offers, 1))

    def bookings(self, bookings: Iterable[Booking]) -> str:
        """Bookings, one to a line, with whom each is for where any is not for the person who speaks."""
        listed = tuple(bookings)
        several = self.papel == "paciente" and any(one.para.strip() for one in listed)
        return "\n".join(f"- {self._moment(one)}{self._for_whom(one, several=several)}" for one in listed)

    def _for_whom(self, booking: Booking, *, several: bool) -> str:
        """Whose an appointment is, after it; `several` tells that the speaker's own are told apart from somebody else's."""
        whose = called(booking) or (_YOU[self.idioma] if several else "")
        return f" {_FOR[self.idioma]} {whose}" if whose else ""
