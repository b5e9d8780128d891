"""What addresses of any mesa have in common: how filters, an order and what is read are written in them, and read out of them again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, Literal, Protocol, TypeVar, get_args

from starlette.datastructures import QueryParams

from crivo.triagem.recorte import Pedido

F = TypeVar("F", bound=str)
O = TypeVar("O", bound=str)  # noqa: E741
Asked = TypeVar("Asked", bound=Pedido[Any, Any], contravariant=True)

Parte = Literal["fila", "pagina", "analise"]
PARTES: Final[tuple[Parte, ...]] = get_args(Parte)
FORMULARIO: Final = "formulario"
LONGEST: Final = 200
MOST_VALUES: Final = 60


class DeFila(Protocol[Asked]):
    """The address of a queue."""

    def fila(self, recorte: Asked | None = None, pagina: int | None = None) -> str:
        """The address of the queue, with other filters, or another page of it; with no project open."""


def filters_of(params: QueryParams, nomes: Iterable[F]) -> Mapping[F, frozenset[str]]:
    """The values of each of these filters that an address names."""
    return {name: values for name in nomes if (values := frozenset([one for one in params.getlist(name) if one][:MOST_VALUES]))}


def order_of(params: QueryParams, ordens: Iterable[O]) -> tuple[O | None, bool]:
    """The order that an address asks for, None where there is no such one, and whether it goes down."""
    asked = params.get("ordem", "")
    return next((one for one in ordens if one == asked.removeprefix("-")), None), asked.startswith("-")


def pairs_of(recorte: Pedido[F, O], nomes: Iterable[F], padrao: str) -> list[tuple[str, str]]:
    """Filters and order as an address says them; the order `padrao` needs no word."""
    found: list[tuple[str, str]] = [(name, one) for name in nomes for one in sorted(recorte.filtros.get(name, ()))]
    ordem = ("-" if recorte.desce else "") + recorte.ordem
    return found + ([("ordem", ordem)] if ordem != padrao else [])


def strangers(params: QueryParams, known: Iterable[str]) -> list[str]:
    """What an address names and is no filter any more, in words."""
    names = set(known)
    return [f"O filtro “{name[:40]}” não existe mais, e ficou de fora." for name in params if name not in names]


def part_of(params: QueryParams) -> Parte | None:
    """The part of the mesa that a telephone shows."""
    return next((one for one in PARTES if one == params.get("vista")), None)


def number_of(text: str | None) -> int | None:
    """A number from 1, None for anything else."""
    return int(text) if text and text.isascii() and text.isdigit() and 0 < len(text) < 7 and int(text) else None


def pages_of(pagina: int, total: int, tamanho: int) -> Sequence[int]:
    """The numbers that are offered: the ends, and those around the page at hand; none where all is on one."""
    ultimo = -(-max(1, total) // tamanho)
    return sorted({1, ultimo, *range(max(1, pagina - 1), min(ultimo, pagina + 1) + 1)}) if ultimo > 1 else []
