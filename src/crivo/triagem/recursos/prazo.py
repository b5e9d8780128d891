"""When a recurso may be made: the days that a published result gives, or those of the edital. Pure.

The last day is whole: it ends at midnight in Brasília.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from typing import Literal

from crivo.kernel.clock import BRASILIA
from crivo.triagem.condicao import Value
from crivo.triagem.edital import FaseDatada

Situacao = Literal["sem_datas", "por_abrir", "aberto", "encerrado"]


class Prazo(Value, frozen=True):
    """The days in which a recurso may be made, both included; both None where nobody said them."""

    inicio: date | None = None
    fim: date | None = None

    def situacao(self, em: datetime) -> Situacao:
        """How it stands at an instant."""
        if self.inicio is None or self.fim is None:
            return "sem_datas"
        today = em.astimezone(BRASILIA).date()
        if today < self.inicio:
            return "por_abrir"
        return "aberto" if today <= self.fim else "encerrado"


def prazo_of(fases: Sequence[FaseDatada], em: datetime, publicado: tuple[datetime, date] | None = None) -> Prazo:
    """The days that count at an instant.

    `publicado` is when the last result that gives days for recursos was published, and the last of these days: they go before the
    edital's. Of several phases of the edital it is the one under way, else the next, else the last.
    """
    if publicado is not None:
        return Prazo(publicado[0].astimezone(BRASILIA).date(), publicado[1])
    today = em.astimezone(BRASILIA).date()
    phases = sorted([(one.inicio, one.fim or one.inicio) for one in fases if one.fase == "recursos"])
    if not phases:
        return Prazo()
    return Prazo(*next((one for one in phases if today <= one[1]), phases[-1]))
