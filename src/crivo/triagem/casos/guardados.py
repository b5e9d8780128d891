"""A case as it stands: what set it off, and all that people said of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal
from uuid import UUID

from crivo.triagem.achados import Irregularidade, TipoIrregularidade
from crivo.triagem.casos.achado import Gravidade
from crivo.triagem.edital import Value
from crivo.triagem.irregularidades.sinais import SINAL_DE

SituacaoCaso = Literal["aberto", "confirmado", "descartado"]
TipoDito = Literal["decisao", "desfeita", "anotacao", "dono"]
SITUACOES: Final[tuple[SituacaoCaso, ...]] = ("aberto", "confirmado", "descartado")
SUMIDO: Final = "sumido"
"""In the place of a situação: cases that the last screening did not find any more."""


class Dito(Value, frozen=True, kw_only=True):
    """Something that a person did to a case. `texto` is a reason or a note, None where it was erased with a project.

    `situacao` is how the case stands after a decision, or after it was undone; `dono` whose it is after somebody took it, None after
    it was let go. `tipos` and `projetos` are what the case was made of at that moment.
    """

    id: UUID
    tipo: TipoDito
    situacao: SituacaoCaso | None
    texto: str | None
    dono: UUID | None
    tipos: tuple[TipoIrregularidade, ...]
    projetos: tuple[str, ...]
    por: UUID
    por_nome: str
    em: datetime


class Caso(Value, frozen=True, kw_only=True):
    """A case of an edital, with its signs and all that was said of it. `numero` is its own for ever.

    `projetos` are its codes, those of past editais as `edital/projeto`. Where the last screening did not find it any more it is not
    `presente`, and its signs are those of the one that did.
    """

    id: UUID
    numero: int
    titulo: str
    gravidade: Gravidade
    tipos: tuple[TipoIrregularidade, ...]
    projetos: tuple[str, ...]
    sinais: tuple[Irregularidade, ...]
    presente: bool
    historia: tuple[Dito, ...] = ()
    dono_nome: str = ""

    @property
    def situacao(self) -> SituacaoCaso:
        """How the last decision that stands left it."""
        decided = self.decisoes
        return decided[-1].situacao or "aberto" if decided else "aberto"

    @property
    def motivo(self) -> str | None:
        """The reason of the decision that stands; None where it was erased with a project."""
        return self.decisoes[-1].texto if self.decisoes else ""

    @property
    def decidido_por(self) -> UUID | None:
        """Whose decision stands."""
        return self.decisoes[-1].por if self.decisoes else None

    @property
    def decidido_por_nome(self) -> str:
        """What they are called."""
        return self.decisoes[-1].por_nome if self.decisoes else ""

    @property
    def decidido_em(self) -> datetime | None:
        """When it was taken."""
        return self.decisoes[-1].em if self.decisoes else None

    @property
    def decisoes(self) -> tuple[Dito, ...]:
        """The decisions that were not taken back, the one that stands last."""
        standing: list[Dito] = []
        for one in self.historia:
            if one.tipo == "decisao":
                standing.append(one)
            elif one.tipo == "desfeita" and standing:
                standing.pop()
        return tuple(standing)

    @property
    def versao(self) -> int:
        """How often it was decided or a decision taken back: what was before whoever decides is shown back as `visto`."""
        return sum(one.situacao is not None for one in self.historia)

    @property
    def dono(self) -> UUID | None:
        """Whose it is to treat."""
        return next((one.dono for one in reversed(self.historia) if one.tipo == "dono"), None)

    @property
    def anotacoes(self) -> tuple[Dito, ...]:
        """Notes on it, the first one first."""
        return tuple([one for one in self.historia if one.tipo == "anotacao"])

    @property
    def mudou(self) -> tuple[str, ...]:
        """What came to it since it was confirmed or dismissed: kinds of signs, then codes of projects."""
        if self.situacao == "aberto":
            return ()
        then = self.decisoes[-1]
        new = [tipo for tipo in self.tipos if tipo not in then.tipos]
        return (*new, *(codigo for codigo in self.projetos if codigo not in then.projetos))

    @property
    def velado(self) -> bool:
        """Whether people who evaluate are told nothing of it."""
        return any(SINAL_DE[tipo].velado for tipo in self.tipos)

    @property
    def pendente(self) -> bool:
        """Whether somebody still has to decide it: it is open, or more came to it since it was decided."""
        return self.presente and (self.situacao == "aberto" or bool(self.mudou))

    @property
    def resumido(self) -> CasoResumido:
        """The case in a line."""
        return CasoResumido(self.numero, self.titulo, self.gravidade, self.situacao, self.tipos, self.presente, self.pendente, self.velado)


class CasoResumido(Value, frozen=True):
    """A case in a line, as lists of projects tell of it."""

    numero: int
    titulo: str
    gravidade: Gravidade
    situacao: SituacaoCaso
    tipos: tuple[TipoIrregularidade, ...]
    presente: bool
    pendente: bool
    velado: bool


@dataclass(frozen=True, slots=True)
class PedidoCasos:
    """Which cases of an edital are asked for, a page of so many from 1: `filtro` is a situação, `SUMIDO` or empty, `tipo` a kind of sign.

    `q` are words that are to be found in its title, its signs or its projects.
    """

    q: str = ""
    filtro: str = ""
    tipo: str = ""
    pagina: int = 1
    tamanho: int = 10


@dataclass(frozen=True, slots=True)
class ListaCasos:
    """A page of cases, the gravest first, and how many there are of each situação (with `SUMIDO`) and of each kind."""

    total: int
    pagina: int
    casos: tuple[Caso, ...]
    situacoes: Mapping[str, int]
    tipos: Mapping[TipoIrregularidade, int]


def by_project(casos: Sequence[Caso]) -> Mapping[str, tuple[CasoResumido, ...]]:
    """Cases in a line each by the projects that they concern, in their order."""
    found: dict[str, list[CasoResumido]] = {}
    for one in casos:
        for codigo in one.projetos:
            found.setdefault(codigo, []).append(one.resumido)
    return {codigo: tuple(its) for codigo, its in found.items()}


def named_in(casos: Sequence[Caso]) -> set[str]:
    """The codes of all projects that cases speak of, quotes too."""
    quoted = {of.projeto for one in casos for sinal in one.sinais for of in sinal.evidencia if of.projeto is not None}
    return quoted.union(*(one.projetos for one in casos))
