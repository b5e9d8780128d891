"""The numbers that a text of the evaluation states: `um` and `uma` alone are none, and neither are shares."""

from __future__ import annotations

from decimal import Decimal

from crivo.kernel.linguagem.dobra import fold
from crivo.kernel.linguagem.numeros import find_numeros


def numbers_in(texto: str, *, first: bool = False) -> tuple[Decimal, ...]:
    """The numbers, normalised, in order; with `first`, only one that the text begins with."""
    plain = fold(texto)
    found = find_numeros(plain)
    told = found[:1] if first and found and not plain[: found[0].start].strip() else () if first else found
    return tuple(Decimal(repr(one.value)).normalize() for one in told if not one.artigo and not one.fracao)
