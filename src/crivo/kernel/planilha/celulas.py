"""What a spreadsheet holds, whatever it was read from: sheets, their rows, and cells by their address."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from enum import Enum
from typing import NamedTuple, TypeAlias


class Estranho(Enum):
    """A cell that holds neither a text nor a number; what it is, and what mends it."""

    FORMULA = "é uma fórmula. Copie a célula e cole só o valor"
    DATA = "virou uma data. Formate a célula como número e escreva de novo"
    ERRO = "mostra um erro da planilha. Corrija a célula, ou apague-a"
    LOGICO = "é verdadeiro ou falso. Escreva o texto ou o número"
    PARTIDO = "só tem um número, como uma nota partida pela vírgula. Separe as colunas com ponto e vírgula, ou escreva as notas com ponto"


Celula: TypeAlias = str | Decimal | Estranho | None
Linha: TypeAlias = tuple[int, tuple[Celula, ...]]
"""A row by its number, from 1 on, with its cells from column A on."""


@dataclass(frozen=True, slots=True)
class Folha:
    """A sheet; `linhas` reads its rows from the first, those between that are empty too. `mescladas` are ranges, as `A2:A4`."""

    nome: str
    linhas: Callable[[], Iterator[Linha]]
    oculta: bool = False
    mescladas: tuple[str, ...] = ()


def address(folha: str, linha: int, coluna: int) -> str:
    """A cell as people name it: `Notas!D7`; columns count from 0."""
    return f"{folha}!{letter(coluna)}{linha}"


def letter(coluna: int) -> str:
    """The letters of a column, counted from 0: A, Z, AA."""
    letters, rest = "", coluna + 1
    while rest:
        rest, place = divmod(rest - 1, 26)
        letters = chr(ord("A") + place) + letters
    return letters


def is_blank(celula: Celula) -> bool:
    """Whether nothing can be seen in a cell."""
    return celula is None or (isinstance(celula, str) and not celula.strip())


def written(celula: Celula) -> str:
    """A cell as text, without blanks around it; of a number, its digits."""
    if isinstance(celula, Decimal):
        return f"{celula.normalize():f}"
    return celula.strip() if isinstance(celula, str) else ""


class Porcento(NamedTuple):
    """A number in a cell that is formatted as a percentage: `0.2`, which people see as 20 %."""

    fracao: Decimal


Valor: TypeAlias = str | Decimal | bool | date | Porcento | Estranho | None


class LinhaDeValores(NamedTuple):
    """A row of values by its number, from 1 on; columns count from 0.

    `calculadas` are those that show what a formula last gave, `riscadas` those whose text is struck through.
    """

    numero: int
    celulas: tuple[Valor, ...]
    calculadas: tuple[int, ...] = ()
    oculta: bool = False
    riscadas: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class FolhaDeValores:
    """A sheet as people see it: of a formula the value it last gave, dates as dates. `linhas` is as of Folha.

    `comentarios` are what people noted beside cells, by the cell's address in the sheet, as `C2`.
    """

    nome: str
    linhas: Callable[[], Iterator[LinhaDeValores]]
    oculta: bool = False
    mescladas: tuple[str, ...] = ()
    comentarios: tuple[tuple[str, str], ...] = ()
    colunas_ocultas: frozenset[int] = frozenset()
