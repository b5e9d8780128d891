"""`crivo autorizacoes avaliar-redacao`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.cli.conftest import Terminal

ROTULADOS = Path(__file__).parents[1] / "autorizacoes/redacao/desenvolvimento.json"


def test_the_figures_come_as_json_with_every_case(terminal: Terminal) -> None:
    """Interfaces, Commands: an evaluation prints `{"metricas": {...}, "casos": [{"id", "obtido", ...}]}`."""
    result = terminal.run("autorizacoes", "avaliar-redacao", "--conjunto", ROTULADOS, "--json")
    assert result.exit_code == 0
    document = json.loads(result.stdout)
    labelled = json.loads(ROTULADOS.read_bytes())
    assert [caso["id"] for caso in document["casos"]] == [caso["id"] for caso in labelled]
    assert all({"ok", "falha"} <= caso["obtido"].keys() for caso in document["casos"])
    assert document["metricas"]["casos"] == len(labelled)
    assert set(document["metricas"]["por_falha"]) == {"numero", "codigo", "data", "documento", "resultado", "jargao", "sem_fonte"}


def test_people_read_a_table(terminal: Terminal) -> None:
    result = terminal.run("autorizacoes", "avaliar-redacao", "--conjunto", ROTULADOS)
    assert result.exit_code == 0
    assert "Alarmes falsos" in result.stdout
    assert "sem_fonte: nega sem motivo ou sem fonte" in result.stdout
    assert f"{len(json.loads(ROTULADOS.read_bytes()))} casos. Errados: " in result.stdout


def test_a_reference_to_another_case_is_refused_with_the_case_at_fault(terminal: Terminal) -> None:
    first = json.loads(ROTULADOS.read_bytes())[0]
    path = terminal.file("casos.json", json.dumps([first, {**first, "id": "ex-2", "decisao": "a mesma de ex-1"}]))
    result = terminal.run("autorizacoes", "avaliar-redacao", "--conjunto", path)
    assert result.exit_code == 1
    assert "ex-2" in result.stderr
    assert "documento inteiro da decisão" in result.stderr


def test_a_set_that_is_not_there_is_told(terminal: Terminal) -> None:
    result = terminal.run("autorizacoes", "avaliar-redacao", "--conjunto", "nenhum.json")
    assert result.exit_code == 1
    assert "nenhum.json não existe" in result.stderr
