"""Whether a certainty holds: of all that was said with about so much of it, how much was so."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

Previsao = tuple[float, bool]
"""How sure something was said to be, 0 to 1, and whether it was so."""
_BOUNDS: Final = (0.0, 0.02, 0.1, 0.3, 0.5, 0.7, 0.9, 0.98, 1.0)
_BAR: Final = 40


def reliability(previsoes: Sequence[Previsao]) -> list[tuple[float, float, int]]:
    """For each stretch of certainty: its mean, the share that was so, and of how many."""
    rows = []
    for low, high in pairwise(_BOUNDS):
        inside = [one for one in previsoes if low <= one[0] < high or (high == 1.0 and one[0] == 1.0)]
        if inside:
            rows.append((sum(said for said, _ in inside) / len(inside), sum(was for _, was in inside) / len(inside), len(inside)))
    return rows


def expected_error(previsoes: Sequence[Previsao]) -> float:
    """By how much the certainty is off, on average."""
    rows = reliability(previsoes)
    return sum(many * abs(said - was) for said, was, many in rows) / max(1, sum(many for *_, many in rows))


def reliability_table(previsoes: Sequence[Previsao]) -> str:
    """The same drawn in text: a line a stretch, `|` where the certainty stands and `#` up to what was so."""
    lines = ["  certeza  foi assim  quantas"]
    for said, was, many in reliability(previsoes):
        bar = list(("#" * round(was * _BAR)).ljust(_BAR + 1))
        bar[round(said * _BAR)] = "|"
        lines.append(f"  {said:7.3f}  {was:9.3f}  {many:7d}  {''.join(bar)}".rstrip())
    return "\n".join([*lines, f"  erro médio da certeza: {expected_error(previsoes):.3f}"])
