"""The values and codes that the tools of a clinic are told in; the tools themselves are in `ferramentas`. Source: blueprint 2.2 and 2.4."""

from __future__ import annotations

from typing import Final, Literal, get_args

import msgspec

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


class Appointment(Value, frozen=True):
    """A slot with the person it is for."""

    doctor: str
    date: str
    time: str
    patient_name: str
    cpf: str
    specialty: str


class PatientRef(Value, frozen=True):
    """A patient as others may know of one: an opaque id and a condition. Source: blueprint 4.3, data minimisation."""

    patient_id: str
    condition: str


CodigoDaClinica = Literal[
    "horario_ocupado",
    "horario_inexistente",
    "horario_passado",
    "data_invalida",
    "nao_e_seu",
    "cpf_invalido",
    "medico_desconhecido",
    "medico_ambiguo",
    "paciente_desconhecido",
    "acesso_restrito",
    "prova_necessaria",
    "codigo_em_descanso",
]
"""Why a clinic did not do what was asked."""
Codigo = CodigoDaClinica | Literal["sem_identificacao", "retida", "sem_confirmacao", "nao_confirmada", "troca_desfeita"]
"""The same, and why the orchestrator did not: nobody was named, the answer was withheld, it is not known, a slot is still free, undone."""

CODIGOS: Final[tuple[Codigo, ...]] = tuple(codigo for side in get_args(Codigo) for codigo in get_args(side))


class Refusal(Value, frozen=True):
    """Why a clinic did not do what was asked, as a receptionist would say it; a result with `isError`."""

    codigo: CodigoDaClinica
    message: str


class ToolError(Value, frozen=True):
    """What went wrong with a call, by JSON-RPC code or by why it was not done (`codigo`)."""

    message: str
    code: int | None = None
    codigo: Codigo | None = None

    @property
    def lacks_proof(self) -> bool:
        """Whether whose the appointment is was not proven, or the proof is not looked at today."""
        return self.codigo in {"prova_necessaria", "codigo_em_descanso"}

    @property
    def is_uncertain(self) -> bool:
        """Whether nobody knows whether it was done."""
        return self.codigo in {"sem_confirmacao", "nao_confirmada"}

    @property
    def is_not_free(self) -> bool:
        """Whether the slot is somebody's already, or is none."""
        return self.codigo in {"horario_ocupado", "horario_inexistente"}
