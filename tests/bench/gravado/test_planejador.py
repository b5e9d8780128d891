"""Plans that a real model proposed, against what is done of them today."""

from __future__ import annotations

import json
from typing import Any

import pytest
from evals.gravado.planejador import ACEITOS, GRAVADO, pontuar, rows


@pytest.fixture(scope="module")
def gravado() -> list[dict[str, Any]]:
    if not GRAVADO.exists():
        pytest.skip("needs the recorded plans in ../shared/data/evals/modelo")
    found: list[dict[str, Any]] = json.loads(GRAVADO.read_bytes())
    return found


def test_nearly_every_recorded_plan_stands_and_no_honest_one_is_turned_into_a_change(gravado: list[dict[str, Any]]) -> None:
    """Design, Planner."""
    counted = pontuar(gravado)
    assert (counted.lidos, counted.ilegiveis) == (79, 1)
    assert ACEITOS.is_met(counted.aceitos / (counted.aceitos + counted.recusados)), counted.recusas
    assert counted.atos_a_mais == 0
    assert counted.ditos == counted.recusados  # what is told to the model is what costs it its plan, and nothing else
    assert [linha.alcancada for linha in rows()] == [True, True]


def test_a_plan_of_a_doctor_and_a_slot_that_nobody_named_is_refused_and_told(gravado: list[dict[str, Any]]) -> None:
    parameters = {"doctor": "Dr. Heitor Guimarães", "date": "2028-09-15", "time": "03:00"}
    wrong = {"steps": [{"step_id": 1, "clinic": "clinic_c", "action": "book_appointment", "parameters": parameters}]}
    asked = next(one for one in gravado if "a médica, aquela das 11h" in str(one["dados"]))
    counted = pontuar([{**asked, "resposta": wrong}])
    assert (counted.recusados, counted.ditos, counted.por_achado) == (1, 1, {"escrita_sem_base": 1})
    assert "book_appointment" in counted.recusas[0].dito
