"""The document of a política: what an import yields, and the one canonical form that is stored and hashed."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import msgspec

from crivo.autorizacoes.contracts import Politica
from crivo.kernel.errors import Problem


@dataclass(frozen=True, slots=True)
class LidaDeObservacoes:
    """One value that the import read out of a regra's `observacoes`, where nothing else stated it."""

    regra_id: str
    caminho: str
    linha: int | None
    campo: Literal["alternativas", "excecoes"]
    valor: str
    trecho: str


@dataclass(frozen=True, slots=True)
class Relatorio:
    """What a person should know of an import: the number of regras, what looks odd, and what was read from free text."""

    regras_total: int
    avisos: tuple[Problem, ...] = ()
    lidos_de_observacoes: tuple[LidaDeObservacoes, ...] = ()


@dataclass(frozen=True, slots=True)
class Importada:
    """A política read from its file, with the report."""

    politica: Politica
    relatorio: Relatorio


def to_document(politica: Politica) -> bytes:
    """The canonical JSON of a política: keys sorted, whatever is at its default left out, regras in their order; UTF-8."""
    return msgspec.json.encode(_stated(politica), order="sorted")


def digest(politica: Politica) -> bytes:
    """The SHA-256 of the canonical document, 32 bytes."""
    return hashlib.sha256(to_document(politica)).digest()


def _stated(value: object) -> object:
    if isinstance(value, tuple):
        return [_stated(item) for item in value]
    if not isinstance(value, msgspec.Struct):
        return value
    stated: dict[str, object] = {}
    for nome, default in _fields(type(value)):
        valor = getattr(value, nome)
        if valor != default:
            stated[nome] = _stated(valor)
    return stated


@lru_cache(maxsize=16)
def _fields(struct: type[msgspec.Struct]) -> tuple[tuple[str, object], ...]:
    """Each field with its default; a field without one has a marker that no value equals."""
    return tuple((campo.name, campo.default) for campo in msgspec.structs.fields(struct))
