"""`crivo triagem sortear-avaliadores`: the same draw comes out of the same edital, word for word; nothing is given by it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.cli.conftest import Terminal

EDITAL: dict[str, Any] = {
    "edital": {"id": "ED-S", "nome": "Edital de sorteio", "classificacao": {"minimo_avaliadores": 2, "semente": "S-1"}},
    "criterios": [{"id": "C1", "nome": "Mérito"}],
    "projetos": [
        {"id": f"P{at}", "titulo": f"Projeto {at}", "categoria": ("Música", "Dança")[at % 2], "proponente": {"nome": "Alguém"}}
        for at in range(6)
    ],
    "avaliadores": [
        {"nome": "Ana Lima", "email": "ana@jurado.example"},
        {"nome": "Rui Leal", "email": "rui@jurado.example", "categorias": ["música"]},
        {"nome": "Bia Nery", "email": "bia@jurado.example"},
    ],
}


def imported(terminal: Terminal, tmp_path: Path) -> None:
    place = tmp_path / "edital.json"
    place.write_text(json.dumps(EDITAL), encoding="utf-8")
    assert terminal.run("triagem", "importar", place).exit_code == 0


def test_a_draw_is_shown_the_same_each_time_and_gives_nothing(terminal: Terminal, tmp_path: Path) -> None:
    imported(terminal, tmp_path)
    command = ("triagem", "sortear-avaliadores", "ED-S")
    first, second = (terminal.run(*command, "--json").stdout for _ in range(2))
    assert first == second
    previa = json.loads(first)
    assert (previa["semente"], previa["por_projeto"], len(previa["entram"]), previa["faltas"]) == ("S-1", 2, 6, [])
    rui = next(one for one in previa["pessoas"] if one["nome"] == "Rui Leal")
    assert rui["categorias"] == ["música"]
    assert {one["projeto_id"] for one in previa["entram"] if rui["id"] in one["avaliadores"]} <= {"P0", "P2", "P4"}
    other = json.loads(terminal.run(*command, "--semente", "S-2", "--json").stdout)
    assert (other["semente"], other["entrada_resumo"] != previa["entrada_resumo"]) == ("S-2", True)
    shown = terminal.run(*command, "--maximo", "2")
    assert "Rui Leal" in shown.stdout
    assert "faltam" in shown.stdout or "falta 1 pessoa" in shown.stdout
    assert "Nada foi dado" in shown.stderr
    told = json.loads(terminal.run("triagem", "avaliadores", "ED-S", "--json").stdout)
    assert [one["projetos"] for one in told["avaliadores"]] == [0, 0, 0]


def test_without_a_draw_there_is_nothing_to_check_and_a_wrong_number_is_told(terminal: Terminal, tmp_path: Path) -> None:
    imported(terminal, tmp_path)
    refused = terminal.run("triagem", "sortear-avaliadores", "ED-S", "--conferir")
    assert (refused.exit_code, "nenhum foi feito ainda" in refused.stderr) == (1, True)
    wrong = terminal.run("triagem", "sortear-avaliadores", "ED-S", "--por-projeto", "99")
    assert (wrong.exit_code, "de 1 a 50 pessoas" in wrong.stderr) == (1, True)
    assert terminal.run("triagem", "sortear-avaliadores", "ED-0").exit_code == 1
