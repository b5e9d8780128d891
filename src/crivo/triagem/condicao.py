"""A condition on what a project declares, as requisitos, bônus and cotas state it. Source: design, Shapes."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

Operador = Literal["igual", "diferente", "em", "minimo", "maximo", "existe"]


class Value(msgspec.Struct, frozen=True):
    """A frozen value."""


class Condicao(Value, frozen=True):
    """A condition on a field that a project declares: `campos`, or `categoria` and the sum of its budget. Source: design, Shapes."""

    campo: str
    operador: Operador
    valor: Any = None
