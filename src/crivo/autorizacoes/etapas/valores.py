"""Reads single values the way people write them: numbers, yes and no, names of enums. Source: PRD RF1 1.2."""

from __future__ import annotations

import re
import string
from decimal import Decimal
from functools import cache, lru_cache
from typing import Any, Final

import msgspec

from crivo.autorizacoes.contracts import Sexo
from crivo.kernel.linguagem.dobra import without_accents
from crivo.kernel.linguagem.lexico import read_lexico
from crivo.kernel.linguagem.numeros import number_written

LARGEST_NUMBER = 999_999_999
MAX_IDADE = 130
_LONGEST_VALUE = 40
_STROKES = "-–—_./\\?#…~ "  # never `*`, which is a plano that is any
_UNIT_LETTERS = string.ascii_letters + "."
_DAYS_OF_A_YEAR = 365

_REAIS = re.compile(r"^(?:r\$|rs\$?|brl)\s*|\s*(?:reais|real|brl)$", re.IGNORECASE)
_THOUSANDS = re.compile(r"[1-9][0-9]{0,2}(?:\.[0-9]{3})+")
_SEPARATORS = re.compile(r"[\s_-]+")

UNREADABLE: Final[Any] = object()
"""What `text_of` answers for a value that is no text."""


class _Preexistencias(msgspec.Struct, frozen=True):
    nenhuma: frozenset[str]
    desconhecidas: frozenset[str]


class _Nada(msgspec.Struct, frozen=True):
    """What is written where there is nothing to write: in the place of any id, and of a person's or a pedido's number alone."""

    ditas: frozenset[str]
    de_numero: frozenset[str]


class _Palavras(msgspec.Struct, frozen=True):
    nada: _Nada
    sim: frozenset[str]
    nao: frozenset[str]
    anos: frozenset[str]
    meses_de_vida: frozenset[str]
    meio_ano: frozenset[str]
    dias: frozenset[str]
    prestador: dict[str, frozenset[str]]
    sexo: dict[Sexo, frozenset[str]]
    preexistencias: _Preexistencias


@cache
def _palavras() -> _Palavras:
    return read_lexico("crivo.autorizacoes", "valores", _Palavras)


def text_of(value: Any) -> Any:
    """The trimmed text that a JSON value writes, a number in plain decimals; `UNREADABLE` for a boolean, a list or an object."""
    kind = type(value)
    if kind is str:
        return value.strip()
    if kind is int:
        return str(value)
    if kind is float:
        return str(int(value)) if value.is_integer() else format(Decimal(repr(value)), "f")
    return "" if value is None else UNREADABLE


def says_nothing(text: str, *, is_number: bool = False) -> bool:
    """Whether a text is what is written where there is none (`N/A`, `-`, `não informado`), so that it is nobody's id.

    `is_number`: it stands for a number of a person or of a pedido, which zeros alone are not either.
    """
    if len(text) > _LONGEST_VALUE:
        return False
    last = text[-1:]
    if last.isdecimal():
        return is_number and last == "0" and all(letter == "0" or not letter.isalnum() for letter in text)
    word = fold_enum(text)
    known = _palavras().nada
    return word in known.ditas or (is_number and word in known.de_numero) or not text.strip(_STROKES)


def read_number(value: Any) -> int | float | None:
    """The number that a value is or writes, decimal comma too; None when it is none, a boolean, or beyond 999,999,999.

    None too where the text could be one of two numbers (`1.000`).
    """
    kind = type(value)
    if kind is int:
        number: int | float | None = value
    elif kind is float:
        number = int(value) if value.is_integer() else value
    elif kind is str and len(value) <= _LONGEST_VALUE:
        number = number_written(value.strip())
    else:
        return None
    return number if number is not None and -LARGEST_NUMBER <= number <= LARGEST_NUMBER else None


def read_idade(value: Any) -> int | None:
    """Whole years from 0 to 130, also with their unit (`45 anos`, `8 meses`); None when the value is no plausible age."""
    if value is None:
        return None
    number = _idade_written(value) if type(value) is str and not value.strip().isdecimal() else read_number(value)
    return number if type(number) is int and 0 <= number <= MAX_IDADE else None


def _idade_written(text: str) -> int | None:
    """Completed years of an age with its unit: months of life by twelves, and days only below a year."""
    whole, _, rest = text.partition(" e ")
    number, unit = _whole_measured(whole)
    known = _palavras()
    if number is None or (rest and not (unit in known.anos and _part_of_a_year(rest))):
        return None
    if unit in known.anos:
        return number
    if unit in known.meses_de_vida:
        return number // 12
    return 0 if unit in known.dias and number < _DAYS_OF_A_YEAR else None


def _part_of_a_year(text: str) -> bool:
    """Whether what follows the years is less than one: `2 meses`, `meio`."""
    months, unit = _whole_measured(text)
    known = _palavras()
    return fold_enum(text) in known.meio_ano or (months is not None and months < 12 and unit in known.meses_de_vida)


def _whole_measured(text: str) -> tuple[int | None, str]:
    figures, unit = _measured(text)
    number = number_written(figures) if figures.isdecimal() else None
    return (number if type(number) is int else None), unit


def read_dias(value: Any) -> int | float | None:
    """The number of days of a text that says they are days (`120 dias`); None for another unit, since no month has a settled length."""
    if type(value) is not str:
        return None
    figures, unit = _measured(value)
    return read_number(figures) if unit in _palavras().dias else None


def _measured(text: str) -> tuple[str, str]:
    """The figures of a measure and its folded unit, empty where there is none or the text is no short one."""
    text = text.strip()
    if len(text) > _LONGEST_VALUE:
        return text, ""
    figures = text.rstrip(_UNIT_LETTERS)
    return figures.rstrip(), fold_enum(text[len(figures) :].rstrip("."))


@cache
def prestadores() -> dict[str, str]:
    """The words for whether a provider belongs to the network, each with the value of the contract. Source: PRD RF1 1.2."""
    return {word: tipo for tipo, words in _palavras().prestador.items() for word in (tipo, *words)}


def read_boolean(value: Any) -> bool | None:
    """Yes or no as JSON, as one of the many words for them, or as 1 and 0; None when the value is neither."""
    if type(value) is bool:
        return value
    word = fold_enum(value) if type(value) is str else str(read_number(value)) if type(value) in (int, float) else ""
    known = _palavras()
    return True if word in known.sim else False if word in known.nao else None


def read_sexo(value: Any) -> Sexo | None:
    """F or M by one of the words for them; None for anything else, figures included: systems do not agree on what they stand for."""
    word = fold_enum(value) if type(value) is str else ""
    return next((sexo for sexo, words in _palavras().sexo.items() if word in words), None)


def read_reais(value: Any) -> int | float | None:
    """An amount in R$, from 0: a number, or a text with or without its sign (`R$ 1.234,56`); None where it is none or could be another.

    `1.234` is a thousand and more where the sign says that it is money, and is not read where none does.
    """
    number = read_number(value)
    if number is None and type(value) is str and len(value) <= _LONGEST_VALUE:
        text = _REAIS.sub("", value.strip())
        number = read_number(text.replace(".", "") if _THOUSANDS.fullmatch(text) and text != value.strip() else text)
    return number if number is not None and number >= 0 else None


def preexistencias_declaradas(value: Any) -> bool | None:
    """Whether any pre-existing condition was declared; None where the pedido does not say. Source: Lei 9.656/1998 art. 11."""
    if value is None:
        return None
    if type(value) in (bool, int, float):
        return bool(value)
    if type(value) is str:
        word = fold_enum(value)
        if not value.strip() or word in _palavras().preexistencias.desconhecidas:
            return None
        return word not in _palavras().preexistencias.nenhuma
    if type(value) is dict:
        value = list(value.values())
    said = [preexistencias_declaradas(item) for item in value]
    return True if True in said else None if None in said else False


def fold_enum(text: str) -> str:
    """Upper case without accents, with one underscore where spaces, hyphens or underscores stood."""
    return _fold_enum(text) if len(text) <= _LONGEST_VALUE else ""


@lru_cache(maxsize=2048)
def _fold_enum(text: str) -> str:
    return _SEPARATORS.sub("_", without_accents(text.strip()).upper()).strip("_")


def years_between(birth: str, day: str) -> int:
    """Completed years from one ISO date to another; negative when the second is earlier."""
    return int(day[:4]) - int(birth[:4]) - (day[5:] < birth[5:])
