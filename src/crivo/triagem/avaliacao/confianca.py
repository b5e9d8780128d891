"""How much a suggested nota can be relied on, computed from what can be counted. Source: design, Avaliação ("Confiança is computed").

A model's own word on it is never asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import ROUND_DOWN, Decimal
from typing import Final

_CENT: Final = Decimal("0.01")
_UNSEEN_SPREAD: Final = Decimal("0.3")  # what one sample alone may hide
_NONE: Final = Decimal("0.00")


def compute_confianca(
    notas: Sequence[Decimal], pedidas: int, amplitude: Decimal, achadas: int, citadas: int, completude: Decimal
) -> Decimal:
    """`(1 − 0.3 ÷ k) × (k ÷ pedidas) × (1 − 2 × spread ÷ amplitude) × (achadas ÷ citadas) × completude`, 0 to 1, rounded down to cents.

    k is the number of `notas`, of `pedidas` samples asked for; spread is the largest nota less the smallest; `achadas` of the `citadas`
    passages were found in the project; `completude` is the share of the project that was read. One sample gives at most 0.70. It is of one
    critério alone: what shows of a judge by all of them halves it (`ressalvas`).
    """
    if not notas or not citadas or not achadas:
        return _NONE
    k = len(notas)
    spread = (max(notas) - min(notas)) / amplitude if amplitude > 0 else Decimal(0)
    agreement = max(Decimal(0), 1 - 2 * spread)
    found = min(Decimal(1), Decimal(achadas) / citadas)
    value = (1 - _UNSEEN_SPREAD / k) * min(Decimal(1), Decimal(k) / max(1, pedidas)) * agreement * found * min(Decimal(1), completude)
    return max(_NONE, value).quantize(_CENT, ROUND_DOWN)


def median(notas: Sequence[Decimal]) -> Decimal:
    """The middle nota, or the mean of the two in the middle, to two decimals."""
    ranked = sorted(notas)
    half = len(ranked) // 2
    middle = ranked[half] if len(ranked) % 2 else (ranked[half - 1] + ranked[half]) / 2
    return middle.quantize(_CENT)
