"""A conversation whose planner, responder and second opinion are played by a function, over clinics held in memory."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any

import msgspec

from crivo.clinicas.avaliacao.conjunto import Marcada
from crivo.clinicas.avaliacao.ensaio import ClinicasEmMemoria, read_data
from crivo.clinicas.avaliacao.execucao import stated_clock
from crivo.clinicas.avaliacao.padrao import DADOS
from crivo.clinicas.codigos import code_from
from crivo.clinicas.ferramentas import Action
from crivo.clinicas.orquestrador.chama.router import Router
from crivo.clinicas.orquestrador.chama.transport import Answer, Caller
from crivo.clinicas.orquestrador.contracts import Dialogue, Paciente, Papel, Step
from crivo.clinicas.orquestrador.conversa.agentes import agents_of
from crivo.clinicas.orquestrador.conversa.turno import Pipeline
from crivo.clinicas.orquestrador.decide.embutido import EmbeddedPlanner
from crivo.clinicas.orquestrador.escreve.embutido import EmbeddedResponder
from crivo.clinicas.orquestrador.linha import Linha, Prazos
from crivo.clinicas.orquestrador.provas import Chaveiro
from crivo.clinicas.orquestrador.quem_pede import who_asks
from crivo.clinicas.orquestrador.trace import Event, Trace
from crivo.kernel.linguagem.identificadores import digits_of
from crivo.kernel.llm.port import Dado, Falha, Modelo, Question
from crivo.kernel.settings import Planejador
from crivo.kernel.sujeitos import CONSOLE
from modelo_falso import ModeloFalso
from sujeitos import as_program

CARLA = Paciente("Carla Nogueira Pires", "529.982.247-25")
DONO = as_program("local", "chave:a")
Said = dict[str, Any] | Falha
Answers = Callable[[Question[Any]], Said]


class InMemory:
    """Carries calls to clinics in memory; `note` is what a receptionist writes beside each answer."""

    def __init__(self, clinics: ClinicasEmMemoria) -> None:
        self.clinics = clinics
        self.note = ""

    async def call(self, step: Step, action: Action, caller: Caller, seconds: float) -> Answer:
        reply = self.clinics.call(msgspec.structs.replace(step, action=action), caller.paciente)
        if self.note and reply.result is not None:
            reply = msgspec.structs.replace(reply, result={**reply.result, "note": self.note})
        booked = action == "book_appointment" and reply.result is not None
        return Answer(reply, codigo=code_from(str(step).encode(), step.clinic) if booked else "")


@dataclass
class Atendimento:
    """A conversation with the clinics of the default evaluation: what was asked of the model, and what the clinics hold."""

    modelo: ModeloFalso
    dialogue: Dialogue
    pipeline: Pipeline
    transport: InMemory
    linha: Linha
    segunda_opiniao: bool = True
    chaveiro: Chaveiro = field(default_factory=Chaveiro)

    async def say(self, texto: str, planejador: Planejador = "modelo") -> Trace:
        """A turn by the planner of that name."""
        agents = agents_of(planejador, self.linha, segunda_opiniao=self.segunda_opiniao)
        self.events: list[Event] = []
        self.dialogue, trace = await self.pipeline.turn(texto, self.dialogue, self.events.append, agents, self.chaveiro)
        return trace

    def held(self) -> set[tuple[str, str, str, str]]:
        """What is booked: clinic, doctor, date and time."""
        found: dict[str, tuple[Marcada, ...]] = self.transport.clinics.held()
        return {(clinic, one.doctor, one.date, one.time) for clinic, slots in found.items() for one in slots}

    def asked(self, agente: str) -> list[Question[Any]]:
        """What one agent was asked."""
        return [question for question in self.modelo.perguntas if question.agente.removeprefix("clinicas.").startswith(agente)]


def attending(
    planner: Answers | Said | None = None,
    responder: Answers | Said | None = None,
    verifier: Answers | Said | None = None,
    *,
    paciente: Paciente | None = CARLA,
    papel: Papel = "paciente",
    prazos: Prazos | None = None,
    modelo: Modelo | None = None,
) -> Atendimento:
    """A conversation that begins; each agent answers as given, and else as a good one would: nothing to plan, right words, all safe."""
    given: Mapping[str, Answers | Said | None] = {"planner": planner, "responder": responder, "verifier": verifier}

    def answer(question: Question[Any]) -> Said:
        agente = question.agente.removeprefix("clinicas.").removesuffix("_raciocinio")
        said = given[agente]
        if said is None:
            return GOOD[agente](question)
        return said(question) if callable(said) else said

    falso = ModeloFalso(answer)
    now = stated_clock(DADOS)
    assert now is not None
    data = read_data(DADOS)
    clinics = data.open(now)
    transport = InMemory(clinics)
    pipeline = Pipeline(EmbeddedPlanner(), Router(transport, data.registro), EmbeddedResponder(), lambda: 0.0)
    quem = who_asks("local", papel, CONSOLE, digits_of(paciente.cpf) if paciente is not None else "")
    dialogue = Dialogue(now, data.registro, papel, clinics.directory(), paciente=paciente, quem=quem, ramos=clinics.filed())
    linha = Linha(modelo or falso, DONO, "conversa:abc", prazos or Prazos(), "nonce")
    return Atendimento(falso, dialogue, pipeline, transport, linha)


def step(clinic: str, action: str, **parameters: str) -> dict[str, Any]:
    """A step as a model writes it."""
    return {"step_id": 1, "clinic": clinic, "action": action, "parameters": parameters}


def planning(*steps: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """A plan as a model writes it, its steps numbered on."""
    return {"steps": [{**one, "step_id": index} for index, one in enumerate(steps, 1)], **fields}


def in_turn(*answers: Said) -> Answers:
    """One answer after the other; the last one again and again."""
    left = list(answers)
    return lambda _: left.pop(0) if len(left) > 1 else left[0]


def shown(question: Question[Any]) -> str:
    """All that a question shows to a model."""
    parts = [part.texto if isinstance(part, Dado) else part for part in question.partes]
    return "\n".join([question.prompt.texto, *parts])


def reception(question: Question[Any]) -> dict[str, Any]:
    """What a good responder writes: every slot under its number, and what was done."""
    (dado,) = question.partes
    assert isinstance(dado, Dado)
    return reception_of(json.loads(dado.texto))


def reception_of(data: Mapping[str, Any]) -> dict[str, Any]:
    """The same, from the data alone."""
    lines = ["Temos estes horários:"] if data["horarios"] else []
    for one in data["horarios"]:
        mark = " (o mais cedo)" if one["numero"] == 1 else ""
        lines.append(f"{one['numero']}) {_when(one)}, com {one['doctor']}, na {one['clinica']}{mark}")
    for reply in data["clinic_data"]:
        result = reply["result"] or {}
        if result.get("status") == "confirmed":
            held = result["appointment"]
            lines.append(f"Prontinho! A consulta está marcada para {_when(held)}, com {held['doctor']}, na {reply['clinica']}.")
        if result.get("status") == "rescheduled":
            held = result["new_appointment"]
            lines.append(f"Prontinho! A consulta foi remarcada para {_when(held)}, com {held['doctor']}, na {reply['clinica']}.")
        if result.get("status") == "cancelled":
            held = result["cancelled_appointment"]
            lines.append(f"Prontinho! Foi cancelada a consulta de {_when(held)}, com {held['doctor']}, na {reply['clinica']}.")
    return {"texto": "\n".join(lines)}


def _when(slot: dict[str, str]) -> str:
    return f"{date.fromisoformat(slot['date']):%d/%m} às {slot['time']}"


GOOD: Mapping[str, Answers] = {
    "planner": lambda _: {},
    "responder": reception,
    "verifier": lambda _: {"safe": True},
}
