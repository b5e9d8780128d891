"""The months as Brazilians write them, folded: what reads dates in words begins from here."""

from __future__ import annotations

from typing import Final

MESES: Final = (
    "janeiro",
    "fevereiro",
    "marco",
    "abril",
    "maio",
    "junho",
    "julho",
    "agosto",
    "setembro",
    "outubro",
    "novembro",
    "dezembro",
)
