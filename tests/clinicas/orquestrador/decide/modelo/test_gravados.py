"""A patient's conversation planned by what a real model answered to the same words, over clinics in memory."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from atendimento_por_modelo import attending, in_turn

GRAVADO = Path(__file__).parents[6] / "shared/data/evals/modelo/planner.json"
Held = tuple[str, str, str, str]
GUSTAVO, NOEMI = ("clinic_a", "Dr. Gustavo Peixoto", "2028-09-13", "14:00"), ("clinic_f", "Dra. Noemi Sampaio", "2028-09-13", "15:00")


@pytest.fixture(scope="module")
def gravado() -> list[dict[str, Any]]:
    if not GRAVADO.exists():
        pytest.skip("needs the recorded plans in ../shared/data/evals/modelo")
    found: list[dict[str, Any]] = json.loads(GRAVADO.read_bytes())
    return found


async def test_six_turns_of_a_patient_end_with_what_the_patient_asked_for(gravado: list[dict[str, Any]]) -> None:
    turns: tuple[tuple[str, set[Held], str], ...] = (
        ("preciso de um cardio e um dermato na mesma semana, o que tem?", set(), "Dermatologia"),
        ("o gustavo amanhã e a noemi amanhã também", {GUSTAVO, NOEMI}, "marcada"),
        ("quais são as minhas consultas mesmo?", {GUSTAVO, NOEMI}, "Dra. Noemi Sampaio"),
        ("o cancelamento é de graça?", {GUSTAVO, NOEMI}, "Sobre prazo ou taxa eu não tenho informação"),
        ("cancela a da pele", {GUSTAVO, NOEMI}, "Cancelo?"),
        ("sim", {GUSTAVO}, "cancelada"),
    )
    by_words = {said: one["resposta"] for said, _, _ in turns for one in gravado if f"agora>\n{said}\n" in str(one["dados"])}
    visit = attending(in_turn(*(by_words[said] for said, _, _ in turns if said in by_words)))
    for said, held, told in turns:
        trace = await visit.say(said)
        assert visit.held() == held, said
        assert told in trace.texto
        assert "plano_recusado" not in {failed.falha for failed in trace.falhas}
    assert "[nome]" not in trace.texto
