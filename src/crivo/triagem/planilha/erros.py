"""What can be wrong with a spreadsheet of notas."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from crivo.kernel.errors import CrivoError, Kind, Problem
from crivo.kernel.planilha.erros import TITULO
from crivo.triagem.palavras import count

if TYPE_CHECKING:
    from crivo.triagem.planilha.previa import PreviaDeNotas


class PlanilhaRecusada(CrivoError):
    """A spreadsheet of which nothing was kept; `problemas` has the faults by cell, `total` how many there are."""

    codigo: ClassVar[str] = "planilha_recusada"
    kind: ClassVar[Kind] = Kind.INVALID
    titulo: ClassVar[str] = TITULO

    def __init__(self, problemas: Sequence[Problem], total: int) -> None:
        found, mend = count(total, "problema", "problemas"), "Corrija-o" if total == 1 else "Corrija todos"
        super().__init__(f"Há {found} na planilha, e nada foi importado. {mend} e envie de novo.", problemas)
        self.total = total


class PlanilhaMudou(CrivoError):
    """What would come of a spreadsheet is no longer what was shown; `nova` is what would come of it now."""

    codigo: ClassVar[str] = "planilha_mudou"
    kind: ClassVar[Kind] = Kind.CONFLICT
    titulo: ClassVar[str] = "Algo mudou desde a prévia"

    def __init__(self, nova: PreviaDeNotas) -> None:
        super().__init__("As notas, as decisões ou o edital mudaram enquanto você conferia. Nada foi importado: veja a prévia de agora.")
        self.nova = nova
