from __future__ import annotations

from datetime import timedelta

import pytest

from cenario import ANA, BIA, CLOCK, FERNANDO, MARCIO, PATIENTS, SEED, Of
from crivo.clinicas.clinica.errors import ClinicaSemChaves, SiloIndisponivel
from crivo.clinicas.clinica.folder import write_private
from crivo.clinicas.clinica.prova import Order, Quem
from crivo.clinicas.clinica.serving import Place, prepare
from crivo.clinicas.clinica.store import Silo
from crivo.clinicas.clinica.values import Seed, SlotRecord, Written
from crivo.clinicas.ferramentas import (
    AvailableSlots,
    BookAppointment,
    Booked,
    CancelAppointment,
    Cancelled,
    RescheduleAppointment,
    Rescheduled,
)
from crivo.clinicas.protocol import Appointment, PatientRef, Refusal

RECEPCAO = Quem("operador")


def book(silo: Silo, cpf: str = ANA, doctor: str = "Fernando", date: str = "2025-07-18", time: str = "10:00") -> Written:
    return silo.write([Order(BookAppointment(doctor, date, time, "Ana Braga", cpf))])[0].answer


def cancel(silo: Silo, cpf: str = ANA, date: str = "2025-07-18", time: str = "10:00") -> Written:
    return silo.write([Order(CancelAppointment("Fernando", date, time, "Ana Braga", cpf), RECEPCAO)])[0].answer


def reschedule(silo: Silo, cpf: str = ANA, date: str = "2025-07-19", time: str = "14:00") -> Written:
    return silo.write([Order(RescheduleAppointment("2025-07-18", "10:00", "Fernando", date, time, "Ana Braga", cpf), RECEPCAO)])[0].answer


def taken(silo: Silo) -> list[tuple[str, str, str | None, str | None]]:
    return [(slot.date, slot.time, slot.patient_name, slot.cpf) for slot in silo.all_slots() if not slot.available]


def codigo(written: Written | AvailableSlots) -> str:
    assert isinstance(written, Refusal)
    return written.codigo


def listed(silo: Silo, doctor: str | None = None) -> list[tuple[str, str, str]]:
    available = silo.free_slots(doctor)
    assert isinstance(available, AvailableSlots)
    return [(slot.date, slot.time, slot.doctor) for slot in available.available_slots]


def test_slots_are_listed_earliest_first_without_those_that_have_begun(silo: Silo) -> None:
    """Blueprint 2.4/4: the free slots."""
    assert [slot[:2] for slot in listed(silo)] == [("2025-07-17", "09:00")] * 2 + [("2025-07-18", "10:00"), ("2025-07-19", "14:00")]


def test_slots_of_a_part_of_a_name_are_those_of_every_doctor_who_has_it(silo: Silo) -> None:
    """Blueprint 2.4/4: of one doctor, where one is given."""
    assert [slot[2] for slot in listed(silo, "paiva")] == ["Dr. Márcio Paiva", "Dra. Márcia Paiva Souza"]
    assert [slot[2] for slot in listed(silo, "marcio")] == [MARCIO]


def test_slots_of_nobody_are_refused_with_who_does_work_here(silo: Silo) -> None:
    refusal = silo.free_slots("Beatriz")
    assert isinstance(refusal, Refusal)
    assert refusal.codigo == "medico_desconhecido"
    assert FERNANDO in refusal.message


def test_a_list_names_the_specialty_as_the_blueprint_does(silo: Silo) -> None:
    """Blueprint 2.3.3/1: `"specialty": "Cardiology"` of the clinic, `"Cardiologia"` of a slot."""
    available = silo.free_slots()
    assert isinstance(available, AvailableSlots)
    assert available.specialty == "Cardiology"
    assert available.available_slots[0].specialty == "Cardiologia"


def test_booking_takes_the_slot_for_the_person(silo: Silo) -> None:
    """Blueprint 2.4/5: the slot is taken and the booking told."""
    assert book(silo, "52998224725") == Booked(
        Appointment(FERNANDO, "2025-07-18", "10:00", "Ana Braga", ANA, "Cardiology"), "Consulta agendada com sucesso."
    )
    assert taken(silo) == [("2025-07-18", "10:00", "Ana Braga", ANA)]
    assert ("2025-07-18", "10:00", FERNANDO) not in listed(silo)


def test_booking_again_is_confirmed_again_to_who_is_proven_alone(silo: Silo) -> None:
    """Source: design/sujeito.md, table, 1: a slot that is held says only that it is not free."""
    booked = book(silo)
    assert codigo(book(silo)) == "horario_ocupado"
    again = BookAppointment("Fernando", "2025-07-18", "10:00", "Ana Braga", "529 982 247 25")
    assert [one.answer for one in silo.write([Order(again, RECEPCAO), Order(again, Quem(em_nome_de=Of("52998224725")))])] == [
        booked,
        booked,
    ]
    assert len(taken(silo)) == 1


def test_a_taken_slot_is_refused_to_others_and_stays(silo: Silo) -> None:
    """Blueprint 3.4: two people do not get one slot."""
    book(silo)
    assert codigo(book(silo, BIA)) == "horario_ocupado"
    assert taken(silo) == [("2025-07-18", "10:00", "Ana Braga", ANA)]


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({"cpf": "529.982.247-24"}, "cpf_invalido"),
        ({"date": "2025-02-29"}, "data_invalida"),
        ({"date": "18/07/2025"}, "data_invalida"),
        ({"time": "24:00"}, "data_invalida"),
        ({"doctor": "Paiva"}, "medico_ambiguo"),
        ({"doctor": "Beatriz"}, "medico_desconhecido"),
        ({"date": "2025-07-16", "time": "08:00"}, "horario_passado"),
        ({"date": "2025-07-15"}, "horario_passado"),
        ({"date": "2025-07-18", "time": "10:01"}, "horario_inexistente"),
    ],
)
def test_what_cannot_be_booked_is_refused_by_its_reason(silo: Silo, changed: dict[str, str], expected: str) -> None:
    assert codigo(book(silo, **changed)) == expected
    assert taken(silo) == []


def test_cancelling_frees_the_slot_and_forgets_the_person(silo: Silo) -> None:
    """Blueprint 2.4/7, Blueprint 4.4: the slot is free again, and name and CPF are gone."""
    book(silo)
    assert isinstance(cancel(silo), Cancelled)
    assert taken(silo) == []
    assert all(slot.patient_name is None and slot.cpf is None for slot in silo.all_slots())


def test_cancelling_needs_the_cpf_that_booked(silo: Silo) -> None:
    book(silo)
    assert codigo(cancel(silo, BIA)) == "nao_e_seu"
    assert len(taken(silo)) == 1


def test_cancelling_a_free_slot_is_refused_in_the_same_words_as_one_of_somebody_else(silo: Silo) -> None:
    of_nobody = cancel(silo, BIA)
    book(silo)
    assert cancel(silo, BIA) == of_nobody


def test_rescheduling_moves_the_booking(silo: Silo) -> None:
    """Blueprint 2.4/6, Blueprint 3.3: the old slot is freed and the new one taken in one operation."""
    book(silo)
    moved = reschedule(silo)
    assert isinstance(moved, Rescheduled)
    assert (moved.original_appointment.date, moved.new_appointment.date) == ("2025-07-18", "2025-07-19")
    assert taken(silo) == [("2025-07-19", "14:00", "Ana Braga", ANA)]


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({"cpf": BIA}, "nao_e_seu"),
        ({"date": "2025-07-18", "time": "10:00"}, "horario_ocupado"),
        ({"date": "2025-07-19", "time": "15:00"}, "horario_inexistente"),
        ({"date": "2025-07-16", "time": "08:00"}, "horario_passado"),
        ({"date": "2025-13-01"}, "data_invalida"),
    ],
)
def test_a_reschedule_that_is_refused_leaves_the_booking_where_it_was(silo: Silo, changed: dict[str, str], expected: str) -> None:
    book(silo)
    assert codigo(reschedule(silo, **changed)) == expected
    assert taken(silo) == [("2025-07-18", "10:00", "Ana Braga", ANA)]


def test_a_reschedule_to_a_slot_of_somebody_else_leaves_both_as_they_were(silo: Silo) -> None:
    book(silo)
    book(silo, BIA, date="2025-07-19", time="14:00")
    before = taken(silo)
    assert codigo(reschedule(silo)) == "horario_ocupado"
    assert taken(silo) == before


def test_an_answer_never_tells_the_name_that_the_silo_holds(silo: Silo) -> None:
    book(silo)
    again = silo.write([Order(BookAppointment("Fernando", "2025-07-18", "10:00", "Outro Nome", ANA), RECEPCAO)])[0].answer
    assert isinstance(again, Booked)
    assert again.appointment.patient_name == "Outro Nome"
    assert taken(silo) == [("2025-07-18", "10:00", "Ana Braga", ANA)]


def test_a_booking_that_came_in_by_import_is_cancelled_by_its_cpf_however_that_is_spelt(silo: Silo) -> None:
    silo.replace_slots(
        [SlotRecord(FERNANDO, "Cardiologia", "2025-07-18", "10:00", available=False, patient_name="Ana", cpf="529982247-25")]
    )
    assert isinstance(cancel(silo), Cancelled)


def test_a_booking_that_has_passed_is_not_cancelled(place: Place, silo: Silo) -> None:
    book(silo)
    later = Silo(place.folder.silo, place.clinica, CLOCK.after(timedelta(days=3)))
    assert codigo(cancel(later)) == "horario_passado"
    later.close()
    assert len(taken(silo)) == 1


def test_patients_are_listed_by_id_and_condition_alone(silo: Silo) -> None:
    """Blueprint 2.4/1, Blueprint 4.1/3, Blueprint 4.3/2: patient_id and condition only."""
    assert silo.patients().patients == tuple(PatientRef(patient.patient_id, patient.condition) for patient in PATIENTS)


@pytest.mark.parametrize(("query", "found"), [("pacientes com hipertensao", 1), ("CARD-C", 2), ("arterial", 1), ("asma", 0), ("Abel", 0)])
def test_a_query_finds_conditions_and_ids_but_no_names(silo: Silo, query: str, found: int) -> None:
    """Blueprint 2.4/3: ids and conditions that match."""
    assert len(silo.search(query).matches) == found


def test_preparing_twice_keeps_what_the_silo_holds(place: Place, silo: Silo) -> None:
    book(silo)
    keys = prepare(place, lambda _: SEED)
    assert prepare(place, lambda _: SEED) == keys
    assert len(taken(silo)) == 1


def test_a_silo_of_the_sample_is_given_the_coming_days_at_each_start_and_keeps_its_bookings(place: Place) -> None:
    prepare(place, lambda _: Seed(SEED.slots[:1], is_sample=True))
    silo = place.open_silo()
    book(silo)
    prepare(place, lambda _: Seed(SEED.slots, is_sample=True))
    assert len(silo.all_slots()) == len(SEED.slots)
    assert len(taken(silo)) == 1
    silo.replace_slots(SEED.slots[:2])
    prepare(place, lambda _: Seed(SEED.slots, is_sample=True))
    assert len(silo.all_slots()) == 2
    silo.close()


def test_a_file_that_is_no_silo_is_told_and_left_alone(place: Place) -> None:
    place.folder.create()
    place.folder.silo.write_bytes(b"isto nao e um banco de dados" * 100)
    with pytest.raises(SiloIndisponivel, match="SQLITE_NOTADB"):
        prepare(place, lambda _: SEED)
    assert place.folder.silo.read_bytes().startswith(b"isto nao e um banco")


@pytest.mark.parametrize("content", ["", "{", "{}", '{"atual": {"kid": "a", "segredo": ""}}', '{"atual": {"kid": "a", "segredo": "zz"}}'])
def test_keys_that_cannot_be_read_are_told_and_not_made_anew(place: Place, silo: Silo, content: str) -> None:
    write_private(place.folder.keys, content.encode())
    with pytest.raises(ClinicaSemChaves, match=r"chaves\.json"):
        prepare(place, lambda _: SEED)
    assert place.folder.keys.read_text() == content
