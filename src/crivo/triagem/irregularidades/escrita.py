"""Numbers as Brazilians read them, for what a finding says."""

from __future__ import annotations

from decimal import Decimal


def decimal_pt(valor: float, casas: int = 2) -> str:
    """0.912 → `0,91`."""
    return f"{valor:.{casas}f}".replace(".", ",")


def percent_pt(valor: float) -> str:
    """99.95 → `99,9%`: cut, never rounded up to a whole that it is not."""
    cut = int(valor * 10) / 10
    return f"{cut:g}%".replace(".", ",")


def reais(valor: Decimal) -> str:
    """1234.5 → `R$ 1.234,50`."""
    return f"R$ {valor:,.2f}".translate(str.maketrans(",.", ".,"))


def counted(quantos: int, um: str, muitos: str) -> str:
    """`1 projeto`, `2 projetos`."""
    return f"{quantos} {um if quantos == 1 else muitos}"
