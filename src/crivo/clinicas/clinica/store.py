"""A clinic's silo: one SQLite file, which any number of its processes may have open at once.

A write is a short transaction that locks the file before it looks, and every change states the condition that it was decided on;
a slot therefore has at most one patient. What was answered is on disk (`synchronous=FULL`).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import msgspec

from crivo.clinicas.clinica import refusals, schema
from crivo.clinicas.clinica.dbjson import is_real
from crivo.clinicas.clinica.doctors import find_doctors, words_of
from crivo.clinicas.clinica.errors import AgendaMudou, SiloIndisponivel
from crivo.clinicas.clinica.keys import RandomBytes
from crivo.clinicas.clinica.livro import Livro
from crivo.clinicas.clinica.prova import Moment, Order, Person, Provada, Quem, SemProva, Write
from crivo.clinicas.clinica.silo_file import SiloFile
from crivo.clinicas.clinica.specialties import specialty_of
from crivo.clinicas.clinica.values import Answered, Extent, Matches, PatientRecord, Seed, SlotRecord
from crivo.clinicas.ferramentas import (
    CANCELAR,
    MARCAR,
    VER_CONSULTAS,
    AvailableSlots,
    BookAppointment,
    Booked,
    CancelAppointment,
    Cancelled,
    FindAppointments,
    Found,
    Patients,
    RescheduleAppointment,
    Rescheduled,
)
from crivo.clinicas.protocol import Appointment, PatientRef, Refusal, Slot
from crivo.clinicas.registro import Clinica
from crivo.kernel.clock import Clock
from crivo.kernel.linguagem.dobra import fold
from crivo.kernel.linguagem.identificadores import format_cpf, read_cpf
from crivo.kernel.tenancy import LOCAL_TENANT

_SHORTEST_SEARCHED: Final = 4
_ALL: Final = """
    select s.doctor, s.specialty, s.date, s.time, s.available, s.paciente, s.chave, c.embrulhada
    from slots s left join chaves c on c.id = s.chave order by s.id"""
_INSERT_UNKNOWN: Final = "insert or ignore into slots (doctor, specialty, date, time, available) values (?, ?, ?, ?, 1)"
# From one doctor to the next by the index: as quick with years of slots as with a week's.
_DOCTORS: Final = """
with recursive known(doctor) as (
    select min(doctor) from slots
    union all
    select (select min(doctor) from slots where doctor > known.doctor) from known where known.doctor is not null
)
select doctor from known where doctor is not null
"""
_NOTE: Final = "Para confirmar o agendamento, informe o horário desejado."
_NOTE_OF_NONE: Final = "No momento não há horários livres."
_UNPROVEN: Final[Mapping[SemProva, Refusal]] = {"errado": refusals.PROVA_NECESSARIA, "descansa": refusals.CODIGO_EM_DESCANSO}


@dataclass(frozen=True, slots=True)
class _Titular:
    """Whose a booking is that may be moved or cancelled, and whether its code alone proved it."""

    titular: Person
    by_code: bool = False


class Silo(SiloFile):
    """One connection to the store of one clinic; for one thread at a time."""

    def __init__(
        self, path: Path, clinica: Clinica, clock: Clock, random_bytes: RandomBytes = os.urandom, casa: str = LOCAL_TENANT
    ) -> None:
        """Open it; a new one is empty. `casa` is the tenant whose the clinic is. Raises SiloIndisponivel, ChaveMestraErrada."""
        super().__init__(path, clock)
        self.casa = casa
        self._specialty = specialty_of(clinica.especialidade)
        self._livro = Livro(clinica, casa, self, random_bytes)

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
        return bool(self.read("select 1 from sample where is_sample"))

    def top_up(self, slots: Iterable[SlotRecord]) -> None:
        """Open slots that are not there yet; those that are stay as they are."""
        with self._transaction():
            self._connection.executemany(_INSERT_UNKNOWN, [(s.doctor, s.specialty, s.date, s.time) for s in slots])

    def replace_slots(self, slots: Iterable[SlotRecord], seen: Sequence[SlotRecord] | None = None) -> None:
        """Put the slots of a db.json in the place of all slots, bookings included; all or nothing.

        `seen` is what whoever replaces them was shown to be there. Raises AgendaMudou where it is not so any more.
        """
        with self._transaction():
            if seen is not None and self.all_slots() != tuple(seen):
                raise AgendaMudou("A agenda mudou enquanto você conferia. Nada foi importado; importe de novo e confira outra vez.")
            self._connection.execute("delete from chaves where id in (select chave from slots)")
            self._connection.execute("delete from slots")
            self._insert(slots)
            self._connection.execute("update sample set is_sample = 0")

    def extent(self) -> Extent:
        """How many slots there are, and how many of them are still to come."""
        rows = self.read("select count(*), coalesce(sum(date || ' ' || time > ?), 0) from slots", self._now())
        return Extent(*rows[0])

    def all_slots(self) -> tuple[SlotRecord, ...]:
        """Every slot, past ones too, in the order in which they came in."""
        return tuple([self._slot(row) for row in self.read(_ALL)])

    def patients(self) -> Patients:
        """Ids and conditions of all patients, nothing else. Source: blueprint 2.4."""
        return Patients(self._references())

    def patient(self, patient_id: str) -> PatientRecord | Refusal:
        """The whole record of one patient. Source: blueprint 2.4."""
        rows = self.read("select patient_id, record from patients where patient_id = ?", patient_id)
        return PatientRecord(self._patient(*rows[0])) if rows else refusals.PACIENTE_DESCONHECIDO

    def search(self, query: str) -> Matches:
        """Patients whose id or condition holds the text, or one of its words of four letters or more; names are never searched."""
        sought = {fold(query), *(word for word in words_of(query) if len(word) >= _SHORTEST_SEARCHED)} - {""}
        found = tuple(ref for ref in self._references() if any(text in fold(f"{ref.patient_id} {ref.condition}") for text in sought))
        return Matches(self._specialty, query, found)

    def free_slots(self, doctor: str | None = None) -> AvailableSlots | Refusal:
        """The free slots to come, earliest first, of every doctor or of those whom a name fits. Source: blueprint 2.4."""
        meant: tuple[str, ...] | None = None
        if doctor is not None and doctor.strip():
            doctors = self._doctors()
            meant = find_doctors(doctor, doctors)
            if not meant:
                return refusals.medico_desconhecido(doctors)
        rows = self.read(
            "select doctor, specialty, date, time from slots where available = 1 and date || ' ' || time > ? order by date, time, doctor",
            self._now(),
        )
        slots = tuple(Slot(*row) for row in rows if meant is None or row[0] in meant)
        return AvailableSlots(self._specialty, slots, _NOTE if slots else _NOTE_OF_NONE)

    def appointments(self, request: FindAppointments, quem: Quem) -> Found | Refusal:
        """The appointments to come of a CPF, to whoever is proven wholly; by a code, `write` answers."""
        person = _person(request)
        if isinstance(person, Refusal):
            return person
        if not self._livro.may_all(VER_CONSULTAS.acao, person, quem):
            return refusals.PROVA_NECESSARIA
        return Found(tuple(self._appointment(moment, person) for moment in self._livro.held(person, self._now())))

    def write(self, orders: Sequence[Order]) -> list[Answered]:
        """Do several bookings, changes and cancellations in one transaction, each whole or refused. Raises SiloIndisponivel."""
        with self._transaction():
            return [self._one(order.request, order.quem) for order in orders]

    def _one(self, request: Write, quem: Quem) -> Answered:
        person = _person(request)
        if isinstance(person, Refusal):
            return Answered(person)
        match request:
            case BookAppointment():
                return self._book(request, person, quem)
            case RescheduleAppointment():
                return self._reschedule(request, person, quem)
            case CancelAppointment():
                return Answered(self._cancel(request, person, quem))
            case FindAppointments():
                return Answered(self._by_code(request, person, quem))

    def _book(self, request: BookAppointment, person: Person, quem: Quem) -> Answered:
        moment = self._moment(request.doctor, request.date, request.time)
        if isinstance(moment, Refusal):
            return Answered(moment)
        if not self._livro.may(MARCAR.acao, moment, person, quem):
            return Answered(refusals.CHAVE_RESTRITA)
        # What was cancelled is given back with the code that it had.
        code = quem.codigo if quem.codigo and self._livro.given_back(moment, person, quem) else self._livro.new_code(quem)
        seal = self._livro.sealed_by(code, quem)
        booked = Booked(self._appointment(moment, person), "Consulta agendada com sucesso.")
        if self._livro.take(moment, person, seal):
            return Answered(booked, code)
        # Only whoever is proven, or sends the same request again, learns that the slot is theirs.
        held = self._livro.seal(moment, person)
        is_again = held is not None and bool(quem.pedido) and held.resumo == seal.resumo
        if is_again or (held is not None and self._livro.may_all(VER_CONSULTAS.acao, person, quem)):
            return Answered(booked, code if is_again else "")
        return Answered(refusals.HORARIO_OCUPADO)

    def _cancel(self, request: CancelAppointment, person: Person, quem: Quem) -> Cancelled | Refusal:
        moment = self._moment(request.doctor, request.date, request.time)
        if isinstance(moment, Refusal):
            return moment
        holder = self._holder(moment, person, quem)
        if isinstance(holder, Refusal):
            return holder
        seal = self._livro.seal(moment, holder.titular)
        if not self._livro.release(moment, holder.titular):
            return refusals.NAO_E_SEU
        self._livro.given_up(moment, holder.titular, seal)
        return Cancelled(self._told(moment, person, holder.titular), "Consulta cancelada com sucesso.")

    def _reschedule(self, request: RescheduleAppointment, person: Person, quem: Quem) -> Answered:
        original = self._moment(request.doctor, request.original_date, request.original_time)
        if isinstance(original, Refusal):
            return Answered(original)
        holder = self._holder(original, person, quem)
        if isinstance(holder, Refusal):
            return Answered(holder)
        new, titular = self._moment(request.doctor, request.new_date, request.new_time), holder.titular
        seal = self._livro.seal(original, titular)
        if isinstance(new, Refusal) or seal is None:
            return Answered(new if isinstance(new, Refusal) else refusals.NAO_E_SEU)
        if original == new:
            return Answered(refusals.MESMO_HORARIO)
        # Moved by its code it keeps it; by whom an account or the reception proves, whoever had the code before has none any more.
        code = "" if holder.by_code else self._livro.new_code(quem)
        if not self._livro.take(new, titular, self._livro.sealed_by(code, quem) if code else seal):
            return Answered(refusals.HORARIO_OCUPADO)
        if not self._livro.release(original, titular):  # it was held a moment ago, under the lock that still stands
            raise SiloIndisponivel("A agenda mudou durante a remarcação. Nada foi alterado; tente de novo.")
        if code:
            self._livro.given_up(original, titular, seal)
        before, after = self._told(original, person, titular), self._told(new, person, titular)
        return Answered(Rescheduled(before, after, "Consulta reagendada com sucesso."), code)

    def _holder(self, moment: Moment, person: Person, quem: Quem) -> _Titular | Refusal:
        """Whose a booking is that whoever asks may move or cancel: the person's, or whosever the code is of."""
        acao = CANCELAR.acao
        is_theirs = self._livro.may(acao, moment, person, quem)
        if is_theirs and (not quem.codigo or self._livro.seal(moment, person) is not None):
            return _Titular(person)
        provada = self._proved(person, quem)
        if isinstance(provada, Refusal):
            return _Titular(person) if is_theirs else provada
        may = self._livro.may(acao, moment, provada.titular, quem, provada.moment)
        return _Titular(provada.titular, by_code=True) if may else _Titular(person) if is_theirs else _UNPROVEN["errado"]

    def _by_code(self, request: FindAppointments, person: Person, quem: Quem) -> Found | Refusal:
        """The one appointment to come whose code was given; beside it, all of the person's, to whoever is proven wholly."""
        acao, provada = VER_CONSULTAS.acao, self._proved(person, quem)
        held = self.appointments(request, quem) if self._livro.may_all(acao, person, quem) else None
        if isinstance(provada, Refusal):
            return provada if held is None else held
        one = self._told(provada.moment, person, provada.titular)
        if isinstance(held, Found):
            return held if one in held.appointments else Found((*held.appointments, one))
        may = self._livro.may(acao, provada.moment, provada.titular, quem, provada.moment)
        return Found((one,)) if may else _UNPROVEN["errado"]

    def _proved(self, person: Person, quem: Quem) -> Provada | Refusal:
        """The booking to come that the code which was given is of."""
        found = self._livro.prove(person, quem, self._now()) if quem.codigo else "errado"
        return found if isinstance(found, Provada) else _UNPROVEN[found]

    def _moment(self, doctor: str, date: str, time: str) -> Moment | Refusal:
        """The slot that is meant, which exists and is still to come."""
        if not is_real(date, time):
            return refusals.DATA_INVALIDA
        doctors = self._doctors()
        meant = find_doctors(doctor, doctors)
        if len(meant) != 1:
            return refusals.medico_ambiguo(meant) if meant else refusals.medico_desconhecido(doctors)
        if f"{date} {time}" <= self._now():
            return refusals.HORARIO_PASSADO
        moment = Moment(meant[0], date, time)
        known = self.read("select 1 from slots where doctor = ? and date = ? and time = ?", moment.doctor, moment.date, moment.time)
        return moment if known else refusals.HORARIO_INEXISTENTE

    def _told(self, moment: Moment, person: Person, titular: Person) -> Appointment:
        """An appointment as it is answered: of somebody else than who was named, without a name and a CPF."""
        if titular.digits == person.digits:
            return self._appointment(moment, person)
        return Appointment(moment.doctor, moment.date, moment.time, "", "", self._specialty)

    def _appointment(self, moment: Moment, person: Person) -> Appointment:
        return Appointment(moment.doctor, moment.date, moment.time, person.name, format_cpf(person.digits), self._specialty)

    def _doctors(self) -> tuple[str, ...]:
        return tuple(row[0] for row in self.read(_DOCTORS))

    def _references(self) -> tuple[PatientRef, ...]:
        rows = self.read("select patient_id, record from patients order by patient_id")
        return tuple([msgspec.json.decode(self.chaves.open_record(*row), type=PatientRef) for row in rows])


def _person(request: Write) -> Person | Refusal:
    digits = read_cpf(request.cpf)
    return Person(request.patient_name.strip(), digits) if digits else refusals.CPF_INVALIDO
