from __future__ import annotations

from datetime import date, timedelta

import pytest

from crivo.clinicas.amostra import seed
from crivo.clinicas.clinica.dbjson import is_real
from crivo.clinicas.clinica.values import Seed
from crivo.clinicas.registro import REGISTRO_PADRAO
from crivo.kernel.linguagem.identificadores import read_cpf

TODAY = date(2026, 11, 21)


@pytest.mark.parametrize("clinic_id", [clinica.id for clinica in REGISTRO_PADRAO])
@pytest.mark.parametrize("ahead", range(7))
def test_every_clinic_of_the_sample_has_slots_and_patients_on_any_day(clinic_id: str, ahead: int) -> None:
    day = TODAY + timedelta(days=ahead)
    planted = seed(clinic_id, day)
    assert len(planted.slots) >= 5
    assert len({slot.doctor for slot in planted.slots}) == 2
    assert all(is_real(slot.date, slot.time) and slot.date >= day.isoformat() and slot.available for slot in planted.slots)
    assert len({(slot.doctor, slot.date, slot.time) for slot in planted.slots}) == len(planted.slots)
    assert len(planted.patients) == 3
    assert all(patient.cpf is not None and read_cpf(patient.cpf) for patient in planted.patients)


def test_the_hours_of_a_day_do_not_depend_on_the_day_that_they_are_asked_on() -> None:
    of_today, of_tomorrow = seed("clinic_a", TODAY).slots, seed("clinic_a", TODAY + timedelta(days=1)).slots
    assert {slot for slot in of_today if slot.date > TODAY.isoformat()} <= set(of_tomorrow)


def test_patients_are_of_one_clinic_alone() -> None:
    """Blueprint 1.3: clinics differ in doctors, slots and patients alone."""
    ids = [patient.patient_id for clinica in REGISTRO_PADRAO for patient in seed(clinica.id, TODAY).patients]
    assert len(set(ids)) == len(ids) == 18


def test_a_clinic_that_is_not_in_the_sample_begins_empty() -> None:
    assert seed("clinic_g", TODAY) == Seed(is_sample=True)
