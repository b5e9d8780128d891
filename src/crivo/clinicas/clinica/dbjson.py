"""The files that a silo is filled from and written out to: db.json and the patients. Source: blueprint 3.2."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from datetime import date
from pathlib import Path
from typing import Final, TypeVar

import msgspec

from crivo.clinicas.clinica.errors import DbJsonInvalido
from crivo.clinicas.clinica.folder import write_private
from crivo.clinicas.clinica.values import Patient, Record, Seed, SlotRecord
from crivo.clinicas.quebra import where_broken
from crivo.kernel.errors import Problem
from crivo.kernel.sistema import explain

_DATE: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_TIME: Final = re.compile(r"(?:[01][0-9]|2[0-3]):[0-5][0-9]")
_WHERE: Final = re.compile(r"\$[\w.\[\]]*")


class _DbJson(Record, frozen=True):
    slots: tuple[SlotRecord, ...]


class _PatientsFile(Record, frozen=True):
    patients: tuple[Patient, ...]


D = TypeVar("D", _DbJson, _PatientsFile)


def is_real(day: str, time: str) -> bool:
    """Whether a date and an hour are written as the schema says, and exist."""
    if _DATE.fullmatch(day) is None or _TIME.fullmatch(time) is None:
        return False
    try:
        date.fromisoformat(day)
    except ValueError:
        return False
    return True


def read_db_json(path: Path) -> tuple[SlotRecord, ...]:
    """The slots of a db.json. Raises DbJsonInvalido, which says the file and the place in it, never what stands there."""
    slots = _read(path, _DbJson).slots
    problems = [Problem(fault, caminho=f"$.slots[{index}]") for index, slot in enumerate(slots) if (fault := _fault(slot))] + [
        Problem("repete médico, data e hora de outro", caminho=f"$.slots[{index}]") for index in _repeated(slots)
    ]
    if problems:
        first = problems[0]
        raise DbJsonInvalido(f"O arquivo {path} tem erro em {first.caminho}: {first.mensagem}. Nada foi importado.", problems)
    return slots


def read_patients(path: Path) -> tuple[Patient, ...]:
    """The patients of a file `{"patients": [...]}`. Raises DbJsonInvalido."""
    patients = _read(path, _PatientsFile).patients
    if len({patient.patient_id for patient in patients}) < len(patients):
        raise DbJsonInvalido(f"O arquivo {path} repete um patient_id em $.patients. Nada foi importado.")
    return patients


def read_seed(data: Path, clinic_id: str) -> Seed:
    """The slots and patients of a clinic in a folder of `<id>.db.json` and `<id>.pacientes.json`; the latter may be absent.

    Raises DbJsonInvalido.
    """
    patients = data / f"{clinic_id}.pacientes.json"
    return Seed(read_db_json(data / f"{clinic_id}.db.json"), read_patients(patients) if patients.exists() else ())


def write_db_json(path: Path, slots: Iterable[SlotRecord]) -> None:
    """Write a db.json, whole or not at all, for its owner's eyes: it holds names and CPFs. Raises SiloIndisponivel."""
    document = {"slots": [msgspec.to_builtins(slot) for slot in slots]}
    write_private(path, (json.dumps(document, ensure_ascii=False, indent=2) + "\n").encode())


def _read(path: Path, kind: type[D]) -> D:
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise DbJsonInvalido(f"Não foi possível ler o arquivo: {path} {explain(error)}. Confira o caminho.") from None
    try:
        return msgspec.json.decode(raw, type=kind)
    except msgspec.ValidationError as error:
        found = _WHERE.search(str(error))
        place = found[0] if found else "$"
        problem = Problem("falta um campo, há um a mais ou o tipo não é o esperado", caminho=place)
        raise DbJsonInvalido(f"O arquivo {path} tem erro em {place}: {problem.mensagem}. Nada foi importado.", [problem]) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        where = where_broken(raw, error)
        told = f": ele {where}" if where else ""
        raise DbJsonInvalido(f"O arquivo {path} não é um JSON que se possa ler{told}. Nada foi importado.") from None


def _fault(slot: SlotRecord) -> str | None:
    if not slot.doctor.strip():
        return "falta o nome do médico"
    if not is_real(slot.date, slot.time):
        return "a data ou a hora não existe (use AAAA-MM-DD e HH:MM)"
    if slot.available and (slot.patient_name is not None or slot.cpf is not None):
        return "o horário está livre e tem paciente ao mesmo tempo"
    if (slot.patient_name is None) != (slot.cpf is None):
        return "o paciente precisa de nome e CPF, ou de nenhum dos dois"
    return None


def _repeated(slots: tuple[SlotRecord, ...]) -> list[int]:
    seen: set[tuple[str, str, str]] = set()
    repeated = []
    for index, slot in enumerate(slots):
        key = (slot.doctor, slot.date, slot.time)
        if key in seen:
            repeated.append(index)
        seen.add(key)
    return repeated
