"""A journey through an application with a model that may fail: what a good model answers in it, and what is held against its end."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from crivo.kernel.llm.port import Modelo
from crivo.kernel.settings import Settings
from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import Scope
from provedor import FALTAS, Pedido, QualquerFalta

# What the provider's faults put into texts: none of it may be read by a person at the end of any journey.
MARCAS = ("The request was reviewed", "31/12/2031", "03:17", "Inexistente", "clinic-99", "Instrução do documento", "97 casos", "12.345,67")


@dataclass(frozen=True, slots=True)
class Mundo:
    """Where a journey takes place: a tenant of its own, a database, and the model under the settings that it was opened by."""

    database: Database
    scope: Scope
    settings: Settings
    modelo: Modelo


@dataclass(frozen=True, slots=True)
class Chegada:
    """Where a journey ended: whether anything of the model's stands in it, and all that is wrong with it, in words for a developer."""

    do_modelo: bool
    erros: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Jornada:
    """One row of the matrix. `campos` is what a good model answers; `anda` goes the whole way and looks at where it ended.

    `faltas` are what may go wrong with the calls that it makes.
    """

    nome: str
    campos: Callable[[Pedido], Mapping[str, Any]]
    anda: Callable[[Mundo], Awaitable[Chegada]]
    faltas: tuple[QualquerFalta, ...] = FALTAS


def marked(*textos: str) -> list[str]:
    """What of a fault is to be read in texts."""
    return [f"“{marca}” is read in: {texto[:200]}" for texto in textos for marca in MARCAS if marca in texto]
