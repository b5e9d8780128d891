"""A política's file as a tree in which every value knows its line, and the list of what is wrong with it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final, TypeAlias

import msgspec

from crivo.kernel.errors import CrivoError, Kind, Problem
from crivo.kernel.formas.palavras import Caminho, format_caminho

# A política is 5 levels deep; the rest is room for mistakes that are better told by the field's name.
PROFUNDIDADE_MAXIMA: Final = 16
# Beyond this many the list stops growing: nobody reads on, and a hostile file would fill the memory.
PROBLEMAS_MAXIMO: Final = 10_000


class PoliticaInvalida(CrivoError):
    """A política that cannot be read or breaks the contract; `problemas` has every fault, with its path and line."""

    codigo: ClassVar[str] = "politica_invalida"
    kind: ClassVar[Kind] = Kind.INVALID
    titulo: ClassVar[str] = "A política não pôde ser lida"

    def __init__(self, problemas: Sequence[Problem]) -> None:
        contagem = "1 problema. Corrija-o" if len(problemas) == 1 else f"{len(problemas)} problemas. Corrija-os"
        super().__init__(f"A política tem {contagem} e importe de novo.", problemas)


class Escalar(msgspec.Struct, frozen=True, gc=False):
    """A single value; `solto` is the text as written where YAML made something else of an unquoted word."""

    valor: str | int | float | bool | None
    linha: int
    solto: str | None = None


class Lista(msgspec.Struct, frozen=True, gc=False):
    """A list, at the line where it opens or where its key stands."""

    itens: tuple[No, ...]
    linha: int


class Mapa(msgspec.Struct, frozen=True, gc=False):
    """An object; a value that has a key stands at its key's line."""

    campos: dict[str, No]
    linha: int


No: TypeAlias = Escalar | Lista | Mapa


class Problemas:
    """What was found wrong so far, in the order of the file's reading."""

    def __init__(self) -> None:
        self._achados: list[Problem] = []
        self._omitidos = 0

    def __bool__(self) -> bool:
        """True when anything was found."""
        return bool(self._achados)

    @property
    def cheio(self) -> bool:
        """True when further problems are only counted."""
        return len(self._achados) >= PROBLEMAS_MAXIMO

    def add(self, codigo: str, caminho: Caminho, linha: int | None, mensagem: str) -> None:
        """One more problem; `linha` counts from 1."""
        self._append(Problem(mensagem, format_caminho(caminho), linha, codigo))

    def _append(self, problem: Problem) -> None:
        if self.cheio:
            self._omitidos += 1
        else:
            self._achados.append(problem)

    def omit(self, quantos: int) -> None:
        """So many more, which are only counted."""
        self._omitidos += quantos

    def extend(self, outros: Problemas) -> None:
        """All the problems of another reading of the same file."""
        for problem in outros._achados:
            self._append(problem)
        self._omitidos += outros._omitidos

    def as_tuple(self) -> tuple[Problem, ...]:
        """All of them by line, with a last one that counts those left out."""
        ordered = sorted(self._achados, key=lambda problem: problem.linha or 0)
        if self._omitidos:
            mensagem = f"Há mais {self._omitidos} problemas além destes; corrija primeiro os que estão listados."
            ordered.append(Problem(mensagem, codigo="problemas_demais"))
        return tuple(ordered)


def unreadable(codigo: str, linha: int | None, mensagem: str, caminho: Caminho = ()) -> PoliticaInvalida:
    """The error for a file that cannot be read beyond this point."""
    return PoliticaInvalida([Problem(mensagem, format_caminho(caminho), linha, codigo)])


def add_chave_repetida(problemas: Problemas, caminho: Caminho, linha: int, primeira_linha: int) -> None:
    """The same key twice in one object: which of the two would hold is anybody's guess, so neither does."""
    problemas.add(
        "chave_repetida", caminho, linha, f"`{caminho[-1]}` já apareceu na linha {primeira_linha}; deixe só uma das duas ocorrências."
    )


def linha_of(no: No, caminho: Caminho) -> int:
    """The line of the value at this path, or of the deepest one on the way there that exists."""
    for passo in caminho:
        filho: No | None = None
        if isinstance(no, Mapa) and isinstance(passo, str):
            filho = no.campos.get(passo)
        elif isinstance(no, Lista) and isinstance(passo, int) and passo < len(no.itens):
            filho = no.itens[passo]
        if filho is None:
            break
        no = filho
    return no.linha
