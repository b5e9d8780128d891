"""`crivo clinicas avaliar` with the set that comes with the product, and what it refuses."""

from __future__ import annotations

import json
import os
from contextlib import chdir
from datetime import datetime
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from crivo.cli.main import app
from crivo.clinicas.avaliacao.conjunto import read_case_file
from crivo.clinicas.avaliacao.execucao import stated_clock
from crivo.clinicas.avaliacao.padrao import CONJUNTO, DADOS
from crivo.kernel.clock import BRASILIA


def avaliar(folder: Path, *words: str) -> Result:
    inherited = dict.fromkeys(name for name in os.environ if name.startswith("CRIVO_"))
    # The clock of the installation is no matter to a set that has its own.
    environment = inherited | {"CRIVO_DATA_DIR": str(folder), "CRIVO_AGORA": "2031-01-01T08:00:00-03:00"}
    with chdir(folder):
        return CliRunner(env=environment).invoke(app, ["clinicas", "avaliar", *words], catch_exceptions=False)


def test_without_a_set_the_one_of_the_product_comes_out_right_on_six_processes_by_its_own_clock(tmp_path: Path) -> None:
    """Every query through the whole pipeline, and figures in a table, with 95 % intervals.

    Blueprint 5.6/3, Blueprint 5.6/4, Blueprint 5.6/5, Blueprint 6/5.7, Blueprint 6/5.8.
    """
    done = avaliar(tmp_path, "--json", "--saida", "saida")
    assert done.exit_code == 0, done.stderr
    figures = json.loads(done.stdout)["metricas"]
    assert figures["casos"] >= 120
    assert datetime.fromisoformat(figures["agora"]) == stated_clock(DADOS) == datetime(2028, 9, 12, 8, tzinfo=BRASILIA)
    assert sum(figures["turnos_planejados_por"].values()) > figures["casos"]
    assert figures["geral"]["plan_accuracy"]["valor"] >= 0.95
    assert figures["geral"]["estado"]["valor"] >= 0.95
    operators = {case.id for case in read_case_file(CONJUNTO) if case.papel == "operador"}
    assert len(operators) >= 5
    assert not [error for error in figures["erros"] if error.split(".")[0] in operators]
    assert [figures["geral"][name]["valor"] for name in ("mcra", "tca", "hr", "pvr")] == [1, 1, 0, 0]
    assert f"{figures['casos']} de {figures['casos']} casos" in done.stderr
    written = {path.suffix: path for path in (tmp_path / "saida").iterdir()}
    assert set(written) == {".json", ".md", ".svg"}
    assert "| TSR, tarefas com sucesso |" in written[".md"].read_text("utf-8")


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (("--planejador", "modelo"), 1, "CRIVO_MODELO"),
        (("--dados", "."), 2, "--conjunto"),
    ],
)
def test_what_cannot_be_evaluated_is_told_with_what_to_do(tmp_path: Path, words: tuple[str, ...], code: int, told: str) -> None:
    done = avaliar(tmp_path, *words)
    assert done.exit_code == code
    assert told in done.stderr
    assert "Traceback" not in done.stderr
