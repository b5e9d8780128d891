"""The arguments of the tools, taken strictly: none too many, none of another type. Source: blueprint 2.4; design/sujeito.md."""

from __future__ import annotations

from typing import Annotated

from crivo.clinicas.ferramentas import Arguments, text

Doctor = Annotated[str, text("Nome do médico, inteiro ou uma parte que só ele tenha.", least=1)]
Date = Annotated[str, text("Data no formato AAAA-MM-DD.", least=1)]
Time = Annotated[str, text("Hora no formato HH:MM.", least=1)]
PatientName = Annotated[str, text("Nome completo de quem será atendido.", pattern=r"\S")]
Cpf = Annotated[str, text("CPF de quem será atendido, com ou sem pontuação.", least=1)]


class ListPatients(Arguments, frozen=True):
    """None."""


class GetPatient(Arguments, frozen=True):
    """Whose record."""

    patient_id: Annotated[str, text("Identificador do paciente, como CARD-001.", least=1)]


class Query(Arguments, frozen=True):
    """What to look for among conditions."""

    query: Annotated[str, text("O que procurar: uma condição ou um identificador.", least=1)]


class ListAvailableSlots(Arguments, frozen=True):
    """Whose openings; everyone's where no doctor is named."""

    doctor: Annotated[str, text("Mostrar apenas os horários deste médico.")] | None = None


class BookAppointment(Arguments, frozen=True):
    """Which slot, for whom."""

    doctor: Doctor
    date: Date
    time: Time
    patient_name: PatientName
    cpf: Cpf


class RescheduleAppointment(Arguments, frozen=True):
    """From which slot to which of the same doctor, for whom."""

    original_date: Date
    original_time: Time
    doctor: Doctor
    new_date: Date
    new_time: Time
    patient_name: PatientName
    cpf: Cpf


class CancelAppointment(Arguments, frozen=True):
    """Which booking, of whom."""

    doctor: Doctor
    date: Date
    time: Time
    patient_name: PatientName
    cpf: Cpf


class FindAppointments(Arguments, frozen=True):
    """Whose appointments."""

    cpf: Cpf
    patient_name: PatientName


Write = BookAppointment | RescheduleAppointment | CancelAppointment | FindAppointments
