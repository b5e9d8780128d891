"""All that crosses between the orchestrator and a clinic: tools, the act that each is, arguments, results and error codes.

Names and shapes are the blueprint's; `find_appointments` is an eighth tool. Source: blueprint 2.2 and 2.4; design/sujeito.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal, get_args

import msgspec

from crivo.kernel.autorizar import Acao

Action = Literal[
    "list_patients",
    "get_patient",
    "query",
    "list_available_slots",
    "book_appointment",
    "reschedule_appointment",
    "cancel_appointment",
    "find_appointments",
]
ACTIONS: Final[tuple[Action, ...]] = get_args(Action)
ACTS: Final[Mapping[Action, Acao]] = {
    "list_patients": "clinicas.ler_pacientes",
    "get_patient": "clinicas.ler_pacientes",
    "query": "clinicas.ler_pacientes",
    "list_available_slots": "clinicas.ver_horarios",
    "book_appointment": "clinicas.marcar",
    "reschedule_appointment": "clinicas.mudar_consulta",
    "cancel_appointment": "clinicas.mudar_consulta",
    "find_appointments": "clinicas.ver_consultas",
}
"""The act that each tool is, which the orchestrator asks the table about before it calls, and the clinic before it does anything."""
# Those that read of patients, whoever asks; what a clinic says to whoever may not.
RESTRICTED: Final[Mapping[Action, str]] = {
    "list_patients": "A lista de pacientes só pode ser vista por um operador da clínica.",
    "get_patient": "O prontuário de um paciente só pode ser visto por um operador da clínica.",
    "query": "A lista de pacientes só pode ser vista por um operador da clínica.",
}
# What a plan may be made of: what somebody holds is asked by code alone, and only for whoever is proven.
PLANNED: Final = tuple(action for action in ACTIONS if action != "find_appointments")

# The tools that name the patient; the orchestrator alone fills `patient_name` and `cpf` in. Source: blueprint 1.6.
IDENTIFIED: Final = frozenset({"book_appointment", "reschedule_appointment", "cancel_appointment", "find_appointments"})
# Those of them to which the code of an appointment is shown. Source: design/sujeito.md.
PROVEN: Final = frozenset({"reschedule_appointment", "cancel_appointment", "find_appointments"})
# The tools that may be sent again when no answer came: they change nothing, or nothing twice.
REPEATABLE: Final = frozenset({"list_patients", "get_patient", "query", "list_available_slots", "book_appointment", "find_appointments"})

Role = Literal["atendimento", "operador"]
"""In which role a token speaks to a clinic."""

# JSON-RPC error codes. Source: blueprint 2.2.
UNKNOWN_METHOD: Final = -32601
INVALID_PARAMS: Final = -32602
UNREACHABLE: Final = -32000


class Value(msgspec.Struct, frozen=True):
    """A frozen value of the protocol."""


def consulta_of(clinic: str, doctor: str, date: str, time: str) -> str:
    """The name of an appointment where the table of acts is asked: a slot has one at most."""
    return f"{clinic} {doctor} {date} {time}"


class Slot(Value, frozen=True):
    """An opening of a doctor: `date` is `YYYY-MM-DD`, `time` is `HH:MM`, both of the clinic's own place."""

    doctor: str
    specialty: str
    date: str
    time: str
    available: bool = True


class AvailableSlots(Value, frozen=True):
    """What `list_available_slots` answers: free slots only, of the future only."""

    specialty: str
    available_slots: tuple[Slot, ...]
    note: str


class Appointment(Value, frozen=True):
    """A slot with the person it is for."""

    doctor: str
    date: str
    time: str
    patient_name: str
    cpf: str
    specialty: str


class Booked(Value, frozen=True):
    """What `book_appointment` answers."""

    appointment: Appointment
    message: str
    status: Literal["confirmed"] = "confirmed"


class Rescheduled(Value, frozen=True):
    """What `reschedule_appointment` answers."""

    original_appointment: Appointment
    new_appointment: Appointment
    message: str
    status: Literal["rescheduled"] = "rescheduled"


class Cancelled(Value, frozen=True):
    """What `cancel_appointment` answers."""

    cancelled_appointment: Appointment
    message: str
    status: Literal["cancelled"] = "cancelled"


class Found(Value, frozen=True):
    """What `find_appointments` answers: the appointments to come of one person, as far as whoever asks was proven."""

    appointments: tuple[Appointment, ...]


class PatientRef(Value, frozen=True):
    """A patient as others may know of one: an opaque id and a condition. Source: blueprint 4.3, data minimisation."""

    patient_id: str
    condition: str


class Refusal(Value, frozen=True):
    """Why a clinic did not do what was asked, as a receptionist would say it; a result with `isError`."""

    codigo: Literal[
        "horario_ocupado",
        "horario_inexistente",
        "horario_passado",
        "medico_desconhecido",
        "medico_ambiguo",
        "cpf_invalido",
        "nao_e_seu",
        "paciente_desconhecido",
        "acesso_restrito",
        "data_invalida",
        "prova_necessaria",
        "codigo_em_descanso",
    ]
    message: str


class ToolError(Value, frozen=True):
    """What went wrong with a call, by JSON-RPC code or by the clinic's own refusal (`codigo`)."""

    message: str
    code: int | None = None
    codigo: str | None = None


class ClinicReply(Value, frozen=True):
    """One step's answer, as verifier and responder read it. Source: blueprint 2.3.3, `clinic_data[]`."""

    clinic: str
    action: Action
    result: dict[str, Any] | None = None
    error: ToolError | None = None
