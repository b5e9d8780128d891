"""That a project withdrew, as it is stored."""

from __future__ import annotations

from datetime import date, datetime
from uuid import UUID

from crivo.triagem.edital import Value


class Desistida(Value, frozen=True):
    """A withdrawal: `motivo` is None where what was said of the project was erased. One that was taken back says by whom and when."""

    id: UUID
    projeto_id: str
    desistiu_em: date
    motivo: str | None
    registrada_por: UUID
    registrada_em: datetime
    desfeita_por: UUID | None = None
    desfeita_em: datetime | None = None

    @property
    def em_vigor(self) -> bool:
        """Whether it was not taken back."""
        return self.desfeita_em is None
