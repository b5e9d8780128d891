"""How hard a model that thinks is to think, and how much longer it is waited for then."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from crivo.kernel.settings import Esforco, Settings

# What thinks longer is silent longer, and ends later. To think less than its own way brings an answer sooner, and nobody is cut off for it.
_FACTORS: Final[Mapping[Esforco | None, float]] = {None: 1.0, "minimo": 1.0, "baixo": 1.0, "medio": 1.5, "alto": 3.0}


def patience(seconds: float, esforco: Esforco | None) -> float:
    """How long an answer is waited for that takes so many seconds where a model thinks in its own way."""
    return seconds * _FACTORS[esforco]


def effort_of(settings: Settings) -> Esforco | None:
    """How hard the configured model thinks, as far as is known: as it is told, or `medio` where its family thinks without being told."""
    if settings.modelo_esforco is not None or not settings.tem_modelo:
        return settings.modelo_esforco
    from crivo.kernel.llm.familias import familia_of  # here: it takes half a second, and most commands ask no model

    behind = settings.modelo_familia or settings.modelo.partition(":")[2]
    return "medio" if familia_of(behind, 0).pensa else None
