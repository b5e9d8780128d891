"""The planos that an administradora declares or names in its published políticas. Source: design, "Right, on what customers send"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from crivo.autorizacoes.contracts import Politica, Regra
from crivo.autorizacoes.politicas.codigos import CURINGA, fold_id

QUALQUER: Final = "NAO_INFORMADO"
"""A plano for a pedido whose own nobody said, where no regra asks which it is."""

SituacaoDoPlano: TypeAlias = Literal["conhecido", "nao_nomeado", "fora_dos_declarados"]


def planos_da(regra: Regra) -> tuple[str, ...]:
    """The planos that a regra is for, as it spells them: those of `planos` with the one of `plano_id`, or that alone, `*` for any."""
    if not regra.planos:
        return (regra.plano_id,)
    return regra.planos if regra.plano_id == CURINGA else (regra.plano_id, *regra.planos)


@dataclass(frozen=True, slots=True)
class _Declaracao:
    """What one política says of planos while it is in force: those it declares, or those it names where it declares none."""

    inicio: str
    fim: str | None
    declara: bool
    planos: frozenset[str]

    def in_force(self, em: str) -> bool:
        return self.inicio <= em and (self.fim is None or em <= self.fim)


@dataclass(frozen=True, slots=True)
class Planos:
    """The folded planos of one administradora; `todos` are those of any of its published políticas, whatever the date."""

    todos: frozenset[str]
    _declaracoes: tuple[_Declaracao, ...]
    _alguma_declara: bool

    @classmethod
    def of(cls, politicas: Sequence[Politica]) -> Planos:
        """What these políticas of one administradora say of planos."""
        declaracoes = tuple([_declaracao(politica) for politica in politicas])
        todos = frozenset[str]().union(
            *(_named(politica) | declaracao.planos for politica, declaracao in zip(politicas, declaracoes, strict=True))
        )
        return cls(todos, declaracoes, any(declaracao.declara for declaracao in declaracoes))

    def plainly_knows(self, plano: str) -> bool:
        """True where no política declares planos and this one is named as it is spelled, or none is."""
        return not self._alguma_declara and (plano in self.todos or not self.todos)

    def de_todos(self, em: str) -> str | None:
        """The one plano that every beneficiário has on an ISO date, as far as these políticas say; None where there are several.

        Where they neither declare nor name any, all are alike to the rules.
        """
        declarados = [declaracao.planos for declaracao in self._declaracoes if declaracao.declara and declaracao.in_force(em)]
        if declarados:
            todos = frozenset[str]().union(*declarados)
            return next(iter(todos)) if len(todos) == 1 else None
        return None if self.todos else QUALQUER

    def situacao(self, plano: str, em: str) -> SituacaoDoPlano:
        """Of a folded plano on an ISO date. Where no regra names any plano, none is unknown: they are all alike to the rules."""
        if self._alguma_declara:
            em_vigor = [declaracao for declaracao in self._declaracoes if declaracao.in_force(em)]
            if any(declaracao.declara for declaracao in em_vigor):
                return "conhecido" if any(plano in declaracao.planos for declaracao in em_vigor) else "fora_dos_declarados"
        return "conhecido" if plano in self.todos or not self.todos else "nao_nomeado"


def _declaracao(politica: Politica) -> _Declaracao:
    declarados = frozenset(map(fold_id, politica.planos))
    return _Declaracao(politica.vigencia_inicio, politica.vigencia_fim, bool(declarados), declarados or _named(politica))


def _named(politica: Politica) -> frozenset[str]:
    return frozenset(fold_id(plano) for regra in politica.regras for plano in planos_da(regra) if plano != CURINGA)
