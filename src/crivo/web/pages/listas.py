"""Long lists on pages without any script: what is searched for, which page of it, and the addresses of the others."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar
from urllib.parse import urlencode

from crivo.kernel.linguagem.dobra import fold

Item = TypeVar("Item")
Linha = TypeVar("Linha", covariant=True)


@dataclass(frozen=True, slots=True)
class Fatia(Generic[Linha]):
    """A page of a list; `anterior` and `seguinte` are the queries of its neighbours, empty where there is none."""

    linhas: tuple[Linha, ...]
    total: int
    primeiro: int
    ultimo: int
    anterior: str
    seguinte: str


def cut(itens: Sequence[Item], show: Callable[[Item], Linha], numero: int, size: int, query: Mapping[str, str]) -> Fatia[Linha]:
    """The page of that number, from 1, each item of it shown; the last one where there are fewer. `query`: what else the address says."""
    at = min(max(1, numero), max(1, -(-len(itens) // size)))
    start = (at - 1) * size
    return slice_of([show(item) for item in itens[start : start + size]], len(itens), at, size, query)


def slice_of(linhas: Sequence[Linha], total: int, numero: int, size: int, query: Mapping[str, str]) -> Fatia[Linha]:
    """Page `numero`, from 1, of `total` lines; the lines are sliced already."""
    before, pages = (numero - 1) * size, max(1, -(-total // size))

    def address(of: int) -> str:
        return link(query, pagina=str(of)) if 1 <= of <= pages else ""

    return Fatia(tuple(linhas), total, before + 1 if linhas else 0, before + len(linhas), address(numero - 1), address(numero + 1))


def link(query: Mapping[str, str], **changed: str) -> str:
    """The query of an address, with what is empty left out."""
    return "?" + urlencode({name: value for name, value in {**query, **changed}.items() if value})


def matches(words: str, *texts: str) -> bool:
    """Whether each of the words is in one of the texts, whatever its accents and case."""
    if not words:
        return True
    said = fold(" ".join(texts))
    return all(word in said for word in fold(words).split())
