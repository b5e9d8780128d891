"""Numbers without an error: decimals as integers of one scale, and the rounding that editais mean."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal


def places_of(values: Iterable[Decimal]) -> int:
    """How many places after the comma it takes to write all of them."""
    return max((_places(value) for value in values), default=0)


def scaled(value: Decimal, places: int) -> int:
    """The value times 10^places. Precondition: it has no more places than that."""
    sign, digits, exponent = value.as_tuple()
    if not isinstance(exponent, int):
        raise TypeError(value)
    whole = int("".join(map(str, digits)))
    shift = exponent + places
    power: int = 10 ** abs(shift)
    whole = whole * power if shift >= 0 else whole // power
    return -whole if sign else whole


def half_up(numerator: int, denominator: int) -> int:
    """The nearest integer to a fraction that is not negative; of two as near, the higher."""
    return (2 * numerator + denominator) // (2 * denominator)


def unscaled(value: int, places: int) -> Decimal:
    """The decimal that an integer of that scale stands for, however many digits it has."""
    sign, digits = (1, -value) if value < 0 else (0, value)
    return Decimal((sign, tuple(map(int, str(digits))), -places))


def _places(value: Decimal) -> int:
    exponent = value.as_tuple().exponent
    if not value or not isinstance(exponent, int) or exponent >= 0:
        return 0
    digits = value.as_tuple().digits
    zeros = next(at for at, digit in enumerate(reversed(digits)) if digit)
    return max(0, -exponent - zeros)
