"""A clinic's silo: one SQLite file, which any number of its processes may have open at once.

A write is a short transaction that locks the file before it looks, and every change states the condition that it was decided on;
a slot therefore has at most one patient. What was answered is on disk (`synchronous=FULL`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import msgspec

from crivo.clinicas.clinica import refusals, schema
from crivo.clinicas.clinica.arguments import BookAppointment, CancelAppointment, RescheduleAppointment, Write
from crivo.clinicas.clinica.cpf import cpf_digits, format_cpf
from crivo.clinicas.clinica.dbjson import is_real
from crivo.clinicas.clinica.doctors import find_doctors, fold, words_of
from crivo.clinicas.clinica.errors import SiloIndisponivel
from crivo.clinicas.clinica.silo_file import ADD_KEY, SiloFile, sealed
from crivo.clinicas.clinica.specialties import specialty_of
from crivo.clinicas.clinica.values import Matches, PatientRecord, Patients, Seed, SlotRecord, Written
from crivo.clinicas.protocol import Appointment, AvailableSlots, Booked, Cancelled, PatientRef, Refusal, Rescheduled, Slot
from crivo.kernel.clock import Clock

_SHORTEST_SEARCHED: Final = 4
_INSERT_UNKNOWN: Final = "insert or ignore into slots (doctor, specialty, date, time, available) values (?, ?, ?, ?, 1)"
_ALL: Final = """
    select s.doctor, s.specialty, s.date, s.time, s.available, s.paciente, s.chave, c.embrulhada
    from slots s left join chaves c on c.id = s.chave order by s.id"""
# From one doctor to the next by the index: as quick with years of slots as with a week's.
_DOCTORS: Final = """
with recursive known(doctor) as (
    select min(doctor) from slots
    union all
    select (select min(doctor) from slots where doctor > known.doctor) from known where known.doctor is not null
)
select doctor from known where doctor is not null
"""
_HELD: Final = "from slots where doctor = ? and date = ? and time = ? and available = 0 and cpf_indice = ?"
_NOTE: Final = "Para confirmar o agendamento, informe o horário desejado."
_NOTE_OF_NONE: Final = "No momento não há horários livres."


@dataclass(frozen=True, slots=True)
class _Moment:
    """A slot of a doctor."""

    doctor: str
    date: str
    time: str


@dataclass(frozen=True, slots=True)
class _Person:
    """Whom a booking is for; `name` is as given in the call that is being answered, never one read from the silo."""

    name: str
    digits: str


class Silo(SiloFile):
    """One connection to the store of one clinic; for one thread at a time."""

    def __init__(self, path: Path, especialidade: str, clock: Clock) -> None:
        """Open it; a new one is empty. Raises SiloIndisponivel, ChaveMestraErrada."""
        super().__init__(path, clock)
        self._specialty = specialty_of(especialidade)

    def prepare(self, seed: Callable[[], Seed]) -> bool:
        """Make the tables, filled from `seed`, unless they are there; whether they had to be made."""
        with self._transaction():
            if self._version() == schema.VERSION:
                return False
            planted = seed()
            self._connection.execute(schema.SAMPLE)
            self._make_tables()
            self._insert(planted.slots)
            self._connection.execute("insert into sample values (?)", (planted.is_sample,))
            self._insert_patients(planted.patients)
        return True

    def is_sample(self) -> bool:
        """Whether the slots are the sample's, and no db.json has taken their place since."""
        return bool(self._read("select 1 from sample where is_sample"))

    def top_up(self, slots: Iterable[SlotRecord]) -> None:
        """Open slots that are not there yet; those that are stay as they are."""
        with self._transaction():
            self._connection.executemany(_INSERT_UNKNOWN, [(s.doctor, s.specialty, s.date, s.time) for s in slots])

    def replace_slots(self, slots: Iterable[SlotRecord]) -> None:
        """Put the slots of a db.json in the place of all slots, bookings included; all or nothing."""
        with self._transaction():
            self._connection.execute("delete from chaves where id in (select chave from slots)")
            self._connection.execute("delete from slots")
            self._insert(slots)
            self._connection.execute("update sample set is_sample = 0")

    def all_slots(self) -> tuple[SlotRecord, ...]:
        """Every slot, past ones too, in the order in which they came in."""
        return tuple([self._slot(row) for row in self._read(_ALL)])

    def list_patients(self) -> Patients:
        """Ids and conditions of all patients, nothing else. Source: blueprint 2.4."""
        return Patients(self._references())

    def get_patient(self, patient_id: str) -> PatientRecord | Refusal:
        """The whole record of one patient. Source: blueprint 2.4."""
        rows = self._read("select patient_id, record from patients where patient_id = ?", patient_id)
        return PatientRecord(self._patient(*rows[0])) if rows else refusals.PACIENTE_DESCONHECIDO

    def query(self, query: str) -> Matches:
        """Patients whose id or condition holds the text, or one of its words of four letters or more; names are never searched."""
        sought = {fold(query).strip(), *(word for word in words_of(query) if len(word) >= _SHORTEST_SEARCHED)} - {""}
        found = tuple(ref for ref in self._references() if any(text in fold(f"{ref.patient_id} {ref.condition}") for text in sought))
        return Matches(self._specialty, query, found)

    def list_available_slots(self, doctor: str | None = None) -> AvailableSlots | Refusal:
        """The free slots to come, earliest first, of every doctor or of those whom a name fits. Source: blueprint 2.4."""
        meant: tuple[str, ...] | None = None
        if doctor is not None and doctor.strip():
            doctors = self._doctors()
            meant = find_doctors(doctor, doctors)
            if not meant:
                return refusals.medico_desconhecido(doctors)
        rows = self._read(
            "select doctor, specialty, date, time from slots where available = 1 and date || ' ' || time > ? order by date, time, doctor",
            self._now(),
        )
        slots = tuple(Slot(*row) for row in rows if meant is None or row[0] in meant)
        return AvailableSlots(self._specialty, slots, _NOTE if slots else _NOTE_OF_NONE)

    def write(self, requests: Sequence[Write]) -> list[Written]:
        """Do several bookings, changes and cancellations in one transaction, each whole or refused. Raises SiloIndisponivel."""
        with self._transaction():
            return [self._one(request) for request in requests]

    def _one(self, request: Write) -> Written:
        digits = cpf_digits(request.cpf)
        if digits is None:
            return refusals.CPF_INVALIDO
        person = _Person(request.patient_name.strip(), digits)
        match request:
            case BookAppointment():
                return self._book(request, person)
            case RescheduleAppointment():
                return self._reschedule(request, person)
            case CancelAppointment():
                return self._cancel(request, person)

    def _book(self, request: BookAppointment, person: _Person) -> Booked | Refusal:
        moment = self._moment(request.doctor, request.date, request.time)
        if isinstance(moment, Refusal):
            return moment
        # The same person asking again is answered as the first time.
        if not self._take(moment, person) and not self._holds(moment, person):
            return refusals.HORARIO_OCUPADO
        return Booked(self._appointment(moment, person), "Consulta agendada com sucesso.")

    def _cancel(self, request: CancelAppointment, person: _Person) -> Cancelled | Refusal:
        moment = self._moment(request.doctor, request.date, request.time)
        if isinstance(moment, Refusal):
            return moment
        if not self._release(moment, person):
            return refusals.NAO_E_SEU
        return Cancelled(self._appointment(moment, person), "Consulta cancelada com sucesso.")

    def _reschedule(self, request: RescheduleAppointment, person: _Person) -> Rescheduled | Refusal:
        original = self._moment(request.doctor, request.original_date, request.original_time)
        if isinstance(original, Refusal):
            return original
        new = self._moment(request.doctor, request.new_date, request.new_time)
        if isinstance(new, Refusal):
            return new
        if not self._holds(original, person):
            return refusals.NAO_E_SEU
        if original == new:
            return refusals.MESMO_HORARIO
        if not self._take(new, person):
            return refusals.HORARIO_OCUPADO
        if not self._release(original, person):  # it was held a moment ago, under the lock that still stands
            raise SiloIndisponivel("A agenda mudou durante a remarcação. Nada foi alterado; tente de novo.")
        return Rescheduled(self._appointment(original, person), self._appointment(new, person), "Consulta reagendada com sucesso.")

    def _moment(self, doctor: str, date: str, time: str) -> _Moment | Refusal:
        """The slot that is meant, which exists and is still to come."""
        if not is_real(date, time):
            return refusals.DATA_INVALIDA
        doctors = self._doctors()
        meant = find_doctors(doctor, doctors)
        if len(meant) != 1:
            return refusals.medico_ambiguo(meant) if meant else refusals.medico_desconhecido(doctors)
        if f"{date} {time}" <= self._now():
            return refusals.HORARIO_PASSADO
        moment = _Moment(meant[0], date, time)
        known = self._read("select 1 from slots where doctor = ? and date = ? and time = ?", *_key(moment))
        return moment if known else refusals.HORARIO_INEXISTENTE

    def _take(self, moment: _Moment, person: _Person) -> bool:
        key = self._chaves.new()
        index, paciente = self._chaves.index(person.digits), sealed(key, person.name, format_cpf(person.digits))
        taken = self._changes_one(
            "update slots set available = 0, paciente = ?, chave = ?, cpf_indice = ? "
            "where doctor = ? and date = ? and time = ? and available = 1",
            *(paciente, key.id, index),
            *_key(moment),
        )
        if taken:
            self._connection.execute(ADD_KEY, (key.id, index, key.embrulhada, self._instant()))
        return taken

    def _release(self, moment: _Moment, person: _Person) -> bool:
        held = self._read(f"select chave {_HELD}", *_key(moment), self._chaves.index(person.digits))
        for (chave,) in held:
            self._free(chave)
            self._connection.execute("delete from chaves where id = ?", (chave,))
        return bool(held)

    def _holds(self, moment: _Moment, person: _Person) -> bool:
        return bool(self._read(f"select 1 {_HELD}", *_key(moment), self._chaves.index(person.digits)))

    def _appointment(self, moment: _Moment, person: _Person) -> Appointment:
        return Appointment(moment.doctor, moment.date, moment.time, person.name, format_cpf(person.digits), self._specialty)

    def _doctors(self) -> tuple[str, ...]:
        return tuple(row[0] for row in self._read(_DOCTORS))

    def _references(self) -> tuple[PatientRef, ...]:
        rows = self._read("select patient_id, record from patients order by patient_id")
        return tuple([msgspec.json.decode(self._chaves.open_record(*row), type=PatientRef) for row in rows])


def _key(moment: _Moment) -> tuple[str, str, str]:
    return moment.doctor, moment.date, moment.time
