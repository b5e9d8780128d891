"""What the projects of a call declare, field by field: how many have each, and with which values."""

from __future__ import annotations

from collections import Counter
from decimal import Decimal
from typing import Any, Final

from crivo.triagem.condicao import Value
from crivo.triagem.edital import Projeto
from crivo.triagem.palavras import number, shown

VALORES_MAXIMO: Final = 30
"""A field with more different values than that is told by how many it has: nobody chooses out of so long a list."""
CAMPOS_MAXIMO: Final = 200
_LONGEST: Final = 60  # of a value that somebody would choose


class CampoDeclarado(Value, frozen=True):
    """A field: how many projects have it, and its values, each with how many; `valores` is None where they are too many, or too long."""

    nome: str
    quantos: int
    valores: tuple[tuple[str, int], ...] | None


class Declarados:
    """Counts what one project after another declares."""

    def __init__(self) -> None:
        self._having: Counter[str] = Counter()
        self._values: dict[str, Counter[str] | None] = {}
        self.vistos = 0

    def add(self, projeto: Projeto) -> None:
        """One project more."""
        self.vistos += 1
        for nome, valor in projeto.campos.items():
            said = [text for one in (valor if isinstance(valor, list | tuple) else (valor,)) if (text := value_said(one))]
            if not said or (nome not in self._having and len(self._having) >= CAMPOS_MAXIMO):
                continue
            self._having[nome] += 1
            self._count(nome, said)

    def campos(self) -> tuple[CampoDeclarado, ...]:
        """The fields, those that most projects have first."""
        ordered = sorted(self._having.items(), key=lambda pair: (-pair[1], pair[0]))
        return tuple([CampoDeclarado(nome, quantos, self._said(nome)) for nome, quantos in ordered])

    def _count(self, nome: str, said: list[str]) -> None:
        known = self._values.setdefault(nome, Counter())
        if known is None:
            return
        known.update(set(said))
        if len(known) > VALORES_MAXIMO or any(len(one) > _LONGEST for one in said):
            self._values[nome] = None

    def _said(self, nome: str) -> tuple[tuple[str, int], ...] | None:
        known = self._values[nome]
        return None if known is None else tuple(sorted(known.items(), key=lambda pair: (-pair[1], pair[0])))


def value_said(valor: Any) -> str:
    """A declared value as people write it; empty where nothing was."""
    match valor:
        case None:
            return ""
        case bool():
            return "sim" if valor else "não"
        case int() | float() | Decimal():
            return number(Decimal(str(valor)))
        case _:
            return " ".join(shown(str(valor)).split())
