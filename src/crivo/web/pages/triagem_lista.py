"""Long lists on pages without any script: what is searched for, which page of it, and the addresses of the others."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar
from urllib.parse import urlencode

from crivo.kernel.text.folding import fold

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
    pages = max(1, -(-len(itens) // size))
    at = min(max(1, numero), pages)
    start = (at - 1) * size
    linhas = tuple([show(item) for item in itens[start : start + size]])

    def address(of: int) -> str:
        return link(query, pagina=str(of)) if 1 <= of <= pages else ""

    return Fatia(linhas, len(itens), start + 1 if linhas else 0, start + len(linhas), address(at - 1), address(at + 1))


def link(query: Mapping[str, str], **changed: str) -> str:
    """The query of an address, with what is empty left out."""
    return "?" + urlencode({name: value for name, value in {**query, **changed}.items() if value})


def matches(words: str, *texts: str) -> bool:
    """Whether each of the words is in one of the texts, whatever its accents and case."""
    if not words:
        return True
    said = fold(" ".join(texts))
    return all(word in said for word in fold(words).split())
