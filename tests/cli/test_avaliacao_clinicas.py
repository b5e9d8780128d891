"""`crivo clinicas avaliar` with the set that comes with the product, and what it refuses."""

from __future__ import annotations

import json
import os
from contextlib import chdir
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from crivo.cli.main import app


def avaliar(folder: Path, *words: str) -> Result:
    inherited = dict.fromkeys(name for name in os.environ if name.startswith("CRIVO_"))
    # The clock of the installation is no matter to a set that has its own.
    environment = inherited | {"CRIVO_DATA_DIR": str(folder), "CRIVO_AGORA": "2031-01-01T08:00:00-03:00"}
    with chdir(folder):
        return CliRunner(env=environment).invoke(app, ["clinicas", "avaliar", *words], catch_exceptions=False)


def test_without_a_set_the_one_of_the_product_is_run_by_its_own_clock(tmp_path: Path) -> None:
    """Blueprint 5.6/5: figures in a table, with 95 % intervals."""
    done = avaliar(tmp_path, "--json", "--saida", "saida")
    assert done.exit_code == 0, done.stderr
    figures = json.loads(done.stdout)["metricas"]
    assert figures["casos"] >= 120
    assert figures["agora"].startswith("2028-09-12T08:00")
    assert figures["geral"]["plan_accuracy"]["valor"] >= 0.95
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
