"""What a dialogue remembers after a turn."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from crivo.clinicas.orquestrador.contracts import Booking, ClinicReply, Dialogue, Plan
from crivo.clinicas.orquestrador.conversa import dialogo
from crivo.clinicas.protocol import ToolError
from crivo.clinicas.registro import REGISTRO_PADRAO
from crivo.kernel.clock import BRASILIA

START = Dialogue(datetime(2025, 7, 16, 8, tzinfo=BRASILIA), REGISTRO_PADRAO)


def slot(doctor: str, date: str, time: str) -> dict[str, Any]:
    return {"doctor": doctor, "specialty": "Cardiologia", "date": date, "time": time, "available": True}


def listing(clinic: str, *slots: dict[str, Any]) -> ClinicReply:
    return ClinicReply(clinic, "list_available_slots", {"specialty": "Cardiologia", "available_slots": list(slots), "note": ""})


def held(doctor: str, date: str, time: str) -> dict[str, str]:
    return {"doctor": doctor, "date": date, "time": time, "patient_name": "Ana Braga", "cpf": "529.982.247-25", "specialty": "Cardiologia"}


def confirmed(clinic: str, doctor: str, date: str, time: str) -> ClinicReply:
    return ClinicReply(clinic, "book_appointment", {"status": "confirmed", "appointment": held(doctor, date, time), "message": ""})


def after(dialogue: Dialogue, *replies: ClinicReply) -> Dialogue:
    return dialogo.after(dialogue, "oi", Plan(), replies, {})


def test_slots_are_remembered_by_date_time_and_clinic_whatever_clinic_answered_first() -> None:
    state = after(
        START,
        listing("clinic_c", slot("X", "2025-07-21", "09:00")),
        listing("clinic_a", slot("Y", "2025-07-21", "09:00"), slot("Y", "2025-07-18", "10:00")),
    )
    assert [(offer.clinic, offer.slot.date) for offer in state.offers] == [
        ("clinic_a", "2025-07-18"),
        ("clinic_a", "2025-07-21"),
        ("clinic_c", "2025-07-21"),
    ]
    assert state.doctors == {"X": ("clinic_c",), "Y": ("clinic_a",)}


def test_a_listing_that_failed_leaves_what_was_shown_before() -> None:
    shown = after(START, listing("clinic_a", slot("Y", "2025-07-18", "10:00")))
    failed = ClinicReply("clinic_c", "list_available_slots", None, ToolError("fora do ar", code=-32000))
    assert after(shown, failed).offers == shown.offers


def test_only_a_confirmed_answer_makes_a_booking_and_the_same_one_counts_once() -> None:
    refused = ClinicReply("clinic_a", "book_appointment", None, ToolError("ocupado", codigo="horario_ocupado"))
    assert after(START, refused).bookings == ()
    twice = after(after(START, confirmed("clinic_a", "Y", "2025-07-18", "10:00")), confirmed("clinic_a", "Y", "2025-07-18", "10:00"))
    assert twice.bookings == (Booking("clinic_a", "Y", "2025-07-18", "10:00", "Cardiologia"),)


def test_a_rescheduled_booking_keeps_its_place_and_a_cancelled_one_goes() -> None:
    both = after(START, confirmed("clinic_a", "Y", "2025-07-18", "10:00"), confirmed("clinic_b", "Z", "2025-07-20", "08:00"))
    result = {
        "status": "rescheduled",
        "original_appointment": held("Y", "2025-07-18", "10:00"),
        "new_appointment": held("Y", "2025-07-19", "14:00"),
        "message": "",
    }
    moved = after(both, ClinicReply("clinic_a", "reschedule_appointment", result))
    assert [booking.date for booking in moved.bookings] == ["2025-07-19", "2025-07-20"]
    gone = {"status": "cancelled", "cancelled_appointment": held("Y", "2025-07-19", "14:00"), "message": ""}
    assert [booking.doctor for booking in after(moved, ClinicReply("clinic_a", "cancel_appointment", gone)).bookings] == ["Z"]


def test_what_was_said_is_kept_in_order() -> None:
    assert after(after(START)).utterances == ("oi", "oi")
