"""The values and codes that the tools of a clinic are told in; the tools themselves are in `ferramentas`. Source: blueprint 2.2 and 2.4."""

from __future__ import annotations

from typing import Final, Literal

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
