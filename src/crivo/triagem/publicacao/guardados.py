"""What stands published of an edital, and what would be published of it now, as values."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date, datetime
from functools import cached_property
from typing import Literal
from uuid import UUID

from crivo.triagem.classificacao.publicado import FaseDoResultado
from crivo.triagem.classificacao.resultado import Classificada
from crivo.triagem.edital import Value
from crivo.triagem.publicacao.conteudo import Conteudo, decode

TipoDePendencia = Literal["sem_decisao", "pendentes", "sem_preliminar", "prazo_de_recurso", "recursos_abertos"]


class Publicada(Value, frozen=True):
    """A version as lists name it. `codigo` finds it without an account; `sha256` is of its bytes; `motivo` says why it took another's
    place. Recursos against a preliminary one are taken until the end of `recursos_ate`.
    """

    edital_id: str
    versao: int
    fase: FaseDoResultado
    codigo: str
    sha256: str
    semente: str
    motivo: str
    recursos_ate: date | None
    publicada_por: UUID
    publicada_em: datetime


def standing(one: Publicada, todas: Collection[Publicada]) -> Publicada:
    """The version of the same fase that is in force, of all of an edital: the last one. A final result replaces no preliminary one."""
    return max((of for of in todas if of.fase == one.fase), key=lambda of: of.versao, default=one)


@dataclass(frozen=True)
class Versao:
    """A version with the bytes that were published."""

    publicada: Publicada
    escrito: bytes

    @cached_property
    def conteudo(self) -> Conteudo:
        """What the bytes say."""
        return decode(self.escrito)


class Prova(Value, frozen=True):
    """Where the audit tells of a version: the number and digest of its entry. `firme`: it stands linked, and vouches for what is stored."""

    registro: int
    em: datetime
    digest: str
    firme: bool


class Pendencia(Value, frozen=True):
    """What is not settled of so many; `impede` a publication, or is only told before it."""

    tipo: TipoDePendencia
    quantos: int
    impede: bool


@dataclass(frozen=True, slots=True)
class Rascunho:
    """What would be published now; whoever publishes says by `sha256` that this is what they saw. `anterior` is the version in force."""

    classificada: Classificada
    conteudo: Conteudo
    sha256: str
    pendencias: tuple[Pendencia, ...]
    anterior: Publicada | None

    @property
    def impedida(self) -> bool:
        """Whether something stands against publishing it."""
        return any(one.impede for one in self.pendencias)
