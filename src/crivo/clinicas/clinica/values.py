"""What a clinic keeps and answers beside the shared protocol: its records, and the results of the tools that read patients."""

from __future__ import annotations

import msgspec

from crivo.clinicas.ferramentas import Booked, Cancelled, Found, Rescheduled
from crivo.clinicas.protocol import PatientRef, Refusal


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A frozen record of a silo."""


class SlotRecord(Record, frozen=True):
    """An opening and who has it. Source: blueprint 3.2."""

    doctor: str
    specialty: str
    date: str
    time: str
    available: bool
    patient_name: str | None = None
    cpf: str | None = None


class Patient(Record, frozen=True):
    """The whole record of a patient."""

    patient_id: str
    name: str
    condition: str
    age: int | None = None
    cpf: str | None = None
    phone: str | None = None
    medications: tuple[str, ...] = ()
    last_visit: str | None = None


class Seed(msgspec.Struct, frozen=True):
    """What a silo begins with; one of the sample is given slots of the coming days at each start."""

    slots: tuple[SlotRecord, ...] = ()
    patients: tuple[Patient, ...] = ()
    is_sample: bool = False


class Extent(msgspec.Struct, frozen=True):
    """How far an agenda reaches: its slots, and those of them that are still to come."""

    slots: int
    por_vir: int


class PatientRecord(msgspec.Struct, frozen=True):
    """A patient's record, as this clinic keeps it."""

    patient: Patient


class Matches(msgspec.Struct, frozen=True):
    """The patients that were looked for, and where and how."""

    specialty: str
    query: str
    matches: tuple[PatientRef, ...]


Written = Booked | Rescheduled | Cancelled | Found | Refusal


class Answered(msgspec.Struct, frozen=True):
    """What a change was answered with, and the code that it gave; empty where it gave none. The code travels beside the answer."""

    answer: Written
    codigo: str = ""

    def __repr__(self) -> str:
        return f"Answered({type(self.answer).__name__})"
