"""The demo's six clinics: who works in them and when, and their patients. Everyone in it is made up."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date, timedelta
from functools import cache
from importlib import resources
from typing import Final

import msgspec

from crivo.clinicas.clinica.values import Patient, Seed, SlotRecord

_PACKAGE: Final = "crivo.clinicas.amostra"
_DAYS_AHEAD: Final = 10


class _Doctor(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A doctor's week: `horarios` has the hours by day of the week, of which 0 is Monday."""

    doctor: str
    specialty: str
    horarios: dict[int, tuple[str, ...]]


class _PatientsFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    patients: tuple[Patient, ...]


def seed(clinic_id: str, day: date) -> Seed:
    """What a clinic of the sample begins with: free slots from that day on, and its patients; nothing for a clinic not in the sample."""
    return Seed(tuple(_slots(clinic_id, day)), _patients(clinic_id), is_sample=True)


def _slots(clinic_id: str, day: date) -> Iterator[SlotRecord]:
    for ahead in range(_DAYS_AHEAD + 1):
        on = day + timedelta(days=ahead)
        for doctor in _weeks().get(clinic_id, ()):
            for time in doctor.horarios.get(on.weekday(), ()):
                yield SlotRecord(doctor.doctor, doctor.specialty, on.isoformat(), time, available=True)


def _patients(clinic_id: str) -> tuple[Patient, ...]:
    if clinic_id not in _weeks():
        return ()
    raw = resources.files(_PACKAGE).joinpath("pacientes", f"{clinic_id}.json").read_bytes()
    return msgspec.json.decode(raw, type=_PatientsFile).patients


@cache
def _weeks() -> Mapping[str, tuple[_Doctor, ...]]:
    raw = resources.files(_PACKAGE).joinpath("agendas.json").read_bytes()
    return msgspec.json.decode(raw, type=dict[str, tuple[_Doctor, ...]])
