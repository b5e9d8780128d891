"""What each agent is asked with: its own prompt, its temperature, and the shape that the responder words."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import timedelta
from typing import Any

import msgspec
import pytest

from atendimento_por_modelo import Atendimento, attending, in_turn, planning, step
from crivo.clinicas.orquestrador.contracts import Booking
from crivo.kernel.agents.prompts import load_prompt
from crivo.kernel.llm.marcacao import render
from crivo.kernel.llm.port import Dado, Question
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


def _text(question: Question[Any]) -> str:
    """A question as a service reads it."""
    return f"{question.prompt.texto}\n{render(question.partes, question.nonce)}"


def _in_common(first: str, second: str) -> int:
    """Letters that two texts begin with alike."""
    return next((at for at, (one, other) in enumerate(zip(first, second, strict=False)) if one != other), min(len(first), len(second)))


async def _asked_in(visit: Atendimento, *said: str) -> list[str]:
    for one in said:
        await visit.say(one)
    return [_text(question) for question in visit.asked("planner")]


async def test_what_does_not_change_comes_first_so_that_a_service_can_keep_it() -> None:
    """Two turns share all but what is of the turn; two conversations prompt, registry and catalogue. Services bill a kept beginning less."""
    first, second = await _asked_in(attending(BOTH), WANTS, "tem de tarde?")
    later = msgspec.structs.replace((other := attending(BOTH)).dialogue, now=other.dialogue.now + timedelta(hours=3))
    other.dialogue, other.linha = later, replace(other.linha, nonce="outro")
    (elsewhere,) = await _asked_in(other, "quero um dermatologista")
    assert first[: _in_common(first, second)].endswith('"mensagens_anteriores":[')
    assert _in_common(first, second) > 0.95 * len(first)
    assert first[: _in_common(first, elsewhere)].rstrip().endswith("<dado")
    assert _in_common(first, elsewhere) > 0.8 * len(first)


async def test_the_planner_is_shown_what_each_doctor_practises_and_what_was_said_back_last() -> None:
    """What `o da coluna` and `a primeira` answer to: as data, masked, and no longer than needed."""
    visit = attending(in_turn(planning(step("clinic_c", "list_available_slots")), {"pergunta": "medico"}))
    await visit.say("sou a Carla, quero o Dr. Heitor")
    visit.dialogue = msgspec.structs.replace(visit.dialogue, ultima_fala=f"Pronto, Carla Nogueira. {'Veja. ' * 400}Com qual deles?")
    await visit.say("o da coluna")
    first, last = visit.asked("planner")
    given = {part.rotulo: part.texto for part in last.partes if isinstance(part, Dado)}
    assert json.loads(given["quem trabalha onde"])["Dr. Bruno Vasques"] == {"clinics": ["clinic_e"], "specialties": ["Coluna"]}
    told = given["últimas palavras da recepção"]
    assert told.startswith("Pronto, [nome]")
    assert told.endswith("Com qual deles?")
    assert len(told) < 620
    assert "Dado(rotulo='últimas palavras da recepção')" in str(first.partes)


async def test_an_appointment_for_somebody_else_is_shown_by_how_they_are_called() -> None:
    visit = attending({"fala": "minhas_consultas"})
    held = Booking("clinic_c", "Dra. Yasmin Cordeiro", "2028-09-18", "09:00", "Cardiologia Pediátrica", "Davi Pires", "seu filho")
    visit.dialogue = msgspec.structs.replace(visit.dialogue, bookings=(held,))
    await visit.say("e a do menino, tá de pé?")
    asked = str([part.texto for part in visit.asked("planner")[0].partes if isinstance(part, Dado)])
    assert '"de":"seu filho"' in asked
    assert '"specialty":"Cardiologia Pediátrica"' in asked
    assert "Davi" not in asked
