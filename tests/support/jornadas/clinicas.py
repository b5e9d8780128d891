"""Journeys of clinics: one asks for a slot and takes it, planned by either planner of a model, worded and judged by it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from cenario import MORNING
from crivo.clinicas.ferramentas import Action, AvailableSlots, Booked
from crivo.clinicas.orquestrador.chama.router import Router
from crivo.clinicas.orquestrador.chama.transport import Answer, Caller
from crivo.clinicas.orquestrador.contracts import ClinicReply, Dialogue, Step
from crivo.clinicas.orquestrador.conversa.agentes import EMBEDDED, agents_of
from crivo.clinicas.orquestrador.conversa.turno import Pipeline
from crivo.clinicas.orquestrador.linha import Linha
from crivo.clinicas.orquestrador.trace import Trace, nobody
from crivo.clinicas.protocol import Appointment, Slot, ToolError
from crivo.clinicas.registro import REGISTRO_PADRAO
from crivo.kernel.settings import Planejador
from federacao import ANA
from jornadas.jornada import Chegada, Jornada, Mundo, marked
from provedor import Pedido

FERNANDO = Slot("Dr. Fernando Mendes", "Cardiologia", "2025-07-18", "10:00")
PERGUNTA, ESCOLHA = "Quero um cardiologista, que horários há?", "Pode ser o primeiro"
_LISTED = "1) sexta-feira, 18/07, às 10:00, com o Dr. Fernando Mendes, na Clínica C."
_BOOKED = "Pronto, a consulta está marcada: sexta-feira, 18/07, às 10:00, com o Dr. Fernando Mendes, na Clínica C."
_BOOKING = {"doctor": FERNANDO.doctor, "date": FERNANDO.date, "time": FERNANDO.time}


class Agenda:
    """Two clinics of cardiology, one of which has a slot free until it is booked."""

    def __init__(self) -> None:
        self.booked: list[tuple[str, dict[str, str], str]] = []

    async def call(self, step: Step, action: Action, caller: Caller, seconds: float) -> Answer:
        """As the transport of a conversation."""
        return Answer(self._reply(step, action, caller))

    def _reply(self, step: Step, action: Action, caller: Caller) -> ClinicReply:
        if action == "list_available_slots":
            free = (FERNANDO,) if step.clinic == "clinic_c" and not self.booked else ()
            return ClinicReply(step.clinic, action, msgspec.to_builtins(AvailableSlots("Cardiology", free, "")))
        if action == "book_appointment" and caller.paciente is not None and not self.booked and step.clinic == "clinic_c":
            self.booked.append((step.clinic, {name: step.parameters[name] for name in _BOOKING}, caller.paciente.cpf))
            made = Appointment(FERNANDO.doctor, FERNANDO.date, FERNANDO.time, caller.paciente.nome, caller.paciente.cpf, "Cardiology")
            return ClinicReply(step.clinic, action, msgspec.to_builtins(Booked(made, "")))
        return ClinicReply(step.clinic, action, error=ToolError("Isso não existe nesta agenda.", codigo="data_invalida"))


def _jornada(planejador: Planejador) -> Jornada:
    async def go(mundo: Mundo) -> Chegada:
        agenda = Agenda()
        pipeline = Pipeline(EMBEDDED.planner, Router(agenda, REGISTRO_PADRAO), EMBEDDED.responder, lambda: 0.0)
        agents = agents_of(planejador, Linha(mundo.modelo, mundo.scope, "conversa:1"))
        dialogue = Dialogue(MORNING, REGISTRO_PADRAO, paciente=ANA, doctors={FERNANDO.doctor: ("clinic_c",)})
        traces: list[Trace] = []
        for said in (PERGUNTA, ESCOLHA):
            dialogue, trace = await pipeline.turn(said, dialogue, nobody, agents)
            traces.append(trace)
        erros = marked(*(trace.texto for trace in traces))
        if agenda.booked != [("clinic_c", _BOOKING, ANA.cpf)]:
            erros.append(f"the agenda holds {agenda.booked}")
        erros += [
            f"said without {word}: {trace.texto}" for trace in traces for word in ("10:00", "Fernando Mendes") if word not in trace.texto
        ]
        whose = [(trace.planejador, trace.autor) for trace in traces]
        return Chegada(all(part in {planejador, "modelo"} for both in whose for part in both), tuple(erros))

    return Jornada(f"clinicas.{planejador}", _said, go)


def _said(asked: Pedido) -> Mapping[str, Any]:
    wanted = set((asked.esquema or {}).get("properties", {}))
    if "safe" in wanted:
        return {"safe": True, "regras": []}
    if "texto" in wanted:
        return {"texto": _BOOKED if "book_appointment" in asked.texto else f"Encontrei este horário:\n{_LISTED}"}
    invented = "horarios_inventados--" in asked.modelo
    steps: list[dict[str, Any]]
    if ESCOLHA in asked.texto:
        slot = {"doctor": "Dra. Inexistente da Silva", "date": "2031-12-31", "time": "03:17"} if invented else _BOOKING
        steps = [{"step_id": 1, "clinic": "clinic_c", "action": "book_appointment", "parameters": slot, "depends_on": []}]
    else:
        clinics = ("clinic_c", "clinic-99") if invented else ("clinic_c", "clinic_a")
        listing = {"action": "list_available_slots", "parameters": {}, "depends_on": []}
        steps = [{**listing, "step_id": number, "clinic": clinic} for number, clinic in enumerate(clinics, 1)]
    empty = dict.fromkeys(("patient_id", "query", "original_date", "original_time", "new_date", "new_time", "doctor", "date", "time"))
    filled = [{**step, "parameters": {**empty, **step["parameters"]}} for step in steps]
    plan = {"steps": filled, "pergunta": None, "fala": None, "recusa": None, "idioma": "pt"}
    return {"raciocinio": ["A pessoa quer um horário de cardiologia."], **plan} if "raciocinio" in wanted else plan


DE_CLINICAS = (_jornada("modelo"), _jornada("modelo_raciocinio"))
