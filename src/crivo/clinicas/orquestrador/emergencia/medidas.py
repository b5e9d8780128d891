"""What is measured of a body and told in numbers: `pressão 22 por 13`, `saturando 85`. Names, links and ranges are data."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from itertools import pairwise
from typing import Final, NamedTuple

import msgspec

from crivo.clinicas.orquestrador.contracts import Value
from crivo.clinicas.orquestrador.entende.lexico import expression
from crivo.kernel.linguagem.numeros import Numero, find_numbers

_BEFORE: Final = 90  # characters before a number in which what it measures is named
_LINKS: Final = 6  # words between a name and its number
_DAYS, _MONTHS = 31, 12
_IN_CENTIMETRES: Final = 40  # a pressure below it is said in centimetres of mercury: 22 is 220

Faixas = Mapping[str, tuple[tuple[float, float], ...]]


class Medida(Value, frozen=True):
    """What is measured: how it is named before its number and after it, and which ranges tell what.

    `par` where it is said as two numbers, the larger read by `faixas` and the smaller by `segunda`.
    """

    nomes: tuple[str, ...]
    faixas: dict[str, tuple[tuple[float, float], ...]]
    unidades: tuple[str, ...] = ()
    par: bool = False
    segunda: dict[str, tuple[tuple[float, float], ...]] = msgspec.field(default_factory=dict)


class _Nomes(NamedTuple):
    before: re.Pattern[str]
    after: re.Pattern[str]
    anywhere: re.Pattern[str]


class _Medidas(Value, frozen=True):
    entre: tuple[str, ...]
    liga: tuple[str, ...]
    mede: tuple[str, ...]
    segue: tuple[str, ...]
    medidas: tuple[Medida, ...]


def names() -> frozenset[str]:
    """Every name that a measure may give to what a text speaks of."""
    return frozenset(name for one in _medidas().medidas for name in (*one.faixas, *one.segunda))


def measured(text: str) -> frozenset[str]:
    """What the measures told in a plain text say: the names of the ranges that they lie in."""
    found = find_numbers(text)
    if not found:
        return frozenset()
    return frozenset(
        name for medida, named in _compiled() for one, other in _told(text, found) for name in _read(medida, named, text, one, other)
    )


def _told(text: str, found: Sequence[Numero]) -> Iterator[tuple[Numero, Numero | None]]:
    """Each number, with the second of a pair where it begins one; the second does not stand by itself."""
    taken = -1
    for one, other in pairwise((*found, None)):
        if one is None or one.start <= taken:
            continue
        paired = other if other is not None and _between().fullmatch(text, one.end, other.start) else None
        taken = paired.start if paired is not None else taken
        yield one, paired


def _read(medida: Medida, named: _Nomes, text: str, one: Numero, other: Numero | None) -> Iterator[str]:
    second = other if medida.par else None
    said = named.before.search(text[max(0, one.start - _BEFORE) : one.start])
    if second is None:
        apart = said is None and named.after.match(text, one.end) is None
        if apart or _follows().match(text, one.end):
            return
    elif not _is_measured(text, named, said, one, second):
        return
    values = sorted((_value(medida, number.value) for number in (one, second) if number is not None), reverse=True)
    yield from _within(medida.faixas, values[0])
    if second is not None:
        yield from _within(medida.segunda, values[1])


def _is_measured(text: str, named: _Nomes, said: re.Match[str] | None, one: Numero, second: Numero) -> bool:
    """Whether a pair is of a measure that the text names: right before it where a bar makes it a day as well (`pressão 20/11`)."""
    if "/" not in text[one.end : second.start]:
        return named.anywhere.search(text) is not None
    if said is None or text[second.end : second.end + 1] == "/":
        return False
    return one.value > _DAYS or second.value > _MONTHS or _measures().search(said["liga"]) is not None


def _value(medida: Medida, value: float) -> float:
    return value * 10 if medida.par and value < _IN_CENTIMETRES else value


def _within(faixas: Faixas, value: float) -> Iterator[str]:
    return (name for name, ranges in faixas.items() if any(low <= value <= high for low, high in ranges))


def _any(patterns: tuple[str, ...]) -> str:
    return "|".join(expression(one) for one in sorted(patterns, key=len, reverse=True))


@cache
def _compiled() -> tuple[tuple[Medida, _Nomes], ...]:
    return tuple((one, _named(one)) for one in _medidas().medidas)


def _named(one: Medida) -> _Nomes:
    nomes, liga = _any(one.nomes), _any((*_medidas().liga, *_medidas().mede))
    units = _any((*one.unidades, *(f"(de|of) {name}" for name in one.nomes)))
    return _Nomes(
        re.compile(rf"(?<!\w)(?:{nomes})(?!\w)(?P<liga>(?:[^\w.!?]{{1,3}}(?:{liga})(?!\w)){{0,{_LINKS}}})[^\w.!?/]{{0,3}}$"),
        re.compile(rf"\s{{0,2}}(?:{units})(?!\w)"),
        re.compile(rf"(?<!\w)(?:{nomes})(?!\w)"),
    )


@cache
def _measures() -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{_any(_medidas().mede)})(?!\w)")


@cache
def _between() -> re.Pattern[str]:
    return re.compile(rf"\s{{0,2}}(?:{_any(_medidas().entre)})\s{{0,2}}")


@cache
def _follows() -> re.Pattern[str]:
    return re.compile(rf"\s{{0,2}}(?:[/:]|(?:{_any(_medidas().segue)})(?!\w))")


@cache
def _medidas() -> _Medidas:
    return msgspec.json.decode(files(__package__).joinpath("medidas.json").read_bytes(), type=_Medidas)
