"""A figure of a recording: how many of how many, under the words that people read it by."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, Literal, TypeVar, get_args

import msgspec

from crivo.kernel.taxas import Taxa, taxa

T = TypeVar("T")

Area = Literal["redacao", "sombra", "clinicas", "triagem"]
AREAS: Final[tuple[Area, ...]] = get_args(Area)
Melhor = Literal["mais", "menos"]


class Parte(msgspec.Struct, frozen=True):
    """So many of so many."""

    certos: int
    total: int

    @property
    def taxa(self) -> Taxa:
        """The share, with its interval."""
        return taxa(self.certos, self.total)


class Medida(msgspec.Struct, frozen=True):
    """`nome` is what was counted (pt-BR), unique in its area; `melhor` says which way it improves; `nota` how it is counted."""

    area: Area
    nome: str
    parte: Parte
    melhor: Melhor = "mais"
    nota: str = ""


def part(items: Sequence[T], holds: Callable[[T], bool]) -> Parte:
    """How many of some things something holds of."""
    return Parte(sum(holds(item) for item in items), len(items))


def counted(area: Area, nome: str, items: Sequence[T], holds: Callable[[T], bool], nota: str = "") -> Medida:
    """The same, as a figure."""
    return Medida(area, nome, part(items, holds), nota=nota)


def spread(casos: Sequence[T], how_many: int) -> list[T]:
    """So many of them, at even distances."""
    taken = min(how_many, len(casos))
    return [casos[at * len(casos) // taken] for at in range(taken)]
