"""All that crosses between the orchestrator and a clinic: tools, arguments, results and error codes.

Names and shapes are the blueprint's. Source: blueprint 2.2 and 2.4.
"""

from __future__ import annotations

from typing import Any, Final, Literal, get_args

import msgspec

Action = Literal[
    "list_patients",
    "get_patient",
    "query",
    "list_available_slots",
    "book_appointment",
    "reschedule_appointment",
    "cancel_appointment",
]
ACTIONS: Final[tuple[Action, ...]] = get_args(Action)

# The tools that name the patient; the orchestrator alone fills `patient_name` and `cpf` in. Source: blueprint 1.6.
IDENTIFIED: Final = frozenset({"book_appointment", "reschedule_appointment", "cancel_appointment"})
# The tools that may be sent again when no answer came: they change nothing, or nothing twice.
REPEATABLE: Final = frozenset({"list_patients", "get_patient", "query", "list_available_slots", "book_appointment"})

# JSON-RPC error codes. Source: blueprint 2.2.
UNKNOWN_METHOD: Final = -32601
INVALID_PARAMS: Final = -32602
UNREACHABLE: Final = -32000


class Value(msgspec.Struct, frozen=True):
    """A frozen value of the protocol."""


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
