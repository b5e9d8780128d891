"""The pages that are timed are those of the sample call, drawn and boxed, the first time and again."""

from __future__ import annotations

from pathlib import Path

import pytest
from bench import paginas
from bench.instalacao import install


@pytest.mark.slow
def test_every_document_of_the_sample_is_timed_twice(tmp_path: Path) -> None:
    linhas = paginas.run(install(tmp_path / "dados", ()), tmp_path / "amostra")
    assert len(linhas) == 4
    cold, cold_late, warm, warm_late = (linha.nosso for linha in linhas)
    assert 0 < warm <= cold <= cold_late
    assert warm_late < cold_late
