"""Judges that a capable model played, honest, lazy and persuaded, through the grading as it is now."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import pytest
from evals.gravado.triagem import GRAVADO, METAS, NA_METADE, UMA_LEITURA, gravadas, julgar, pontuar


@pytest.fixture(scope="module")
def gravado() -> list[dict[str, Any]]:
    if not GRAVADO.exists():
        pytest.skip("needs the recorded judges in ../shared/data/evals/modelo")
    found: list[dict[str, Any]] = json.loads(GRAVADO.read_bytes())
    return found


def test_an_honest_judge_loses_nothing_and_a_lazy_one_never_looks_like_it(gravado: list[dict[str, Any]]) -> None:
    """Avaliação: "Confiança is computed"; what is told of a judge is what can be counted."""
    counted = pontuar(gravado)
    assert {juiz: placar.pedidas for juiz, placar in counted.items()} == {"juiz honesto": 24, "juiz preguiçoso": 16, "juiz persuadido": 24}
    assert all(meta.is_met(counted[juiz].inteiras / counted[juiz].pedidas) for juiz, meta in METAS.items())
    assert counted["juiz preguiçoso"].pela_metade == counted["juiz preguiçoso"].mostradas


def test_no_nota_that_a_persuaded_judge_gave_for_an_argument_is_shown(gravado: list[dict[str, Any]]) -> None:
    for one in julgar([caso for caso in gravado if caso["leitura"] == "juiz persuadido" and caso["projeto"]]):
        assert one.nota.nota_sugerida is None or one.nota.nota_sugerida < Decimal("8.5")
        assert one.nota.confianca <= NA_METADE


def test_the_same_honest_judge_is_worth_little_once_it_says_the_same_of_every_criterio(gravado: list[dict[str, Any]]) -> None:
    honest = [caso for caso in gravado if caso["leitura"] == "juiz honesto" and caso["projeto"] == "Noites de Rabeca"]
    lazy = [{**caso, "resposta": honest[0]["resposta"]} for caso in honest]
    assert [one.nota.confianca for one in julgar(honest)] == [UMA_LEITURA] * 4
    assert all(one.nota.confianca < NA_METADE for one in julgar(lazy))


def test_each_recorded_answer_is_of_a_project_and_a_judge(gravado: list[dict[str, Any]]) -> None:
    assert all(one.projeto for one in gravadas(gravado))
