"""Answers recorded elsewhere become a recording, and each of them is either replayed or told of."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from evals.metade_gravada import GRAVADO, as_pasta, replay, replayed_rows

ITENS = json.loads(GRAVADO.read_bytes()) if GRAVADO.exists() else []
pytestmark = pytest.mark.skipif(not ITENS, reason="the recorded answers are not beside this checkout")


def test_every_question_that_was_kept_as_it_was_put_is_replayed_or_told_that_nobody_asks_it(tmp_path: Path) -> None:
    pasta = as_pasta(ITENS, tmp_path / "g")
    agentes, unknown = replay(ITENS)
    assert len(pasta.gravadas) == len({(item["agente"], item["dados"]) for item in ITENS if isinstance(item["dados"], str)})
    assert sum(agente.perguntas for agente in agentes) + sum(unknown.nao_perguntadas.values()) == len(pasta.gravadas)
    assert not unknown.alteradas


def test_the_rows_say_how_many_of_the_recorded_questions_are_asked_no_more() -> None:
    assert all("gravadas ninguém mais faz" in linha.nota and linha.meta is None for linha in replayed_rows())
