"""What is asked of a queue, and what answers to it: filters, an order, and the places of what is left. For any queue of the house.

Pure: a queue says of each of its filters which value, or values, an item has; the rest is the same for all of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, Final, Generic, TypeVar

F = TypeVar("F", bound=str)
O = TypeVar("O", bound=str)  # noqa: E741
K = TypeVar("K")
T = TypeVar("T")
Asked = TypeVar("Asked", bound="Pedido[Any, Any]")

SEM_CATEGORIA: Final = "-"
Faceta = Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Pedido(Generic[F, O]):
    """What is asked of a queue: of each filter any of its values, of all filters all; words; an order, its direction."""

    filtros: Mapping[F, frozenset[str]]
    q: str
    ordem: O
    desce: bool

    def com(self: Asked, filtro: str, *valores: str) -> Asked:
        """The same with these values of a filter, or without it where there are none."""
        others = {name: of for name, of in self.filtros.items() if name != filtro}
        return replace(self, filtros=others | ({filtro: frozenset(valores)} if valores else {}))


@dataclass(frozen=True, slots=True)
class Valores(Generic[T, F]):
    """What value an item has for each filter that has one each, and which values for those that may have several."""

    um: Mapping[F, Callable[[T], str]]
    varios: Mapping[F, Callable[[T], Collection[str]]]


@dataclass(frozen=True, slots=True)
class Vizinhos(Generic[K]):
    """Where the open item stands in the queue, from 1, None where it is not in it; those beside it, and the first of all.

    None where there is none; one of which no place is known has the first of the queue after it.
    """

    posicao: int | None = None
    anterior: K | None = None
    seguinte: K | None = None
    primeiro: K | None = None


def settled(pedido: Asked, known: Mapping[Any, Collection[str]]) -> tuple[Asked, tuple[tuple[Any, str], ...]]:
    """What is asked for without the values that there are not, and which these are: an old address may name them still."""
    unknown = tuple([(name, one) for name, of in known.items() for one in sorted(pedido.filtros.get(name, ())) if one not in of])
    for name in {name for name, _ in unknown}:
        pedido = pedido.com(name, *pedido.filtros[name].intersection(known[name]))
    return pedido, unknown


def left_by(itens: Iterable[T], filtros: Mapping[F, frozenset[str]], valores: Valores[T, F], *, sem: F | None = None) -> list[T]:
    """The items that answer to all filters but `sem`, in the order in which they came."""
    found = list(itens)
    for name, wanted in filtros.items():
        if name in valores.um and name != sem:
            valor_de = valores.um[name]
            found = [one for one in found if valor_de(one) in wanted]
    for name, wanted in filtros.items():
        if name in valores.varios and name != sem:
            valores_de = valores.varios[name]
            found = [one for one in found if not wanted.isdisjoint(valores_de(one))]
    return found


def in_order(itens: list[T], value: Callable[[T], Any], *, desce: bool) -> list[T]:
    """The items by that value, equals as they came. What has none stands last, whichever way it goes."""
    having = [(key, one) for one in itens if (key := value(one)) is not None]
    having.sort(key=lambda pair: pair[0], reverse=desce)
    return [one for _, one in having] + [one for one in itens if value(one) is None]


def counted(itens: Sequence[T], filtros: Mapping[F, frozenset[str]], valores: Valores[T, F]) -> Mapping[F, Faceta]:
    """How many items each value of each filter would leave, all other filters in force."""
    whole = left_by(itens, filtros, valores)
    found: dict[F, Faceta] = {}
    for name, valor_de in valores.um.items():
        found[name] = Counter(map(valor_de, left_by(itens, filtros, valores, sem=name) if name in filtros else whole))
    for name, valores_de in valores.varios.items():
        among = left_by(itens, filtros, valores, sem=name) if name in filtros else whole
        found[name] = Counter(chain.from_iterable(map(valores_de, among)))
    return found


def beside(chaves: Sequence[K], aberta: K | None, todas: Sequence[K] = ()) -> Vizinhos[K]:
    """Where the open item stands among the keys of a queue.

    `todas`: the same order without any filter, by which one that a filter no longer holds keeps its place.
    """
    first = chaves[0] if chaves else None
    if aberta is not None and aberta in chaves:
        at = chaves.index(aberta)
        return Vizinhos(at + 1, chaves[at - 1] if at else None, chaves[at + 1] if at + 1 < len(chaves) else None, first)
    if aberta is None or aberta not in todas:
        return Vizinhos(None, None, first, first)
    before = set(todas[: todas.index(aberta)])
    passed = [one for one in chaves if one in before]
    return Vizinhos(None, passed[-1] if passed else None, next((one for one in chaves if one not in before), None), first)


def page_of(total: int, tamanho: int, pedida: int | None, posicao: int | None) -> int:
    """The page that is asked for, or else the one on which that place is, or the first; the last where there are fewer."""
    asked = pedida or (1 if posicao is None else -(-posicao // tamanho))
    return min(asked, max(1, -(-total // tamanho)))
