"""Evaluation over six real processes, and what is written of it."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree as ET

import msgspec
import pytest

from cenario import MORNING
from crivo.clinicas.avaliacao import grafico, relatorio
from crivo.clinicas.avaliacao.conjunto import Caso, read_cases
from crivo.clinicas.avaliacao.execucao import Execucao, execute, stated_clock
from federacao import DADOS, NO_DATA

ANA = {"nome": "Ana Braga", "cpf": "529.982.247-25"}
LIST = [{"clinic": "clinic_a", "action": "list_available_slots"}, {"clinic": "clinic_c", "action": "list_available_slots"}]
TURNS = [
    {"texto": "quero marcar uma consulta com cardiologista", "plano": LIST},
    {"texto": "pode ser com o Dr. Fernando dia 18 as 10h", "plano": [{"clinic": "clinic_c", "action": "book_appointment"}]},
]
HELD = {"clinic_c": [{"doctor": "Dr. Fernando Mendes", "date": "2025-07-18", "time": "10:00", "cpf": "52998224725"}]}
CASES = [
    {"id": "a", "classe": "normal", "paciente": ANA, "turnos": TURNS, "estado": HELD},
    {"id": "b", "classe": "normal", "paciente": ANA, "turnos": TURNS, "estado": HELD},  # only from a fresh state
    {"id": "c", "classe": "borda", "turnos": [{"texto": "tem ortopedista?", "plano": []}], "estado": HELD},  # wrong on purpose
]


@pytest.fixture
def cases() -> tuple[Caso, ...]:
    return read_cases(json.dumps(CASES).encode())


@pytest.mark.skipif(not DADOS.exists(), reason=NO_DATA)
async def test_each_case_runs_from_a_fresh_state_and_its_end_state_is_read_from_the_stores(cases: tuple[Caso, ...], tmp_path: Path) -> None:
    """Design, "The proof"."""
    told: list[int] = []
    run = await execute(cases, data_dir=tmp_path, dados=DADOS, agora=None, on_case=lambda: told.append(1))
    assert run.agora == MORNING
    assert run.resultado.geral.estado.certos == 2
    assert run.resultado.erros == ("c.1", "c.estado")
    assert len(told) == 3
    assert is_empty(tmp_path)
    written(cases, run)


def is_empty(folder: Path) -> bool:
    return list(folder.iterdir()) == []


def written(cases: tuple[Caso, ...], run: Execucao) -> None:
    """What is written of a run says the same in all three forms."""
    document = json.loads(msgspec.json.encode(relatorio.document(cases, run, "embutido")))
    assert [(case["id"], case["certo"]) for case in document["casos"]] == [("a", True), ("b", True), ("c", False)]
    assert document["casos"][0]["obtido"]["turnos"][1]["plano"][0]["action"] == "book_appointment"
    assert document["casos"][0]["obtido"]["estado"]["clinic_c"][0]["time"] == "10:00"
    assert document["metricas"]["geral"]["plan_accuracy"]["certos"] == 4
    table = relatorio.markdown(cases, run, "embutido", "x.svg")
    assert "| Planos iguais ao esperado | 80,0 % (37,6 a 96,4; 4/5) |" in table
    assert "- c.1" in table
    chart = ET.fromstring(grafico.svg(run.resultado))  # noqa: S314  # our own text
    texts = [element.text for element in chart.iter("{http://www.w3.org/2000/svg}text")]
    assert "80,0 % (4/5)" in texts


def test_the_clock_is_where_the_folder_says_or_before_its_first_slot(tmp_path: Path) -> None:
    assert stated_clock(tmp_path) is None
    (tmp_path / "clinic_a.db.json").write_text('{"slots": [{"date": "2030-05-09"}, {"date": "2030-05-07"}]}')
    found = stated_clock(tmp_path)
    assert found is not None
    assert found.isoformat() == "2030-05-06T08:00:00-03:00"
    (tmp_path / "README.md").write_text("The clock stands (`CRIVO_AGORA=2025-07-16T08:00:00-03:00`).")
    assert stated_clock(tmp_path) == MORNING
