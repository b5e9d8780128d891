"""`crivo clinicas importar`, and agendas of a network of its own: nothing is lost, empty or passed over without a word."""

from __future__ import annotations

import json
import os
import pty
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from cenario import MORNING, free_port
from comandos_das_clinicas import command, environment, here, started

ANA: dict[str, Any] = {"available": False, "patient_name": "Ana Braga", "cpf": "529.982.247-25"}
BIA: dict[str, Any] = {"available": False, "patient_name": "Bia Castro", "cpf": "111.444.777-35"}
FALA, JUNTAS = "Fonoaudiologia", "Reumatologia"


def slot(specialty: str, time: str, date: str = "2025-07-18", doctor: str = "Dra. Lia Prado", **who: Any) -> dict[str, Any]:
    free = {"available": True, "patient_name": None, "cpf": None}
    return {"doctor": doctor, "specialty": specialty, "date": date, "time": time} | free | who


def agenda(folder: Path, name: str, *slots: Mapping[str, Any]) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_text(json.dumps({"slots": slots}), encoding="utf-8")
    return path


def registry(folder: Path, vocabulario: dict[str, str] | None = None) -> Path:
    clinics = []
    for id_, nome, especialidade in (("fala_viva", "Fala Viva", FALA), ("juntas", "Juntas", JUNTAS)):
        port = free_port()
        clinics.append({"id": id_, "nome": nome, "especialidade": especialidade, "porta": port, "url": f"http://127.0.0.1:{port}/mcp"})
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "registro.json"
    path.write_text(json.dumps({"clinics": clinics, "vocabulario": vocabulario or {}}), encoding="utf-8")
    return path


@pytest.fixture
def data_dir(tmp_path: Path) -> Path:
    """A network of two clinics, without agendas."""
    registry(tmp_path / "dados/clinicas")
    return tmp_path / "dados"


def held(data_dir: Path, clinic: str) -> list[dict[str, Any]]:
    slots: list[dict[str, Any]] = json.loads(here(data_dir, "exportar", clinic).stdout)["slots"]
    return slots


@pytest.fixture
def booked(data_dir: Path) -> Path:
    """The data folder, Fala Viva having four slots, of which three are booked, one of these in the past."""
    slots = (slot(FALA, "09:00"), slot(FALA, "10:00", **ANA), slot(FALA, "11:00", **BIA), slot(FALA, "09:00", "2025-07-01", **BIA))
    assert here(data_dir, "importar", "fala_viva", agenda(data_dir, "fala_viva.db.json", *slots)).exit_code == 0
    return data_dir


def test_an_agenda_that_would_take_the_place_of_another_says_what_comes_and_goes_and_is_not_imported_unasked(booked: Path) -> None:
    before = held(booked, "fala_viva")
    wrong = agenda(booked, "juntas.db.json", *(slot(JUNTAS, time, doctor="Dr. Caio Melo") for time in ("08:00", "09:00")))
    files = sorted(booked.iterdir())
    refused = here(booked, "importar", "fala_viva", wrong)
    assert refused.exit_code == 1
    assert "entram 2 horários, saem 4 e ficam 0" in refused.stdout
    assert "Perdem-se 3 consultas marcadas, 2 ainda por vir" in refused.stdout
    assert "2 horários de “Reumatologia”, que não é a especialidade de Fala Viva (Fonoaudiologia)" in refused.stdout
    assert "quem a atende é Juntas (juntas)" in refused.stdout
    assert "repita com --sim" in refused.stderr
    assert not any(name in refused.stdout + refused.stderr for name in ("Ana", "Braga", "Bia", "529"))
    assert held(booked, "fala_viva") == before
    assert sorted(booked.iterdir()) == files


def test_machines_are_told_the_same_in_the_error(booked: Path) -> None:
    wrong = agenda(booked, "juntas.db.json", slot(JUNTAS, "08:00"))
    refused = here(booked, "importar", "fala_viva", wrong, "--json")
    assert (refused.exit_code, refused.stdout) == (1, "")
    error = json.loads(refused.stderr)["erro"]
    assert error["codigo"] == "importacao_nao_confirmada"
    assert any("Perdem-se 3 consultas" in problem["mensagem"] for problem in error["problemas"])


def test_an_import_that_was_confirmed_leaves_the_agenda_before_for_its_owner_and_importing_it_undoes(booked: Path) -> None:
    before = held(booked, "fala_viva")
    wrong = agenda(booked / "longe", "juntas.db.json", slot(JUNTAS, "08:00"))
    done = json.loads(here(booked, "importar", "fala_viva", wrong, "--sim", "--json").stdout)
    assert (done["horarios"], done["saem"], done["consultas_perdidas"], done["consultas_perdidas_por_vir"]) == (1, 4, 3, 2)
    assert done["especialidades_de_fora"] == [JUNTAS]
    copia = Path(done["copia"])
    assert (copia.parent, copia.stat().st_mode & 0o777) == (wrong.parent, 0o600)
    assert json.loads(copia.read_bytes())["slots"] == before
    undone = here(booked, "importar", "fala_viva", copia, "--sim")
    assert undone.exit_code == 0
    assert "Nenhuma consulta marcada se perde" in undone.stdout
    assert "crivo clinicas importar fala_viva" in undone.stderr
    assert held(booked, "fala_viva") == before
    assert len(list(wrong.parent.glob("fala_viva-antes-*.db.json"))) == 2, "no copy is written over another"


def test_a_booking_that_the_file_has_too_is_not_told_as_lost_whoever_else_has_the_slot_is(booked: Path) -> None:
    ours = agenda(booked, "nova.db.json", slot(FALA, "10:00", **ANA), slot(FALA, "11:00", **ANA), slot(FALA, "15:00"))
    told = here(booked, "importar", "fala_viva", ours).stdout
    assert "entram 1 horário, saem 2 e ficam 2" in told
    assert "Perdem-se 2 consultas marcadas, 1 ainda por vir" in told
    assert "1 consulta marcada continua" in told
    assert "Atenção" not in told


def test_where_the_agenda_before_cannot_be_kept_nothing_is_imported(booked: Path) -> None:
    before = held(booked, "fala_viva")
    with agenda(booked, "nova.db.json", slot(FALA, "08:00")).open("rb") as file:
        refused = here(booked, "importar", "fala_viva", f"/proc/self/fd/{file.fileno()}", "--sim")
    assert refused.exit_code == 1
    assert "nada foi importado" in refused.stderr
    assert held(booked, "fala_viva") == before


@pytest.mark.parametrize(("said", "is_done"), [("s\n", True), ("Sim\n", True), ("n\n", False), ("\n", False), ("talvez\nnão\n", False)])
def test_at_a_terminal_it_is_asked(booked: Path, said: str, is_done: bool) -> None:
    before = held(booked, "fala_viva")
    ours = agenda(booked, "nova.db.json", slot(FALA, "15:00"))
    code, shown = _typed(booked, said, "importar", "fala_viva", ours)
    assert "Perdem-se 3 consultas marcadas" in shown
    assert "Trocar a agenda?" in shown
    assert (code == 0, held(booked, "fala_viva") != before) == (is_done, is_done)


def _typed(data_dir: Path, said: str, *words: str | Path) -> tuple[int, str]:
    """The exit code, and what was shown to somebody who types at a terminal."""
    mine, theirs = pty.openpty()
    try:
        os.write(mine, said.encode())
        done = subprocess.run(
            command(*words), env=environment(data_dir), stdin=theirs, capture_output=True, text=True, timeout=60, check=False
        )
    finally:
        os.close(mine)
        os.close(theirs)
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("specialty", "is_told"),
    [
        (JUNTAS, False),
        ("reumatologia", False),
        ("Reumatologia Pediátrica", False),
        ("Lúpus", False),  # a branch of the installation's vocabulary
        ("Reumatolojia", True),
        ("Fonoaudiologia", True),
        ("Reumato", True),
        ("", True),
    ],
)
def test_a_specialty_that_is_not_the_clinics_nor_a_branch_of_it_is_told_before_it_comes_in(
    data_dir: Path, specialty: str, is_told: bool
) -> None:
    registry(data_dir / "clinicas", {"borboleta no rosto": "Reumatologia/Lúpus"})
    asked = here(data_dir, "importar", "juntas", agenda(data_dir, "nova.db.json", slot(specialty, "09:00")))
    assert ("Atenção: 1 horário de" in asked.stdout, asked.exit_code) == (is_told, int(is_told))


def test_new_agendas_with_a_specialty_of_another_clinic_are_told_and_empty_ones_when_all_is_up(data_dir: Path, tmp_path: Path) -> None:
    rede = tmp_path / "rede"
    agenda(rede, "fala_viva.db.json", slot(FALA, "09:00", "2025-07-15"))
    agenda(rede, "juntas.db.json", slot("Reumatolojia", "09:00"))
    with started(data_dir, "subir", "--dados", rede) as process:
        assert process.stderr is not None
        assert "Atenção, em juntas.db.json: 1 horário de “Reumatolojia”" in process.stderr.readline()
        line = next(line for line in process.stderr if line.startswith("Agenda"))
        assert "Agenda só com dias que já passaram: Fala Viva (fala_viva)." in line
        assert "crivo clinicas importar fala_viva" in line


def test_clinics_whose_agendas_are_empty_are_told_when_they_are_up(data_dir: Path) -> None:
    with started(data_dir, "subir") as process:
        assert process.stderr is not None
        line = next(line for line in process.stderr if line.startswith("Agenda"))
        assert line.startswith("Agenda vazia: Fala Viva (fala_viva), Juntas (juntas). Quem pedir horário ouve que não há.")
        assert "crivo clinicas importar ID" in line


def test_a_folder_that_does_not_exist_is_told_once(data_dir: Path) -> None:
    (data_dir / "clinicas/registro.json").unlink()
    (data_dir / "rede.json").write_text("{}", encoding="utf-8")
    (data_dir / "vazia").mkdir()
    for words in (("subir",), ("servir", "clinic_a"), ("conversar",), ("exportar", "clinic_a")):
        refused = here(data_dir, *words, "--dados", "nao-existe")
        assert (refused.exit_code, refused.stderr.count("nao-existe")) == (2, 1)
        assert "nao-existe não existe. Confira o caminho dado em --dados" in refused.stderr
    assert "é um arquivo, e não uma pasta" in here(data_dir, "subir", "--dados", "rede.json").stderr
    assert "não tem registro.json" in here(data_dir, "subir", "--dados", "vazia").stderr


def test_where_another_registry_rules_it_is_said_which_and_that_this_one_is_not_read(data_dir: Path, tmp_path: Path) -> None:
    other = registry(tmp_path / "outra", {"fala presa": FALA})
    agenda(tmp_path / "outra", "fala_viva.db.json", slot(FALA, "09:00"))
    told = here(data_dir, "conversar", "--dados", tmp_path / "outra", "--sem-subir").stderr
    assert f"Vale o cadastro de {data_dir / 'clinicas/registro.json'}: o de {other} é outro, e não é lido." in told
    (data_dir / "clinicas/registro.json").write_bytes(other.read_bytes())
    assert "Vale o cadastro" not in here(data_dir, "conversar", "--dados", tmp_path / "outra", "--sem-subir").stderr


def test_whoever_names_a_clinic_of_theirs_before_the_registry_stands_there_is_told_where_it_goes(data_dir: Path) -> None:
    (ruling := data_dir / "clinicas/registro.json").unlink()
    refused = here(data_dir, "importar", "fala_viva", agenda(data_dir, "nova.db.json", slot(FALA, "09:00")))
    assert f"São as da amostra: o cadastro da sua rede vai em {ruling}." in refused.stderr


def test_the_help_speaks_of_a_network_of_any_size(data_dir: Path) -> None:
    assert "seis" not in here(data_dir, "--help").stdout


def test_the_clock_of_these_tests_stands_between_the_days_they_speak_of() -> None:
    assert "2025-07-15" < MORNING.date().isoformat() < "2025-07-18"
