"""The nota of a whole project out of those of its critérios. Source: design, An execução, 2 ("Σ weight × nota ÷ Σ weight")."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from crivo.triagem.achados import NotaSugerida
from crivo.triagem.edital import Criterio, Value


class Media(Value, frozen=True):
    """The weighted mean of the notas suggested with evidence, None where there is none; partial where a critério has none of its own."""

    valor: Decimal | None
    com_nota: int
    criterios: int

    @property
    def parcial(self) -> bool:
        """Whether some critério is not in it: it is then no nota of the whole project."""
        return self.com_nota < self.criterios


def media_of(criterios: Sequence[Criterio], notas: Sequence[NotaSugerida]) -> Media:
    """Σ weight × nota ÷ Σ weight over the critérios that have a nota with evidence, and how many have."""
    given = {nota.criterio: nota.nota_sugerida for nota in notas if nota.nota_sugerida is not None and nota.situacao == "sugerida"}
    graded = [criterio for criterio in criterios if criterio.id in given]
    weights = sum((one.peso for one in graded), Decimal(0))
    weighed = sum((one.peso * given[one.id] for one in graded), Decimal(0))
    return Media(weighed / weights if weights else None, len(graded), len(criterios))
