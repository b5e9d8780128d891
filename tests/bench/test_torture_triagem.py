"""Workers killed in the middle of screenings, in numbers small enough for a test."""

from __future__ import annotations

from pathlib import Path

import pytest
from bench.torture.triagem import Quedas, kill_workers


@pytest.mark.slow
def test_workers_killed_in_the_middle_change_nothing_of_what_is_found(tmp_path: Path) -> None:
    contas = kill_workers(tmp_path / "triagem", quedas=2, semente=5)
    assert contas.whole
    assert (contas.quedas, contas.projetos) == (2, 40 * contas.triagens)
    assert contas.chamadas >= 41 * (contas.triagens + 1)  # one a project and one to close, in the peaceful screening too


def test_a_screening_that_lost_or_paid_twice_is_not_whole() -> None:
    assert Quedas(quedas=1, triagens=1).whole
    assert not Quedas().whole
    for fault in ("perdidos", "diferentes", "pagas_em_dobro", "trabalhos_presos", "sem_fim", "quebras_na_cadeia"):
        assert not Quedas(**{"quedas": 1, "triagens": 1, fault: 1}).whole
