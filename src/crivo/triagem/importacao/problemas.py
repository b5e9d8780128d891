"""What is wrong with an import, and what only deserves a look: each with the path of its field."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import ClassVar, Final

from crivo.kernel.errors import CrivoError, Kind, Problem
from crivo.kernel.formas.palavras import SHOWN, Caminho, cut, format_caminho
from crivo.kernel.linguagem.identificadores import mask_cpfs
from crivo.triagem.palavras import count

# Beyond this many the list stops growing: nobody reads on, and a hostile file would fill the memory.
LISTADOS_MAXIMO: Final = 1_000
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


class ImportacaoRecusada(CrivoError):
    """An import of which nothing was kept; `problemas` has every fault with its path, `arquivo` the name of the file they are in."""

    codigo: ClassVar[str] = "importacao_recusada"
    kind: ClassVar[Kind] = Kind.INVALID
    titulo: ClassVar[str] = "O edital não pôde ser importado"

    def __init__(self, arquivo: str, problemas: Sequence[Problem], total: int | None = None) -> None:
        quantos = len(problemas) if total is None else total
        conserto = "Corrija-o" if quantos == 1 else "Corrija-os"
        super().__init__(
            f"{arquivo}: {count(quantos, 'problema', 'problemas')}, e nada foi importado. {conserto} e importe de novo.", problemas
        )
        self.arquivo = arquivo


class ImportacaoIlegivel(ImportacaoRecusada):
    """A file that cannot be read as JSON at all, or is not there."""

    codigo: ClassVar[str] = "importacao_ilegivel"
    kind: ClassVar[Kind] = Kind.MALFORMED


class ImportacaoGrandeDemais(ImportacaoRecusada):
    """A file beyond the limit of size."""

    codigo: ClassVar[str] = "importacao_grande_demais"
    kind: ClassVar[Kind] = Kind.TOO_LARGE


class Ocorrencias:
    """Problems, or avisos, in the order in which they were found; the first thousand are kept and the others counted.

    `origens` says where a field came from when the file that people know has another shape.
    """

    def __init__(self, origens: Mapping[Caminho, Caminho] | None = None) -> None:
        self._achados: list[Problem] = []
        self._origens: Mapping[Caminho, Caminho] = {} if origens is None else origens
        self.total = 0

    @property
    def cheia(self) -> bool:
        """True when further ones are only counted."""
        return len(self._achados) >= LISTADOS_MAXIMO

    def add(self, codigo: str, caminho: Caminho, mensagem: str, linha: int | None = None) -> None:
        """One more; `linha` counts from 1, where it is known."""
        self.total += 1
        if not self.cheia:
            self._achados.append(Problem(mensagem, format_caminho(self.origin(caminho), cite), linha, codigo))

    def as_tuple(self) -> tuple[Problem, ...]:
        """All that were kept, with a last one that says how many more there are."""
        omitidos = self.total - len(self._achados)
        if not omitidos:
            return tuple(self._achados)
        mensagem = f"E mais {count(omitidos, 'ocorrência', 'ocorrências')} além destas."
        return (*self._achados, Problem(mensagem, codigo="lista_cortada"))

    def origin(self, caminho: Caminho) -> Caminho:
        """Where the field stands in the file that people know."""
        for size in range(len(caminho), 0, -1):
            origem = self._origens.get(caminho[:size])
            if origem is not None:
                return (*origem, *caminho[size:])
        return caminho


def cite(escrito: str) -> str:
    """A name or value from the file, fit for a message: short, without what cannot be seen, and no CPF in clear."""
    return cut(_CONTROL.sub("�", mask_cpfs(escrito[: 2 * SHOWN])))
