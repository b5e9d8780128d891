"""Notas, means and points as Brazilians write them; what was rounded or cut off is never shown as if it were exact."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from typing import Final

from crivo.triagem.classificacao.exato import places_of, unscaled
from crivo.triagem.palavras import number

_LEAST: Final = 2
_MOST: Final = 4


@lru_cache(maxsize=20_000)
def nota_said(value: Decimal) -> str:
    """With two places at least, and as many as it has: `93,00`, `8,125`."""
    return number(value, max(_LEAST, places_of([value])))


def exact_said(value: Fraction, least: int = _LEAST) -> str:
    """A fraction whole where four places hold it, else cut off with a mark: `8,25`, `4,9966…`."""
    scaled = value.numerator * 10**_MOST
    cut = unscaled(scaled // value.denominator, _MOST)
    if scaled % value.denominator:
        return f"{number(cut, _MOST)}…"
    return number(cut, max(least, places_of([cut])))


def percent_said(value: Fraction) -> str:
    """`12%`, `33,3333…%`."""
    return f"{exact_said(value, 0)}%"


@lru_cache(maxsize=20_000)
def points_said(points: Fraction | Decimal) -> str:
    """What was lacking: `Faltou 0,25 ponto`, `Faltou 1,00 ponto`, `Faltaram 5,50 pontos`."""
    said = exact_said(Fraction(points))
    return f"Faltaram {said} pontos" if points >= _LEAST else f"Faltou {said} ponto"
