"""The values of a review."""

from __future__ import annotations

from datetime import date, datetime
from uuid import UUID

from crivo.autorizacoes.contracts import DecisaoFinal, Mensagens, Value


class RevisaoProposta(Value, frozen=True, kw_only=True):
    """What a person decides, and why; without `mensagens` the code writes them out of the reason."""

    decisao_final: DecisaoFinal
    motivo: str
    quantidade_aprovada: int | float | None = None
    mensagens: Mensagens | None = None


class Revisao(Value, frozen=True, kw_only=True):
    """A person's decision over a stored one; `decisao_anterior` is what stood before it, the code's or an earlier person's."""

    id: UUID
    autorizacao_id: UUID
    decisao_anterior: DecisaoFinal
    decisao_final: DecisaoFinal
    quantidade_aprovada: int | float | None
    motivo: str
    mensagens: Mensagens
    revisor: str
    decidida_em: datetime


class Reserva(Value, frozen=True):
    """Who has a decision in hand, and until when."""

    autorizacao_id: UUID
    revisor: str
    ate: datetime


class Assunto(Value, frozen=True):
    """What a decision is about: the procedure as it was asked for (empty where it was not said), and the code's motivos."""

    procedimento: str
    motivos: tuple[str, ...]


class NaFila(Value, frozen=True, kw_only=True):
    """A decision that waits for a person; `prazo` is the last day on which an answer is in time. Source: RN 623/2024."""

    id: UUID
    pedido_id: str | None
    administradora_id: str | None
    decisao_final: DecisaoFinal
    recebida_em: datetime
    urgente: bool
    prazo: date
    reserva: Reserva | None
