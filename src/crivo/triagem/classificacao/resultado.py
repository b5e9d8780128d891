"""What a classification comes to: a place, or the reason for none, of every project, with the facts that explain it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from decimal import Decimal
from functools import cached_property
from hashlib import sha256
from typing import Literal

from crivo.triagem.classificacao.concorrencia import Avaliada, Concorrencia, Decidida, Inscrito
from crivo.triagem.classificacao.definicao import AMPLA, Desempate, Vagas
from crivo.triagem.classificacao.regua import Contas, Regua
from crivo.triagem.condicao import Value

Situacao = Literal["selecionado", "suplente", "nao_classificado", "desclassificado", "inabilitado", "pendente"]


class Inabilitado(Value, frozen=True):
    """A person decided so."""

    decidida: Decidida


class Faltam(Value, frozen=True):
    """So few complete avaliações of so many."""

    completas: int
    minimo: int


class Divergem(Value, frozen=True):
    """Two avaliadores too far apart on a critério, by its place; notas are scaled as the régua has them."""

    criterio: int
    menor: int
    maior: int


class ZeroElimina(Value, frozen=True):
    """A mean of 0 on a critério, by its place, that does not forgive it."""

    criterio: int


class AbaixoNoCriterio(Value, frozen=True):
    """A mean under the least of a critério, by its place."""

    criterio: int


class AbaixoDaMinima(Value, frozen=True):
    """A nota_base under the least."""


Fora = Inabilitado | Faltam | Divergem | ZeroElimina | AbaixoNoCriterio | AbaixoDaMinima
"""Why a project has no place."""


class Ampla(Value, frozen=True):
    """One of the broad places."""


class DaCota(Value, frozen=True):
    """One of the places that a cota keeps."""

    cota: str


class Recebida(Value, frozen=True):
    """A place of a cota without optants, taken by an optant of another."""

    de: str
    cota: str


class SobraDeCota(Value, frozen=True):
    """A place of a cota for which no optant was left anywhere."""

    de: str


class DeCategoria(Value, frozen=True):
    """A place that another category could not fill."""

    de: str


Via = Ampla | DaCota | Recebida | SobraDeCota | DeCategoria
"""By what a project has its place."""


class Desempatado(Value, frozen=True):
    """By which of the tie-breaks a project stands before, or behind, one of the same nota_final; None: by the draw that ends all ties."""

    por: Desempate | None
    outro: str
    atras: bool


class Lugar(Value, frozen=True, gc=False):
    """What became of a project. `fora` has every reason where it has no place; `posicao` counts from 1 in its grupo."""

    inscrito: Inscrito
    situacao: Situacao
    contas: Contas | None = None
    fora: tuple[Fora, ...] = ()
    grupo: int | None = None
    posicao: int | None = None
    desempate: Desempatado | None = None
    via: Via | None = None
    suplencia: int | None = None

    @property
    def vaga(self) -> str | None:
        """AMPLA, the cota's id, or None without a place."""
        if isinstance(self.via, DaCota | Recebida):
            return self.via.cota
        return None if self.via is None else AMPLA


class Grupo(Value, frozen=True):
    """Who competes together, the best first; `vagas` is None of a category that the edital gives none."""

    categoria: str
    vagas: Vagas | None
    ordem: tuple[Lugar, ...]


class Classificada:
    """All places: grupo by grupo in the order of the vagas, then those that have no place as they came in."""

    def __init__(self, concorrencia: Concorrencia, regua: Regua, grupos: Sequence[Grupo], fora: Sequence[Lugar]) -> None:
        self.concorrencia = concorrencia
        self.regua = regua
        self.grupos = tuple(grupos)
        self.lugares = (*(lugar for grupo in grupos for lugar in grupo.ordem), *fora)

    @cached_property
    def por_id(self) -> Mapping[str, Lugar]:
        """Each by the project's id."""
        return {lugar.inscrito.id: lugar for lugar in self.lugares}

    @cached_property
    def decididas(self) -> Mapping[str, Decidida]:
        """What people decided, by project."""
        return {one.projeto: one for one in self.concorrencia.habilitacoes}

    @cached_property
    def avaliadas(self) -> Mapping[str, Sequence[Avaliada]]:
        """What people gave, complete or not, by project."""
        return by_projeto(self.concorrencia.avaliacoes)

    def last(self, grupo: int, vaga: str) -> Lugar | None:
        """The lowest in the order of a grupo that has a broad place, or one of a cota; None where nobody has."""
        return self._last.get((grupo, vaga))

    def final(self, lugar: Lugar) -> Decimal:
        """The nota_final of a project that competes."""
        return self.regua.pontos(lugar.contas.final if lugar.contas else 0)

    def drawn(self, lugar: Lugar) -> str:
        """The draw of a project, in hexadecimal digits: the lower goes first."""
        return draw(self.concorrencia.semente, lugar.inscrito.id).hex()

    @cached_property
    def _last(self) -> Mapping[tuple[int, str], Lugar]:
        return {(lugar.grupo, lugar.vaga): lugar for lugar in self.lugares if lugar.grupo is not None and lugar.vaga is not None}


def by_projeto(avaliacoes: Sequence[Avaliada]) -> Mapping[str, Sequence[Avaliada]]:
    """What was given, by project."""
    found: defaultdict[str, list[Avaliada]] = defaultdict(list)
    for one in avaliacoes:
        found[one.projeto].append(one)
    return found


def draw(semente: str, projeto_id: str) -> bytes:
    """SHA-256 of `<semente>:<projeto_id>`; bytes are in the order of their hexadecimal digits."""
    return sha256(f"{semente}:{projeto_id}".encode()).digest()
