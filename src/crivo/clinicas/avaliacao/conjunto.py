"""Evaluation sets: the cases of a JSON file, read strictly. Source: design, "The proof"."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar, Literal

import msgspec

from crivo.clinicas.ferramentas import Action
from crivo.clinicas.orquestrador.contracts import MotivoDeRecusa, Paciente, Papel
from crivo.kernel.errors import CrivoError, Kind

Classe = Literal["normal", "borda", "adversarial", "multi_clinica", "multi_turno"]


class ConjuntoIlegivel(CrivoError):
    """The file is no evaluation set."""

    codigo: ClassVar[str] = "conjunto_ilegivel"
    kind: ClassVar[Kind] = Kind.MALFORMED
    titulo: ClassVar[str] = "Conjunto de avaliação ilegível"


class Value(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A frozen value of an evaluation set."""


class PassoEsperado(Value, frozen=True):
    """A step that the plan must have; its parameters are compared only where they are given."""

    clinic: str
    action: Action
    parameters: dict[str, str] = {}


class TurnoEsperado(Value, frozen=True):
    """What is said, and what must come of it."""

    texto: str
    plano: tuple[PassoEsperado, ...] = ()
    pergunta: bool = False
    recusa: MotivoDeRecusa | None = None


class Marcada(Value, frozen=True):
    """A slot that must be held at the end, and by whom."""

    doctor: str
    date: str
    time: str
    cpf: str


class Caso(Value, frozen=True):
    """A conversation with what must come of each turn and, in `estado`, what the stores must hold in the end."""

    id: str
    classe: Classe
    turnos: tuple[TurnoEsperado, ...]
    papel: Papel = "paciente"
    paciente: Paciente | None = None
    estado: dict[str, tuple[Marcada, ...]] | None = None


def read_cases(raw: bytes) -> tuple[Caso, ...]:
    """The cases of an evaluation set; raises `ConjuntoIlegivel` where it is none, or where two cases bear one id."""
    try:
        cases = msgspec.json.decode(raw, type=tuple[Caso, ...])
    except (msgspec.ValidationError, msgspec.DecodeError) as error:
        message = f"Este arquivo não é um conjunto de avaliação: {error}. Confira o formato em docs/clinicas.md."
        raise ConjuntoIlegivel(message) from error
    if len({case.id for case in cases}) < len(cases):
        raise ConjuntoIlegivel("Há casos com o mesmo id neste conjunto. Dê um id diferente a cada caso.")
    return cases


def read_case_file(path: Path) -> tuple[Caso, ...]:
    """The cases of a file; raises `ConjuntoIlegivel` where it cannot be read."""
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise ConjuntoIlegivel(f"Não consegui abrir {path}. Confira o caminho e a permissão de leitura.") from error
    return read_cases(raw)
