"""How a clinic does each tool, and who is kept from it. Source: blueprint 2.4; design/sujeito.md."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import msgspec
from mcp.types import Tool, ToolAnnotations

from crivo.clinicas import ferramentas
from crivo.clinicas.argumentos import input_schema, output_schema
from crivo.clinicas.clinica import refusals
from crivo.clinicas.clinica.desk import Desk
from crivo.clinicas.clinica.prova import Order, Quem, Write, somebody
from crivo.clinicas.clinica.values import Answered, Matches, PatientRecord
from crivo.clinicas.ferramentas import AvailableSlots, Booked, Cancelled, Effect, Ferramenta, Found, Patients, Rescheduled
from crivo.clinicas.protocol import Refusal
from crivo.kernel.autorizar import Algum, Este, may
from crivo.kernel.linguagem.identificadores import read_cpf

Answer = Patients | PatientRecord | Matches | AvailableSlots | Booked | Rescheduled | Cancelled | Found | Refusal
Run = Callable[[Desk, Quem, Any], Awaitable[Answer | Answered]]  # the third is the tool's own `Arguments`
_HINTS: Final[Mapping[Effect, ToolAnnotations]] = {
    effect: ToolAnnotations(
        read_only_hint=effect == "reads", destructive_hint=effect == "undoes", idempotent_hint=effect != "undoes", open_world_hint=False
    )
    for effect in ("reads", "adds", "undoes")
}


@dataclass(frozen=True, slots=True)
class ClinicTool:
    """A tool as this clinic does it; `states` is what it says it answers, where that is more than every clinic's answer must have."""

    ferramenta: Ferramenta
    run: Run
    states: type[msgspec.Struct] | None = None

    @property
    def recusa(self) -> Refusal:
        """The refusal of whoever may not do such an act."""
        return refusals.of_act(self.ferramenta)

    async def call(self, desk: Desk, quem: Quem, given: Any) -> Answer | Answered:
        """What it answers to whoever asks: nothing is looked at for those who may do such an act to nothing here."""
        if not may(somebody(quem, desk.casa), self.ferramenta.acao, Algum(desk.casa)):
            return self.recusa
        return await self.run(desk, quem, given)

    def listed(self) -> Tool:
        """The tool in a listing. A refusal is one of its results, so the output schema has it too."""
        ours = self.ferramenta
        return Tool(
            name=ours.name,
            title=ours.title,
            description=ours.description,
            input_schema=input_schema(ours.takes),
            output_schema=output_schema(self.states or ours.answers, Refusal),
            annotations=_HINTS[ours.effect],
        )


async def _all_patients(desk: Desk, quem: Quem, given: ferramentas.ListPatients) -> Answer:
    return desk.silo.patients() if _reads_all(desk, quem) else refusals.of_act(ferramentas.LISTAR_PACIENTES)


async def _read_patient(desk: Desk, quem: Quem, given: ferramentas.GetPatient) -> Answer:
    found = desk.silo.patient(given.patient_id)
    if isinstance(found, Refusal):
        return found
    este = Este(desk.casa, cpf=read_cpf(found.patient.cpf or ""))
    may_read = may(somebody(quem, desk.casa), ferramentas.LER_FICHA.acao, este)
    return found if may_read else refusals.of_act(ferramentas.LER_FICHA)


async def _search(desk: Desk, quem: Quem, given: ferramentas.Query) -> Answer:
    return desk.silo.search(given.query) if _reads_all(desk, quem) else refusals.of_act(ferramentas.BUSCAR_PACIENTES)


def _reads_all(desk: Desk, quem: Quem) -> bool:
    """Whether whoever asks reads of all patients, whosever the record is."""
    return may(somebody(quem, desk.casa), ferramentas.LISTAR_PACIENTES.acao, Este(desk.casa))


async def _list_slots(desk: Desk, quem: Quem, given: ferramentas.ListAvailableSlots) -> Answer:
    return desk.silo.free_slots(given.doctor)


async def _find_held(desk: Desk, quem: Quem, given: ferramentas.FindAppointments) -> Answer | Answered:
    # A code is counted where it is wrong, which is a write.
    return await desk.write(Order(given, quem)) if quem.codigo else desk.silo.appointments(given, quem)


async def _write(desk: Desk, quem: Quem, given: Write) -> Answered:
    return await desk.write(Order(given, quem))


_DONE: Final = (
    ClinicTool(ferramentas.LISTAR_PACIENTES, _all_patients),
    ClinicTool(ferramentas.LER_FICHA, _read_patient, PatientRecord),
    ClinicTool(ferramentas.BUSCAR_PACIENTES, _search, Matches),
    ClinicTool(ferramentas.VER_HORARIOS, _list_slots),
    ClinicTool(ferramentas.MARCAR, _write),
    ClinicTool(ferramentas.REMARCAR, _write),
    ClinicTool(ferramentas.CANCELAR, _write),
    ClinicTool(ferramentas.VER_CONSULTAS, _find_held),
)
TOOLS: Final[Mapping[str, ClinicTool]] = {tool.ferramenta.name: tool for tool in _DONE}
