from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cenario import SLOTS
from crivo.clinicas.clinica.dbjson import read_db_json, read_patients, read_seed, write_db_json
from crivo.clinicas.clinica.errors import AgendaMudou, DbJsonInvalido, SiloIndisponivel
from crivo.clinicas.clinica.serving import Place
from crivo.clinicas.clinica.store import Silo
from crivo.clinicas.clinica.transfer import export_slots, held_slots, import_slots

FIXTURE = Path(__file__).parents[4] / "shared/data/clinicas"
SLOT: dict[str, Any] = {
    "doctor": "Dra. Noa Reis",
    "specialty": "Cardiologia",
    "date": "2025-07-21",
    "time": "09:00",
    "available": True,
    "patient_name": None,
    "cpf": None,
}


def written(tmp_path: Path, *slots: dict[str, Any]) -> Path:
    path = tmp_path / "db.json"
    path.write_text(json.dumps({"slots": slots}), encoding="utf-8")
    return path


def test_a_silo_is_written_as_the_schema_says(tmp_path: Path) -> None:
    """Blueprint 3.2, Blueprint 4.3/3: schema of db.json, which holds nothing clinical."""
    write_db_json(tmp_path / "db.json", SLOTS[:1])
    assert json.loads((tmp_path / "db.json").read_text(encoding="utf-8")) == {
        "slots": [
            {
                "doctor": "Dr. Fernando Mendes",
                "specialty": "Cardiologia",
                "date": "2025-07-18",
                "time": "10:00",
                "available": True,
                "patient_name": None,
                "cpf": None,
            }
        ]
    }
    assert (tmp_path / "db.json").stat().st_mode & 0o777 == 0o600


def test_a_db_json_goes_through_the_silo_unchanged(tmp_path: Path, silo: Silo) -> None:
    booked = SLOT | {"time": "10:00", "available": False, "patient_name": "Ana Braga", "cpf": "529.982.247-25"}
    path = written(tmp_path, SLOT, booked)
    silo.replace_slots(read_db_json(path))
    write_db_json(tmp_path / "out.json", silo.all_slots())
    assert json.loads((tmp_path / "out.json").read_text(encoding="utf-8")) == json.loads(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("fault", "place"),
    [
        ({"date": "2025-02-30"}, "$.slots[1]"),
        ({"date": "21/07/2025"}, "$.slots[1]"),
        ({"time": "9:00"}, "$.slots[1]"),
        ({"available": "sim"}, "$.slots[1].available"),
        ({"doctor": None}, "$.slots[1].doctor"),
        ({"doctor": " "}, "$.slots[1]"),
        ({"extra": "529.982.247-25"}, "$.slots[1]"),
        ({"patient_name": "Ana Braga", "cpf": "529.982.247-25"}, "$.slots[1]"),
        ({"available": False, "patient_name": "Ana Braga"}, "$.slots[1]"),
        ({"time": "09:00"}, "$.slots[1]"),
    ],
)
def test_a_broken_db_json_is_refused_with_its_path_and_without_its_data(tmp_path: Path, fault: dict[str, Any], place: str) -> None:
    path = written(tmp_path, SLOT, SLOT | {"time": "10:00"} | fault)
    with pytest.raises(DbJsonInvalido) as caught:
        read_db_json(path)
    assert str(path) in caught.value.mensagem
    assert place in caught.value.mensagem
    assert "Braga" not in caught.value.mensagem
    assert "529" not in caught.value.mensagem


@pytest.mark.parametrize("raw", [b"", b"{", b"[]", b'{"slots": 3}', b'{"slots": [], "x": 1}', b"\xff\xfe", b"[" * 100_000])
def test_bytes_that_are_no_db_json_are_refused(tmp_path: Path, raw: bytes) -> None:
    (tmp_path / "db.json").write_bytes(raw)
    with pytest.raises(DbJsonInvalido):
        read_db_json(tmp_path / "db.json")


def test_a_broken_db_json_is_told_with_its_line_and_column(tmp_path: Path) -> None:
    (tmp_path / "db.json").write_text('{"slots": [\n  {"doctor": "Dra. Noa Reis",}\n]}', encoding="utf-8")
    with pytest.raises(DbJsonInvalido, match="linha 2, coluna"):
        read_db_json(tmp_path / "db.json")


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(DbJsonInvalido, match=r"nada\.json"):
        read_patients(tmp_path / "nada.json")


@pytest.mark.skipif(not FIXTURE.exists(), reason="the shared fixture is not beside this checkout")
@pytest.mark.parametrize("clinic_id", [f"clinic_{letter}" for letter in "abcdef"])
def test_the_fixture_of_the_six_clinics_is_read_whole(clinic_id: str) -> None:
    seed = read_seed(FIXTURE, clinic_id)
    raw = json.loads((FIXTURE / f"{clinic_id}.db.json").read_text(encoding="utf-8"))
    assert len(seed.slots) == len(raw["slots"]) > 0
    assert len(seed.patients) == 3


def brought(place: Place, path: Path) -> int:
    """An import as it is seen and done at once; how many slots."""
    slots = read_db_json(path)
    import_slots(place, slots, held_slots(place))
    return len(slots)


def test_a_clinic_is_exported_and_imported(tmp_path: Path, place: Place, silo: Silo) -> None:
    before = silo.all_slots()
    assert export_slots(place, tmp_path / "out.json") == len(SLOTS)
    assert brought(place, written(tmp_path, SLOT)) == 1
    assert [slot.doctor for slot in silo.all_slots()] == ["Dra. Noa Reis"]
    assert len(silo.patients().patients) == 2
    assert brought(place, tmp_path / "out.json") == len(SLOTS)
    assert silo.all_slots() == before


def test_an_import_that_is_refused_leaves_the_silo_as_it_was(tmp_path: Path, place: Place, silo: Silo) -> None:
    before = silo.all_slots()
    with pytest.raises(DbJsonInvalido):
        brought(place, written(tmp_path, SLOT, SLOT))
    assert silo.all_slots() == before


def test_an_agenda_that_changed_since_it_was_looked_at_is_not_replaced(place: Place, silo: Silo) -> None:
    seen = held_slots(place)
    silo.replace_slots(seen[1:])
    with pytest.raises(AgendaMudou):
        import_slots(place, (), seen)
    assert silo.all_slots() == seen[1:]


def test_a_clinic_that_never_ran_can_be_imported_into(tmp_path: Path, place: Place) -> None:
    brought(place, written(tmp_path, SLOT))
    export_slots(place, tmp_path / "out.json")
    assert [slot.doctor for slot in read_db_json(tmp_path / "out.json")] == ["Dra. Noa Reis"]


def test_slots_that_cannot_be_written_out_are_told(tmp_path: Path, place: Place, silo: Silo) -> None:
    with pytest.raises(SiloIndisponivel, match="nenhuma"):
        export_slots(place, tmp_path / "nenhuma" / "out.json")
    assert len(silo.all_slots()) == len(SLOTS)
