"""What each agent is asked with: its own prompt, its temperature, and the shape that the responder words."""

from __future__ import annotations

import json

import pytest

from atendimento_por_modelo import attending, planning, step
from crivo.kernel.agents.prompts import load_prompt
from crivo.kernel.llm.port import Dado
from crivo.kernel.settings import Planejador

BOTH = planning(step("clinic_a", "list_available_slots"), step("clinic_c", "list_available_slots"))
WANTS = "quero um cardiologista"


@pytest.mark.parametrize(
    ("planejador", "prompt"), [("modelo", "planner.md"), ("modelo_raciocinio", "planner_raciocinio.md")], ids=lambda one: str(one)
)
async def test_each_agent_has_its_own_prompt_and_temperature(planejador: Planejador, prompt: str) -> None:
    """Blueprint 2.3.1, Blueprint 2.3.1/5, Blueprint 2.3.2, Blueprint 2.3.3: prompts in files; planner and verifier at 0."""
    visit = attending({**BOTH, "raciocinio": ["Cardiologia é atendida em duas clínicas."]})
    await visit.say(WANTS, planejador)
    asked = {question.agente: (question.prompt, question.temperatura) for question in visit.modelo.perguntas}
    assert asked == {
        f"clinicas.{prompt.removesuffix('.md')}": (load_prompt("crivo.clinicas", prompt), 0.0),
        "clinicas.verifier": (load_prompt("crivo.clinicas", "verifier.md"), 0.0),
        "clinicas.responder": (load_prompt("crivo.clinicas", "responder.md"), 0.3),
    }


async def test_the_responder_is_given_what_was_asked_and_each_clinics_answer() -> None:
    """Blueprint 2.3.3/1: `user_query`, and `clinic_data` with `clinic`, `action`, `result` and `error`."""
    visit = attending(BOTH)
    await visit.say(WANTS)
    (question,) = visit.asked("responder")
    (dado,) = question.partes
    assert isinstance(dado, Dado)
    given = json.loads(dado.texto)
    assert given["user_query"] == WANTS
    assert [(one["clinic"], one["action"], one["error"]) for one in given["clinic_data"]] == [
        ("clinic_a", "list_available_slots", None),
        ("clinic_c", "list_available_slots", None),
    ]
    assert all({"doctor", "date", "time"} <= slot.keys() for one in given["clinic_data"] for slot in one["result"]["available_slots"])
