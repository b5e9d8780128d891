"""The sample's six clinics in memory: they list, book, move and cancel, and tell what a CPF holds; each call is answered at once."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import msgspec

from cenario import MORNING
from crivo.clinicas.amostra import seed
from crivo.clinicas.codigos import code_from
from crivo.clinicas.ferramentas import Action
from crivo.clinicas.orquestrador.chama.diretorio import Directory
from crivo.clinicas.orquestrador.chama.router import Router
from crivo.clinicas.orquestrador.chama.transport import Answer, Caller
from crivo.clinicas.orquestrador.contracts import ClinicReply, Paciente, Papel, Step, Vaga
from crivo.clinicas.orquestrador.conversa.agentes import EMBEDDED
from crivo.clinicas.orquestrador.conversa.sessao import Session
from crivo.clinicas.orquestrador.conversa.turno import Pipeline
from crivo.clinicas.orquestrador.quem_pede import who_asks
from crivo.clinicas.protocol import Codigo, Slot, ToolError
from crivo.clinicas.registro import REGISTRO_PADRAO
from crivo.kernel.clock import FixedClock
from crivo.kernel.linguagem.identificadores import digits_of
from crivo.kernel.sujeitos import CONSOLE


class ClinicasDaAmostra:
    """The transport to them; `held` is whose each booked slot is."""

    def __init__(self, now: datetime = MORNING) -> None:
        self.clock = FixedClock(now)
        self.slots: dict[Vaga, Slot] = {
            (clinica.id, one.doctor, one.date, one.time): Slot(one.doctor, one.specialty, one.date, one.time)
            for clinica in REGISTRO_PADRAO
            for one in seed(clinica.id, now.date()).slots
        }
        self.held: dict[Vaga, Paciente] = {}

    @property
    def doctors(self) -> dict[str, str]:
        """Where each doctor works."""
        return {doctor: clinic for clinic, doctor, _, _ in self.slots}

    def hold(self, doctor: str, paciente: Paciente) -> Vaga:
        """Book the first free slot of a doctor."""
        vaga = next(one for one in sorted(self.slots, key=lambda one: one[2:]) if one[1] == doctor and one not in self.held)
        self.held[vaga] = paciente
        return vaga

    def code(self, vaga: Vaga) -> str:
        """The code of an appointment."""
        return code_from(repr(vaga).encode(), vaga[0])

    async def call(self, step: Step, action: Action, caller: Caller, seconds: float) -> Answer:
        """What a clinic answers, without a network and without a gate."""
        told = step.parameters
        match action:
            case "list_available_slots":
                moment = self.clock.now().isoformat()
                free = [
                    msgspec.to_builtins(one)
                    for vaga, one in self.slots.items()
                    if vaga[0] == step.clinic and vaga not in self.held and f"{one.date}T{one.time}" > moment[:16]
                    if told.get("doctor", one.doctor) == one.doctor
                ]
                return _told(step, action, {"specialty": "", "available_slots": free, "note": ""})
            case "find_appointments":
                return _told(step, action, {"appointments": [*self._found(step.clinic, caller)]})
            case "book_appointment":
                vaga = (step.clinic, told["doctor"], told["date"], told["time"])
                if vaga not in self.slots or vaga in self.held or caller.paciente is None:
                    return _refused(step, action, "horario_ocupado")
                self.held[vaga] = caller.paciente
                result = {"status": "confirmed", "appointment": self._appointment(vaga), "message": ""}
                return Answer(ClinicReply(step.clinic, action, result), codigo=self.code(vaga))
            case "cancel_appointment":
                vaga = (step.clinic, told["doctor"], told["date"], told["time"])
                if not self._is_of(vaga, caller):
                    return _refused(step, action, "nao_e_seu")
                gone = self._appointment(vaga)
                del self.held[vaga]
                return _told(step, action, {"status": "cancelled", "cancelled_appointment": gone, "message": ""})
            case "reschedule_appointment":
                old = (step.clinic, told["doctor"], told["original_date"], told["original_time"])
                new = (step.clinic, told["doctor"], told["new_date"], told["new_time"])
                if not self._is_of(old, caller) or new not in self.slots or new in self.held:
                    return _refused(step, action, "horario_ocupado")
                before = self._appointment(old)
                self.held[new] = self.held.pop(old)
                moved = {"original_appointment": before, "new_appointment": self._appointment(new)}
                return Answer(ClinicReply(step.clinic, action, {"status": "rescheduled", **moved, "message": ""}), codigo=self.code(new))
            case _:
                return _refused(step, action, "acesso_restrito")

    def _found(self, clinic: str, caller: Caller) -> list[dict[str, Any]]:
        own = digits_of(caller.paciente.cpf) if caller.paciente is not None else ""
        return [
            self._appointment(vaga)
            for vaga, whose in self.held.items()
            if vaga[0] == clinic and digits_of(whose.cpf) == own and caller.codigo in {"", self.code(vaga)}
        ]

    def _is_of(self, vaga: Vaga, caller: Caller) -> bool:
        whose = self.held.get(vaga)
        return whose is not None and caller.paciente is not None and digits_of(whose.cpf) == digits_of(caller.paciente.cpf)

    def _appointment(self, vaga: Vaga) -> dict[str, Any]:
        slot, whose = self.slots[vaga], self.held[vaga]
        told = {"doctor": slot.doctor, "date": slot.date, "time": slot.time, "specialty": slot.specialty}
        return {**told, "patient_name": whose.nome, "cpf": whose.cpf}

    def open(self, paciente: Paciente | None = None, papel: Papel = "paciente", *, provado: bool = False) -> Session:
        """A conversation by code alone."""
        quem = who_asks("local", papel, CONSOLE, digits_of(paciente.cpf) if provado and paciente is not None else "")
        router = Router(self, REGISTRO_PADRAO)
        pipeline = Pipeline(EMBEDDED.planner, router, EMBEDDED.responder, lambda: 0.0)
        directory = Directory(router, REGISTRO_PADRAO, lambda: 0.0)
        return Session(pipeline, directory, REGISTRO_PADRAO, self.clock, papel=papel, paciente=paciente, quem=quem)


def _told(step: Step, action: Action, result: dict[str, Any]) -> Answer:
    return Answer(ClinicReply(step.clinic, action, result))


def _refused(step: Step, action: Action, codigo: Codigo) -> Answer:
    return Answer(ClinicReply(step.clinic, action, None, ToolError("Recusado.", codigo=codigo)))
