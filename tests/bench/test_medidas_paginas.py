"""The pages that are timed are those of the sample call: drawn and boxed, the first time and again, and worked through on the mesa."""

from __future__ import annotations

from pathlib import Path

import pytest
from bench import mesa, paginas
from bench.instalacao import install


@pytest.mark.slow
def test_every_document_of_the_sample_and_every_step_of_the_mesa_is_timed(tmp_path: Path) -> None:
    instalacao = install(tmp_path / "dados", ())
    linhas = paginas.run(instalacao, tmp_path / "amostra")
    assert len(linhas) == 4
    cold, cold_late, warm, warm_late = (linha.nosso for linha in linhas)
    assert 0 < warm <= cold <= cold_late
    assert warm_late < cold_late
    steps = mesa.run(instalacao, tmp_path / "mesa", linhas=60, segundos=0.5)
    assert [linha.unidade for linha in steps] == ["ms"] * 6 + ["páginas/s", "ms"]
    assert all(linha.nosso > 0 for linha in steps)
    assert [linha.execucoes for linha in steps[:4:2]] == [39, 40]  # each project but the one that was open, and each decision
