"""Grading over a provider that counts: timed, and killed in its middle, in numbers small enough for a test."""

from __future__ import annotations

from pathlib import Path

import pytest
from bench import notas
from bench.torture.notas import Chamadas, kill_graders


@pytest.mark.slow
def test_a_grading_is_timed_beside_the_ideal_and_a_second_one_asks_nothing(tmp_path: Path) -> None:
    """Source: quality, Speed ("a triagem with a simulated model"), over fewer projects."""
    tempo, processador = notas.run(tmp_path, projetos=2, segundos=0.05)
    assert tempo.par == 0.016
    assert (tempo.meta, processador.execucoes) == ("≤ 1,15×", 8)
    assert processador.nosso > 0


@pytest.mark.slow
def test_a_worker_killed_in_the_middle_of_its_calls_pays_for_none_that_had_come(tmp_path: Path) -> None:
    """Source: issue, Shown by ("ledger: kill -9 in the middle of a run")."""
    contas = kill_graders(tmp_path / "notas", quedas=1, projetos=8)
    assert contas.whole
    assert (contas.quedas, contas.distintas) == (1, 32)
    assert 32 <= contas.pagas <= 32 + contas.em_curso


def test_a_grading_that_lost_or_paid_twice_is_not_whole() -> None:
    assert Chamadas(quedas=1, distintas=1).whole
    assert not Chamadas().whole
    for fault in ("pagas_em_dobro", "notas_perdidas", "sem_fim"):
        assert not Chamadas(**{"quedas": 1, "distintas": 1, fault: 1}).whole
