"""Long lists on pages without any script: what is searched for, in what order, which page of it, and the addresses of the others."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, Literal, TypeVar
from urllib.parse import urlencode

from crivo.kernel.linguagem.dobra import fold

Item = TypeVar("Item")
Linha = TypeVar("Linha", covariant=True)
Sentido = Literal["", "ascending", "descending"]
_BESIDE: Final = 1  # pages named on either side of the one that is shown
_DOWN: Final = "-"


@dataclass(frozen=True, slots=True)
class Folha:
    """A page of a list by its number; 0 stands for those that are left out between two others."""

    numero: int
    endereco: str
    atual: bool


@dataclass(frozen=True, slots=True)
class Fatia(Generic[Linha]):
    """A page of a list; `anterior` and `seguinte` are the queries of its neighbours, empty where there is none."""

    linhas: tuple[Linha, ...]
    total: int
    primeiro: int
    ultimo: int
    anterior: str
    seguinte: str
    folhas: tuple[Folha, ...]


@dataclass(frozen=True, slots=True)
class Coluna(Generic[Item]):
    """A column that a list can be put in order by: its code in addresses, its words, and what lines compare by."""

    codigo: str
    nome: str
    chave: Callable[[Item], Any]
    numero: bool = False
    desce: bool = False  # whether its first order is the descending one


@dataclass(frozen=True, slots=True)
class Titulo:
    """The head of a column: its words, the query that puts the list in order by it, and which way it is in order by it now."""

    nome: str
    endereco: str = ""
    sentido: Sentido = ""
    numero: bool = False


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

    folhas = tuple([Folha(of, address(of), of == numero) for of in numbers(numero, pages)]) if pages > 1 else ()
    first = before + 1 if linhas else 0
    return Fatia(tuple(linhas), total, first, before + len(linhas), address(numero - 1), address(numero + 1), folhas)


def numbers(numero: int, pages: int) -> list[int]:
    """The pages to name beside page `numero` of so many: the first, the last and those about it; 0 where some are left out."""
    named = {1, pages, *range(max(1, numero - _BESIDE), min(pages, numero + _BESIDE) + 1)}
    named |= {one for one in (2, pages - 1) if {one - 1, one + 1} <= named}  # one page takes no more room than what stands for it
    found: list[int] = []
    for one in sorted(named):
        found += [0, one] if found and one > found[-1] + 1 else [one]
    return found


def order(itens: Sequence[Item], colunas: Sequence[Coluna[Item]], ordem: str) -> list[Item]:
    """The lines in the order that the address asks for; as they came where it asks for none, or for one that there is not."""
    for coluna in colunas:
        if coluna.codigo == ordem.removeprefix(_DOWN):
            return sorted(itens, key=coluna.chave, reverse=ordem.startswith(_DOWN))
    return list(itens)


def heads(colunas: Sequence[Coluna[Any]], ordem: str, query: Mapping[str, str]) -> tuple[Titulo, ...]:
    """The heads of those columns, each with the query of its order, or of the other way where the list is in it already."""
    return tuple([head(one.codigo, one.nome, ordem, query, numero=one.numero, desce=one.desce) for one in colunas])


def head(codigo: str, nome: str, ordem: str, query: Mapping[str, str], *, numero: bool = False, desce: bool = False) -> Titulo:
    """The head of one column; `desce`: pressed first, it puts the greatest on top."""
    up, down = codigo, _DOWN + codigo
    sentido: Sentido = "ascending" if ordem == up else "descending" if ordem == down else ""
    turned = (down if ordem == up else up) if sentido else down if desce else up
    return Titulo(nome, link(query, ordem=turned), sentido, numero)


def link(query: Mapping[str, str], **changed: str) -> str:
    """The query of an address, with what is empty left out."""
    return "?" + urlencode({name: value for name, value in {**query, **changed}.items() if value})


def matches(words: str, *texts: str) -> bool:
    """Whether each of the words is in one of the texts, whatever its accents and case."""
    if not words:
        return True
    said = fold(" ".join(texts))
    return all(word in said for word in fold(words).split())
