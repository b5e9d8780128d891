"""What is wrong in a sheet, by its cells; the first thousand are kept, the others counted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from crivo.kernel.errors import Problem
from crivo.kernel.planilha.celulas import address
from crivo.triagem.importacao.problemas import LISTADOS_MAXIMO
from crivo.triagem.palavras import count


@dataclass(frozen=True, slots=True)
class NaCelula:
    """A fault of a cell: the sheet, the row from 1 on and the column from 0 on; None where it is of the whole sheet."""

    folha: str
    linha: int | None
    coluna: int
    mensagem: str
    codigo: str

    @property
    def onde(self) -> str:
        """The cell, as `Notas!D7`; the sheet where it is of all of it."""
        return self.folha if self.linha is None else address(self.folha, self.linha, self.coluna)

    @property
    def problema(self) -> Problem:
        """As errors tell it."""
        return Problem(self.mensagem, self.onde, None, self.codigo)


@dataclass(slots=True)
class Lista:
    """Faults in the order in which they were found."""

    listados: list[NaCelula] = field(default_factory=list)
    total: int = 0

    def add(self, um: NaCelula) -> None:
        """One more."""
        self.total += 1
        if len(self.listados) < LISTADOS_MAXIMO:
            self.listados.append(um)

    def put_in_order(self, folhas: Sequence[str]) -> None:
        """Those that were kept as one comes by them in the file: by sheet, row and column."""
        place = {folha: at for at, folha in enumerate(folhas)}
        self.listados.sort(key=lambda one: (place.get(one.folha, -1), one.linha or 0, one.coluna))

    def as_problems(self) -> Sequence[Problem]:
        """All that were kept, with a last one that says how many more there are."""
        told = [one.problema for one in self.listados]
        rest = self.total - len(self.listados)
        return [*told, Problem(f"E mais {count(rest, 'ocorrência', 'ocorrências')} além destas.", codigo="lista_cortada")] if rest else told


@dataclass(frozen=True, slots=True)
class Achados:
    """Where the faults of one sheet go, and what deserves a look in it."""

    folha: str
    problemas: Lista
    avisos: Lista

    def fail(self, codigo: str, linha: int | None, coluna: int, mensagem: str) -> None:
        """A fault, for which nothing is imported."""
        self.problemas.add(NaCelula(self.folha, linha, coluna, mensagem, codigo))

    def warn(self, codigo: str, linha: int | None, coluna: int, mensagem: str) -> None:
        """What deserves a look."""
        self.avisos.add(NaCelula(self.folha, linha, coluna, mensagem, codigo))
