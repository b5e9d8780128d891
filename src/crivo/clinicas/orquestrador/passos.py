"""The steps that a plan is made of: one call of one tool at one clinic each."""

from __future__ import annotations

from crivo.clinicas.ferramentas import (
    BUSCAR_PACIENTES,
    CANCELAR,
    LER_FICHA,
    LISTAR_PACIENTES,
    MARCAR,
    REMARCAR,
    VER_CONSULTAS,
    VER_HORARIOS,
)
from crivo.clinicas.orquestrador.contracts import Booking, Offer, Step
from crivo.clinicas.protocol import Slot


def list_free(clinic: str, step_id: int = 1, doctor: str = "") -> Step:
    """The step that lists a clinic's free slots, of one doctor or of all."""
    return Step(step_id, clinic, VER_HORARIOS.name, {"doctor": doctor} if doctor else {})


def book(offer: Offer, step_id: int = 1, depends_on: tuple[int, ...] = ()) -> Step:
    """The step that books an offered slot."""
    slot = offer.slot
    return Step(step_id, offer.clinic, MARCAR.name, {"doctor": slot.doctor, "date": slot.date, "time": slot.time}, depends_on)


def cancel(booking: Booking, step_id: int = 1, depends_on: tuple[int, ...] = ()) -> Step:
    """The step that cancels a booking."""
    where = {"doctor": booking.doctor, "date": booking.date, "time": booking.time}
    return Step(step_id, booking.clinic, CANCELAR.name, where, depends_on)


def reschedule(booking: Booking, date: str, time: str, step_id: int = 1) -> Step:
    """The step that moves a booking to another moment of the same doctor."""
    where = {
        "original_date": booking.date,
        "original_time": booking.time,
        "doctor": booking.doctor,
        "new_date": date,
        "new_time": time,
    }
    return Step(step_id, booking.clinic, REMARCAR.name, where)


def exchange(booking: Booking, offer: Offer, step_id: int = 1) -> tuple[Step, ...]:
    """The steps that take a booking to an offered slot: in one call for the same doctor, else booking there and then cancelling here."""
    if (booking.clinic, booking.doctor) == (offer.clinic, offer.slot.doctor):
        return (reschedule(booking, offer.slot.date, offer.slot.time, step_id),)
    return (book(offer, step_id), cancel(booking, step_id + 1, (step_id,)))


def offer_of(booking: Booking) -> Offer:
    """The slot that a booking holds."""
    return Offer(booking.clinic, Slot(booking.doctor, booking.specialty, booking.date, booking.time))


def find_held(clinic: str, step_id: int = 1) -> Step:
    """The step that asks a clinic what somebody holds there."""
    return Step(step_id, clinic, VER_CONSULTAS.name)


def find_patients(clinic: str, step_id: int = 1, condition: str = "") -> Step:
    """The step that lists a clinic's patients, those of one condition or all."""
    if condition:
        return Step(step_id, clinic, BUSCAR_PACIENTES.name, {BUSCAR_PACIENTES.parameters[0]: condition})
    return Step(step_id, clinic, LISTAR_PACIENTES.name)


def read_record(clinic: str, patient_id: str, step_id: int = 1) -> Step:
    """The step that reads a patient's record."""
    return Step(step_id, clinic, LER_FICHA.name, {LER_FICHA.parameters[0]: patient_id})


def unreadable() -> Step:
    """What stands for a plan that could not be read. Source: blueprint 2.3.1, fallback."""
    return Step(1, "", "raw_response")
