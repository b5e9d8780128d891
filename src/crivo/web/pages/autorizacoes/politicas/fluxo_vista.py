"""Where decisions go, drawn: from their outcomes before, on the left, to those after, each stream as thick as it has pedidos."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from crivo.autorizacoes.contracts import DecisaoFinal
from crivo.autorizacoes.palavras import DECISOES, number, verb
from crivo.autorizacoes.simulacao.avaliacao import DESFECHOS

LARGURA: Final = 420
CURTAS: Final[Mapping[DecisaoFinal, str]] = {
    "APROVADO": "Aprovado",
    "APROVADO_PARCIAL": "Em parte",
    "PENDENTE_AJUSTES": "Pendente",
    "NEGADO": "Negado",
}
"""Outcomes in a word, where there is room for no more."""
_LEFT, _RIGHT, _BAR = 106.0, 304.0, 10.0
_TOP: Final = 14.0
_GAP: Final = 26.0
_TALLEST: Final = 200.0
_THINNEST: Final = 2.0


@dataclass(frozen=True, slots=True)
class Corrente:
    """One stream: its path, whether the outcome gets better, and what it says."""

    desenho: str
    melhora: bool
    dito: str


@dataclass(frozen=True, slots=True)
class Barra:
    """All that leaves an outcome, or arrives at it; `texto` lies at `x_texto`, on the outside."""

    x: float
    y: float
    altura: float
    estilo: str
    palavra: str
    quantos: str
    x_texto: float
    chega: bool

    @property
    def y_texto(self) -> float:
        """The base of the words beside it."""
        return self.y + self.altura / 2 + 4


@dataclass(frozen=True, slots=True)
class Fluxo:
    """The picture, and the same in words for whoever does not see it."""

    altura: float
    correntes: tuple[Corrente, ...]
    barras: tuple[Barra, ...]
    dito: str

    @classmethod
    def of(cls, pares: Mapping[tuple[DecisaoFinal, DecisaoFinal], int]) -> Fluxo | None:
        """The streams of what changes; None where nothing does."""
        moved = [(antes, depois, pares[antes, depois]) for antes in DESFECHOS for depois in DESFECHOS if _moves(pares, antes, depois)]
        if not moved:
            return None
        scale = _TALLEST / sum(many for _, _, many in moved)
        left = _stacked([(one, sum(many for antes, _, many in moved if antes == one)) for one in DESFECHOS], scale)
        right = _stacked([(one, sum(many for _, depois, many in moved if depois == one)) for one in DESFECHOS], scale)
        correntes = _streams(moved, scale, left, right)
        barras = (*_bars(left, _LEFT - _BAR, chega=False), *_bars(right, _RIGHT, chega=True))
        told = ", ".join([f"{number(many)} de {CURTAS[antes].lower()} para {CURTAS[depois].lower()}" for antes, depois, many in moved])
        return cls(max(one.y + one.altura for one in barras) + _TOP, correntes, barras, f"De onde para onde vão as decisões: {told}.")


def _moves(pares: Mapping[tuple[DecisaoFinal, DecisaoFinal], int], antes: DecisaoFinal, depois: DecisaoFinal) -> bool:
    return antes != depois and (antes, depois) in pares


_Stack = dict[DecisaoFinal, tuple[float, float, int]]  # top, height, pedidos


def _stacked(sizes: Sequence[tuple[DecisaoFinal, int]], scale: float) -> _Stack:
    stack: _Stack = {}
    y = _TOP
    for desfecho, many in sizes:
        if many:
            height = max(_THINNEST, many * scale)
            stack[desfecho] = (y, height, many)
            y += height + _GAP
    return stack


def _streams(moved: Sequence[tuple[DecisaoFinal, DecisaoFinal, int]], scale: float, left: _Stack, right: _Stack) -> tuple[Corrente, ...]:
    leaves = {one: top for one, (top, _, _) in left.items()}
    arrives = {one: top for one, (top, _, _) in right.items()}
    found = []
    for antes, depois, many in moved:
        thick = max(1.0, many * scale)
        y, to, middle = leaves[antes], arrives[depois], (_LEFT + _RIGHT) / 2
        path = (
            f"M{_LEFT:.0f} {y:.1f}C{middle:.0f} {y:.1f} {middle:.0f} {to:.1f} {_RIGHT:.0f} {to:.1f}V{to + thick:.1f}"
            f"C{middle:.0f} {to + thick:.1f} {middle:.0f} {y + thick:.1f} {_LEFT:.0f} {y + thick:.1f}Z"
        )
        dito = f"{number(many)} {verb(many, 'pedido', 'pedidos')}: {CURTAS[antes].lower()} → {CURTAS[depois].lower()}"
        found.append(Corrente(path, DESFECHOS.index(depois) < DESFECHOS.index(antes), dito))
        leaves[antes], arrives[depois] = y + thick, to + thick
    return tuple(found)


def _bars(stack: _Stack, x: float, *, chega: bool) -> list[Barra]:
    beside = x + _BAR + 6 if chega else x - 6
    return [
        Barra(x, top, height, DECISOES[one].estilo, CURTAS[one], number(many), beside, chega) for one, (top, height, many) in stack.items()
    ]
