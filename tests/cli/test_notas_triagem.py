"""`crivo triagem modelo-de-notas` and `importar-notas`: nothing is kept before it is confirmed, and faults are told by their cells."""

from __future__ import annotations

import io
import json
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import openpyxl
import pytest

from crivo.triagem.amostra import write_sample

if TYPE_CHECKING:
    from tests.cli.conftest import Terminal

EDITAL = "ED-2026-04"


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("amostra")
    path = write_sample(place, 2)
    said = json.loads(path.read_text(encoding="utf-8"))
    for name in ("avaliacoes", "habilitacoes"):
        said.pop(name, None)
    said["avaliadores"] = [{"nome": "Rita Melo", "email": "rita@avalia.exemplo", "projetos": ["P001", "P002"]}]
    path.write_text(json.dumps(said), encoding="utf-8")
    return place


@pytest.fixture
def imported(terminal: Terminal, written: Path, tmp_path: Path) -> Terminal:
    assert terminal.run("triagem", "importar", shutil.copytree(written, tmp_path / "edital")).exit_code == 0
    return terminal


def filled(terminal: Terminal, target: Path, *notas: object) -> Path:
    """The model of the edital, with these notas in its first row."""
    assert terminal.run("triagem", "modelo-de-notas", EDITAL, "--saida", target).exit_code == 0
    book: Any = openpyxl.load_workbook(target)
    for column, nota in enumerate(notas, start=4):
        book["Notas"].cell(2, column).value = nota
    book.save(target)
    return target


def test_notas_are_foreseen_and_brought_in_once_they_are_confirmed(imported: Terminal, tmp_path: Path) -> None:
    path = filled(imported, tmp_path / "notas.xlsx", 8.5, "7,25", 9, 10)
    foreseen = imported.run("triagem", "importar-notas", EDITAL, path)
    assert foreseen.exit_code == 0
    assert "Notas: 4 notas novas, 0 mudam e 0 ficam iguais; de 1 projeto, por 1 pessoa." in foreseen.stdout
    assert "repita com --confirmar" in foreseen.stderr
    told = json.loads(imported.run("triagem", "importar-notas", EDITAL, path, "--confirmar", "--json").stdout)
    assert (told["previa"]["notas_novas"], told["importada"]["notas_novas"]) == (4, 4)
    again = imported.run("triagem", "importar-notas", EDITAL, path, "--confirmar")
    assert "Nada mudaria" in again.stdout
    changed = imported.run("triagem", "importar-notas", EDITAL, filled(imported, path, 8), "--confirmar")
    assert "8,50" in changed.stdout
    assert "✓ Importado." in changed.stdout


def test_faults_are_told_by_their_cells_and_noted_in_a_copy(imported: Terminal, tmp_path: Path) -> None:
    path, noted = filled(imported, tmp_path / "notas.xlsx", 12), tmp_path / "anotada.xlsx"
    refused = imported.run("triagem", "importar-notas", EDITAL, path, "--confirmar", "--anotada", noted)
    assert refused.exit_code != 0
    assert "Notas!D2: 12 passa do máximo 10 de C1 (Mérito cultural)." in refused.stderr
    sheet = openpyxl.load_workbook(io.BytesIO(noted.read_bytes()))["Notas"]
    assert str(sheet.cell(2, sheet.max_column).value).startswith("Notas!D2: 12 passa do máximo")


def test_a_csv_comes_in_by_the_standard_input(imported: Terminal) -> None:
    text = "Projeto;Avaliador;C1;C2;C3;C4\nP001;Rita Melo;8;8;8;8\n"
    told = imported.run("triagem", "importar-notas", EDITAL, "-", "--confirmar", given=text)
    assert (told.exit_code, "4 notas novas" in told.stdout) == (0, True)


def test_what_is_no_spreadsheet_and_what_is_no_edital_are_told(imported: Terminal) -> None:
    assert "Este é um PDF" in imported.run("triagem", "importar-notas", EDITAL, imported.file("a.xlsx", "%PDF-1.7")).stderr
    nowhere = imported.run("triagem", "importar-notas", "ED-0", imported.file("b.csv", "Projeto;Avaliador;C1\n"))
    assert "Não há edital" in nowhere.stderr
