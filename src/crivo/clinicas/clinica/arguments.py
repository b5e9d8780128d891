"""The arguments of the seven tools, taken strictly: none too many, none of another type. Source: blueprint 2.4."""

from __future__ import annotations

import re
import unicodedata
from typing import Annotated, Final, TypeVar

import msgspec

from crivo.clinicas.clinica.errors import ArgumentosInvalidos

_LONGEST: Final = 200
_UNWRITABLE: Final = frozenset({"Cc", "Cs"})  # control characters, and halves of characters
_WHERE: Final = re.compile(r"\$\.(\w+)")


def _text(description: str, *, least: int | None = None, pattern: str | None = None) -> msgspec.Meta:
    return msgspec.Meta(description=description, min_length=least, max_length=_LONGEST, pattern=pattern)


Doctor = Annotated[str, _text("Nome do médico, inteiro ou uma parte que só ele tenha.", least=1)]
Date = Annotated[str, _text("Data no formato AAAA-MM-DD.", least=1)]
Time = Annotated[str, _text("Hora no formato HH:MM.", least=1)]
PatientName = Annotated[str, _text("Nome completo de quem será atendido.", pattern=r"\S")]
Cpf = Annotated[str, _text("CPF de quem será atendido, com ou sem pontuação.", least=1)]


class Arguments(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The arguments of a tool."""


class ListPatients(Arguments, frozen=True):
    """None."""


class GetPatient(Arguments, frozen=True):
    """Whose record."""

    patient_id: Annotated[str, _text("Identificador do paciente, como CARD-001.", least=1)]


class Query(Arguments, frozen=True):
    """What to look for among conditions."""

    query: Annotated[str, _text("O que procurar: uma condição ou um identificador.", least=1)]


class ListAvailableSlots(Arguments, frozen=True):
    """Whose openings; everyone's where no doctor is named."""

    doctor: Annotated[str, _text("Mostrar apenas os horários deste médico.")] | None = None


class BookAppointment(Arguments, frozen=True):
    """Which slot, for whom."""

    doctor: Doctor
    date: Date
    time: Time
    patient_name: PatientName
    cpf: Cpf


class RescheduleAppointment(Arguments, frozen=True):
    """From which slot to which of the same doctor, for whom."""

    original_date: Date
    original_time: Time
    doctor: Doctor
    new_date: Date
    new_time: Time
    patient_name: PatientName
    cpf: Cpf


class CancelAppointment(Arguments, frozen=True):
    """Which booking, of whom."""

    doctor: Doctor
    date: Date
    time: Time
    patient_name: PatientName
    cpf: Cpf


Write = BookAppointment | RescheduleAppointment | CancelAppointment
A = TypeVar("A", bound=Arguments)


def read_arguments(kind: type[A], given: object) -> A:
    """The arguments in what was sent. Raises ArgumentosInvalidos, whose message quotes nothing of it."""
    if given is not None and not isinstance(given, dict):
        raise ArgumentosInvalidos("Os argumentos devem vir em um objeto JSON.")
    sent = given or {}
    names = kind.__struct_fields__
    if not sent.keys() <= set(names):
        accepted = f"aceita apenas: {', '.join(names)}" if names else "não recebe nenhum"
        raise ArgumentosInvalidos(f"Há argumento que esta ferramenta não conhece. Ela {accepted}.")
    for name in kind.__struct_fields__[: len(names) - len(kind.__struct_defaults__)]:
        if name not in sent:
            raise ArgumentosInvalidos(f"Falta o argumento {name}.")
    for name, value in sent.items():
        if isinstance(value, str) and any(unicodedata.category(character) in _UNWRITABLE for character in value):
            raise ArgumentosInvalidos(f"O argumento {name} tem caracteres de controle. Envie apenas texto.")
    try:
        return msgspec.convert(sent, kind)
    except msgspec.ValidationError as error:
        found = _WHERE.search(str(error))
        raise ArgumentosInvalidos(
            f"O argumento {found[1] if found else 'enviado'} deve ser um texto de 1 a {_LONGEST} caracteres, não em branco."
        ) from None
