"""What stands stored of autorizacoes, as values: what use cases answer with, and no page or command asks a table for."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from typing import Final, Literal, get_args
from uuid import UUID

from crivo.autorizacoes.contracts import DecisaoFinal

Ordem = Literal["recebida", "-recebida", "pedido", "-pedido", "decisao", "-decisao"]
ORDENS: Final[tuple[Ordem, ...]] = get_args(Ordem)
"""What a list of decisions may be in order of; with `-`, the greatest first."""


@dataclass(frozen=True, slots=True)
class Autorizacao:
    """A decision; `catalogo_versao` pins the políticas it was made under, `digest` the bytes that are stored of it, empty until they are.

    `integra` is whether those bytes are still the ones.
    """

    id: UUID
    pedido_id: str | None
    administradora_id: str | None
    decisao_final: DecisaoFinal
    recebida_em: datetime
    data_recebimento: date
    catalogo_versao: int
    pedido: bytes
    decisao: bytes
    trilha: bytes
    digest: bytes = b""
    urgente: bool = False
    integra: bool = True


@dataclass(frozen=True, slots=True)
class Resumo:
    """A stored decision as a line of a list."""

    id: UUID
    pedido_id: str | None
    administradora_id: str | None
    decisao_final: DecisaoFinal
    recebida_em: datetime


@dataclass(frozen=True, slots=True)
class Apagada:
    """A stored decision whose personal data are gone: what is left of it is its line in a list."""

    resumo: Resumo


Status = Literal["rascunho", "publicada", "revogada"]


@dataclass(frozen=True, slots=True)
class PoliticaGuardada:
    """A stored política without its regras; `publicada_na` and `revogada_na` are catalogue versions.

    `encerra_anteriores` is whether, once published, it closes the earlier versions of its document.
    """

    id: UUID
    administradora_id: str
    documento: str
    versao: str
    vigencia_inicio: date
    vigencia_fim: date | None
    status: Status
    regras_total: int
    digest: bytes
    criada_em: datetime
    criada_por: str
    publicada_em: datetime | None
    publicada_na: int | None
    revogada_em: datetime | None
    revogada_na: int | None
    encerra_anteriores: bool = False


Situacao = Literal["proposto", "confirmado", "recusado"]


@dataclass(frozen=True, slots=True)
class Mapeamento:
    """A proposed name of a field: what an administradora calls `destino`, and what a person made of the proposal."""

    id: UUID
    administradora_id: str
    origem: str
    destino: str
    modelo: str
    situacao: Situacao
    autorizacao_id: UUID | None
    proposto_em: datetime
    decidido_em: datetime | None
    decidido_por: str | None
    motivo: str | None
