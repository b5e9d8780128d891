"""The values of beneficiaries' links."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Literal
from uuid import UUID

from crivo.autorizacoes.contracts import DecisaoFinal
from crivo.autorizacoes.etapas.mensagens.beneficiario import Falta

SituacaoDoLink = Literal["em_uso", "vencido", "bloqueado", "revogado"]


@dataclass(frozen=True, slots=True)
class Link:
    """A link as the table tells of it: neither its secret nor its code can be read there."""

    id: UUID
    autorizacao_id: UUID
    codigo_resumo: bytes = field(repr=False)
    criado_em: datetime
    criado_por: str
    expira_em: datetime
    erros: int
    aberturas: int
    revogado_em: datetime | None


@dataclass(frozen=True, slots=True)
class LinkNovo:
    """A link that was just made: its address and its code, which go by different ways; neither is shown again. `fechou` is whether one
    that opened until then opens no more.
    """

    endereco: str = field(repr=False)
    codigo: str = field(repr=False)
    expira_em: datetime
    fechou: bool


@dataclass(frozen=True, slots=True)
class LinkVisto:
    """How a decision's link fares, for whoever gave it."""

    id: UUID
    situacao: SituacaoDoLink
    criado_em: datetime
    expira_em: datetime
    aberturas: int


@dataclass(frozen=True, slots=True)
class PedidoDito:
    """What was asked for, as whoever asked called it; each empty, or None, where it was not said. `feito_em` is an ISO date."""

    numero: str
    procedimento: str
    plano: str
    feito_em: str
    quantidade: int | float | None = None


@dataclass(frozen=True, slots=True)
class Leitura:
    """What a beneficiary reads: in whose name (empty where the organisation has none), what was asked for, how it was decided, in which
    words, what is still to come, how much was approved, and until when it is good; `revista` by a person, `substituida` by the answer
    to a later message of the same request.
    """

    organizacao: str
    pedido: PedidoDito
    decisao_final: DecisaoFinal
    mensagem: str = field(repr=False)
    falta: Falta
    quantidade_aprovada: int | float | None
    decidida_em: datetime
    vale_ate: date | None
    revista: bool
    substituida: bool
