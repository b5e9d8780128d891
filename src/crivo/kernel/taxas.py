"""Shares as they are reported: with the interval that says how much the count can bear."""

from __future__ import annotations

import math
from typing import Any, Final

import msgspec

_Z: Final = 1.959963984540054  # 95 %


class Taxa(msgspec.Struct, frozen=True):
    """A share with its 95 % Wilson interval; `valor` is None where nothing was counted."""

    certos: int
    total: int
    valor: float | None
    de: float | None
    ate: float | None


def taxa(certos: int, total: int) -> Taxa:
    """The share of `certos` among `total`, 0 to 1."""
    if total == 0:
        return Taxa(certos, total, None, None, None)
    value = certos / total
    spread = _Z * math.sqrt(value * (1 - value) / total + _Z**2 / (4 * total**2))
    low, high = ((value + _Z**2 / (2 * total) + sign * spread) / (1 + _Z**2 / total) for sign in (-1, 1))
    return Taxa(certos, total, value, max(0.0, low), min(1.0, high))


def proportion(acertos: int, total: int) -> dict[str, Any]:
    """A share as evaluations print it: `{"acertos", "total", "valor", "intervalo"}`, to four places; both None of nothing."""
    found = taxa(acertos, total)
    if found.valor is None or found.de is None or found.ate is None:
        return {"acertos": 0, "total": 0, "valor": None, "intervalo": None}
    return {"acertos": acertos, "total": total, "valor": round(found.valor, 4), "intervalo": [round(found.de, 4), round(found.ate, 4)]}
