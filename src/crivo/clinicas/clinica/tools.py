"""The tools as clients see them: names, schemas, hints, which act each is, and what it does. Source: blueprint 2.4; design/sujeito.md."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import msgspec
from mcp.types import Tool, ToolAnnotations

from crivo.clinicas.clinica import arguments as args
from crivo.clinicas.clinica import refusals
from crivo.clinicas.clinica.desk import Desk
from crivo.clinicas.clinica.prova import Order, Quem, somebody
from crivo.clinicas.clinica.values import Answered, Matches, PatientRecord, Patients
from crivo.clinicas.ferramentas import Arguments, input_schema, output_schema
from crivo.clinicas.protocol import ACTS, Action, AvailableSlots, Booked, Cancelled, Found, Refusal, Rescheduled
from crivo.kernel.autorizar import Acao, Algum, Este, may
from crivo.kernel.linguagem.identificadores import read_cpf

Answer = Patients | PatientRecord | Matches | AvailableSlots | Booked | Rescheduled | Cancelled | Found | Refusal
Run = Callable[[Desk, Quem, Any], Awaitable[Answer | Answered]]  # the third is the tool's own `Arguments`


@dataclass(frozen=True, slots=True)
class ClinicTool:
    """A tool: what it takes, what it answers when it is not refused, how it is done, and the refusal of whoever may not do such an act."""

    name: Action
    title: str
    description: str
    takes: type[Arguments]
    answers: type[msgspec.Struct]
    hints: ToolAnnotations
    run: Run
    recusa: Refusal

    @property
    def acao(self) -> Acao:
        """The act that it is."""
        return ACTS[self.name]

    async def call(self, desk: Desk, quem: Quem, given: Any) -> Answer | Answered:
        """What it answers to whoever asks: nothing is looked at for those who may do such an act to nothing here."""
        if not may(somebody(quem, desk.casa), self.acao, Algum(desk.casa)):
            return self.recusa
        return await self.run(desk, quem, given)

    def listed(self) -> Tool:
        """The tool in a listing. A refusal is one of its results, so the output schema has it too."""
        return Tool(
            name=self.name,
            title=self.title,
            description=self.description,
            input_schema=input_schema(self.takes),
            output_schema=output_schema(self.answers, Refusal),
            annotations=self.hints,
        )


async def _list_patients(desk: Desk, quem: Quem, given: args.ListPatients) -> Answer:
    return desk.silo.list_patients() if _reads_all(desk, quem) else refusals.LISTA_RESTRITA


async def _get_patient(desk: Desk, quem: Quem, given: args.GetPatient) -> Answer:
    found = desk.silo.get_patient(given.patient_id)
    if isinstance(found, Refusal):
        return found
    este = Este(desk.casa, cpf=read_cpf(found.patient.cpf or ""))
    return found if may(somebody(quem, desk.casa), ACTS["get_patient"], este) else refusals.ACESSO_RESTRITO


async def _query(desk: Desk, quem: Quem, given: args.Query) -> Answer:
    return desk.silo.query(given.query) if _reads_all(desk, quem) else refusals.LISTA_RESTRITA


def _reads_all(desk: Desk, quem: Quem) -> bool:
    """Whether whoever asks reads of all patients, whosever the record is."""
    return may(somebody(quem, desk.casa), ACTS["list_patients"], Este(desk.casa))


async def _list_available_slots(desk: Desk, quem: Quem, given: args.ListAvailableSlots) -> Answer:
    return desk.silo.list_available_slots(given.doctor)


async def _find_appointments(desk: Desk, quem: Quem, given: args.FindAppointments) -> Answer | Answered:
    # A code is counted where it is wrong, which is a write.
    return await desk.write(Order(given, quem)) if quem.codigo else desk.silo.find_appointments(given, quem)


async def _write(desk: Desk, quem: Quem, given: args.Write) -> Answered:
    return await desk.write(Order(given, quem))


_READS: Final = ToolAnnotations(read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False)
_BOOKS: Final = ToolAnnotations(read_only_hint=False, destructive_hint=False, idempotent_hint=True, open_world_hint=False)
_UNDOES: Final = ToolAnnotations(read_only_hint=False, destructive_hint=True, idempotent_hint=False, open_world_hint=False)

_ALL: Final = (
    ClinicTool(
        "list_patients",
        "Pacientes da clínica",
        "Lista os pacientes da clínica: apenas identificador e condição. Só responde a um operador da clínica.",
        args.ListPatients,
        Patients,
        _READS,
        _list_patients,
        refusals.LISTA_RESTRITA,
    ),
    ClinicTool(
        "get_patient",
        "Prontuário de um paciente",
        "Mostra o registro completo de um paciente pelo identificador. Só responde a um operador da clínica.",
        args.GetPatient,
        PatientRecord,
        _READS,
        _get_patient,
        refusals.ACESSO_RESTRITO,
    ),
    ClinicTool(
        "query",
        "Busca por condição",
        "Procura pacientes por condição ou identificador, em texto livre. Só responde a um operador da clínica.",
        args.Query,
        Matches,
        _READS,
        _query,
        refusals.LISTA_RESTRITA,
    ),
    ClinicTool(
        "list_available_slots",
        "Horários livres",
        "Lista os horários livres daqui para a frente, do mais cedo ao mais tarde; opcionalmente, só os de um médico.",
        args.ListAvailableSlots,
        AvailableSlots,
        _READS,
        _list_available_slots,
        refusals.CHAVE_RESTRITA,
    ),
    ClinicTool(
        "book_appointment",
        "Marcar consulta",
        "Marca uma consulta em um horário livre. O código que prova a consulta vem em _meta.",
        args.BookAppointment,
        Booked,
        _BOOKS,
        _write,
        refusals.CHAVE_RESTRITA,
    ),
    ClinicTool(
        "reschedule_appointment",
        "Remarcar consulta",
        "Troca o horário de uma consulta por outro do mesmo médico, em uma só operação. Pede o CPF e a prova de quem ela é.",
        args.RescheduleAppointment,
        Rescheduled,
        _UNDOES,
        _write,
        refusals.PROVA_NECESSARIA,
    ),
    ClinicTool(
        "cancel_appointment",
        "Cancelar consulta",
        "Cancela uma consulta e libera o horário. Pede o CPF e a prova de quem ela é.",
        args.CancelAppointment,
        Cancelled,
        _UNDOES,
        _write,
        refusals.PROVA_NECESSARIA,
    ),
    ClinicTool(
        "find_appointments",
        "Consultas de um paciente",
        "Lista as consultas futuras de um CPF: todas, a um operador ou em nome dessa pessoa; com o código de uma, só essa.",
        args.FindAppointments,
        Found,
        _READS,
        _find_appointments,
        refusals.PROVA_NECESSARIA,
    ),
)
TOOLS: Final[Mapping[str, ClinicTool]] = {tool.name: tool for tool in _ALL}
