"""How a date is written, told from the date itself: the patterns that read it, and which of day and month comes first."""

from __future__ import annotations

import re
from functools import cache
from itertools import product
from typing import Any, Final

from crivo.autorizacoes.mapeamento.caminhos import leaves
from crivo.autorizacoes.mapeamento.datas import FormatoDeData, compile_formato

_FAR: Final = "2999-12-31"
_MOST_LOOKED_AT: Final = 2_000
_ISO: Final = re.compile(r"\d{4}-\d{2}-\d{2}(?:[T ].*)?", re.ASCII)
_DIAS: Final = ("dd/MM/yyyy", "dd-MM-yyyy", "dd.MM.yyyy", "dd/MM/yy", "dd-MM-yy", "dd.MM.yy")
_OUTROS: Final = ("yyyy/MM/dd", "yyyy.MM.dd", "yyyyMMdd", "d 'de' MMMM 'de' yyyy", "dd MMM yyyy", "dd-MMM-yyyy", "dd/MMM/yyyy")
_HORAS: Final = ("", " HH:mm", " HH:mm:ss", "'T'HH:mm", "'T'HH:mm:ss", "'T'HH:mm:ssXXX", " HH'h'mm", " - HH:mm")


def pattern_of(value: object, *, month_first: bool = False) -> str | None:
    """The pattern that reads a value as a date, empty where it is ISO and needs none; None where no pattern does.

    Where the day could be the month, the day comes first unless `month_first`.
    """
    if not isinstance(value, str) or not value.strip():
        return None
    if _ISO.fullmatch(value.strip()):
        return ""
    days, months = _read_by(value, _swap(month_first=False)), _read_by(value, _swap(month_first=True))
    if days and months:
        return months if month_first else days
    return days or months or _read_by(value, _others()) or None


def is_ambiguous(value: object, formato: str | None) -> bool:
    """Whether a date reads as another one with day and month the other way round."""
    if not isinstance(value, str) or not formato or formato.startswith("y"):
        return False  # a date that begins with its year has the month before the day
    other = formato.translate(str.maketrans("dM", "Md"))
    if "MMM" in formato or "ddd" in other:
        return False
    here, there = compile_formato(formato).read(value, _FAR), compile_formato(other).read(value, _FAR)
    return here is not None and there is not None and here != there


def month_comes_first(documento: Any) -> bool:
    """Whether some date of a document can only be read with its month first, and none only with its day first."""
    return _orders(documento) == {True}


def order_is_told(documento: Any) -> bool:
    """Whether the dates of a document tell by themselves which of day and month comes first."""
    return len(_orders(documento)) == 1


def _orders(documento: Any) -> set[bool]:
    """Of the dates that read in one order alone, whether that is the month first."""
    found: set[bool] = set()
    for at, leaf in enumerate(leaves(documento)):
        if at >= _MOST_LOOKED_AT or len(found) == 2:
            break
        if isinstance(leaf.valor, str) and 6 <= len(leaf.valor) <= 30 and leaf.valor[:1].isdigit():
            day, month = _read_by(leaf.valor, _swap(month_first=False)), _read_by(leaf.valor, _swap(month_first=True))
            if bool(day) != bool(month):
                found.add(bool(month))
    return found


def _read_by(value: str, padroes: tuple[FormatoDeData, ...]) -> str:
    return next((um.texto for um in padroes if um.read(value, _FAR) is not None), "")


@cache
def _swap(*, month_first: bool) -> tuple[FormatoDeData, ...]:
    dias = [um.translate(str.maketrans("dM", "Md")) if month_first else um for um in _DIAS]
    return tuple([compile_formato(f"{dia}{hora}") for dia, hora in product(dias, _HORAS)])


@cache
def _others() -> tuple[FormatoDeData, ...]:
    return tuple([compile_formato(f"{dia}{hora}") for dia, hora in product(_OUTROS, _HORAS)])
