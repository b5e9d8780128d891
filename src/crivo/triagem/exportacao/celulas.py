"""What a table is made of, whatever format it goes out in."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from crivo.kernel.planilha import escrita

Celula: TypeAlias = escrita.Celula
Linha: TypeAlias = tuple[Celula, ...]
Tipo = Literal["texto", "longo", "nota", "fracao"]


@dataclass(frozen=True, slots=True)
class Coluna:
    """A column: its heading, how wide it is in characters, and what its cells hold (`fracao` is of 0 to 1)."""

    titulo: str
    largura: int
    tipo: Tipo = "texto"


@dataclass(frozen=True, slots=True)
class Tabela:
    """A table, its rows made as they are asked for."""

    titulo: str
    colunas: tuple[Coluna, ...]
    linhas: Iterator[Linha]
