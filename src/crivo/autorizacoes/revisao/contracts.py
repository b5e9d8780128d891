"""The values of a review."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

import msgspec

from crivo.autorizacoes.contracts import DecisaoFinal, Mensagens, Value
from crivo.autorizacoes.revisao.prazos import Prazo
from crivo.kernel.linguagem.identificadores import mask_cpfs


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

    @property
    def encoberta(self) -> Revisao:
        """The same as it is told to anybody, on pages as in what leaves: with each CPF of its words reduced to its middle."""
        said = self.mensagens
        mensagens = Mensagens(mask_cpfs(said.para_solicitante), mask_cpfs(said.para_beneficiario))
        return msgspec.structs.replace(self, motivo=mask_cpfs(self.motivo), mensagens=mensagens)


class Reserva(Value, frozen=True):
    """Who has a decision in hand, and until when."""

    autorizacao_id: UUID
    revisor: str
    ate: datetime


class NaFila(Value, frozen=True, kw_only=True):
    """A decision that waits for a person, by what it is found and put in order by; nothing of whom it is about.

    `prazo` is None where the holidays of its days are not known. `reserva` is who decides it now, for half an hour; `responsavel` whose it
    is (empty: nobody's), `desde` a moment.
    """

    id: UUID
    pedido_id: str | None
    administradora_id: str | None
    decisao_final: DecisaoFinal
    recebida_em: datetime
    urgente: bool
    tipo: str | None
    plano_id: str | None
    regra_id: str | None
    motivos: tuple[str, ...]
    prazo: Prazo | None
    reserva: Reserva | None
    responsavel: str
    desde: datetime | None

    @property
    def quem(self) -> str:
        """Whose it is now: its owner's, else whoever decides it; empty where it is nobody's."""
        return self.responsavel or (self.reserva.revisor if self.reserva is not None else "")

    @property
    def vez(self) -> tuple[bool, float, UUID]:
        """Its place in the order of the queue: the urgent before all others, those without a deadline next, the shortest deadline first."""
        return (not self.urgente, 0.0 if self.prazo is None else self.prazo.ate.timestamp(), self.id)


class PorHora(Value, frozen=True):
    """How many of one hour wait that are alike in all that a deadline is counted from."""

    hora: datetime
    urgente: bool
    tipo: str | None
    administradora_id: str | None
    responsavel: str
    quantas: int
