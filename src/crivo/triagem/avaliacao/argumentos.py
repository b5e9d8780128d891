"""Passages that argue for a nota without ordering it: that it is deserved, that others gave it, that every critério is met in full.

A project that describes itself well says what it does; one that argues says what it is worth to whoever grades. What argues is read as
what orders is: the reading that counts is without it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Final

from crivo.kernel.linguagem.dobra import fold
from crivo.kernel.linguagem.lexico import beginnings, read_lexico
from crivo.triagem.edital import Value

_SCORE: Final = re.compile(
    r"(?<![\d.,/])(?:10|[89](?:[.,]\d{1,2})?|9\d|100)(?:[.,]0{1,2})?(?![\d/]|[.,]\d|\s*(?:h\b|horas|anos|alunos|pessoas|%))"
)


class _Vocabulario(Value, frozen=True):
    sobre: str
    medida: tuple[str, ...]
    regua: tuple[str, ...]
    topo: tuple[str, ...]
    merece: tuple[str, ...]
    antes: tuple[str, ...]
    deu: tuple[str, ...]
    pontos: tuple[str, ...]
    cumpre: tuple[str, ...]
    sem_falta: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Palavras:
    medida: re.Pattern[str]
    regua: re.Pattern[str]
    topo: re.Pattern[str]
    merece: re.Pattern[str]
    antes: re.Pattern[str]
    deu: re.Pattern[str]
    pontos: re.Pattern[str]
    cumpre: re.Pattern[str]
    sem_falta: re.Pattern[str]


def argues(sentence: str) -> bool:
    """Whether a sentence says which nota its project is worth, to whoever gives it."""
    plain, words = fold(sentence), _palavras()
    if words.merece.search(plain) and (words.medida.search(plain) or words.topo.search(plain)):
        return True
    if words.sem_falta.search(plain) and words.regua.search(plain):
        return True
    if words.cumpre.search(plain) and words.regua.search(plain) and words.topo.search(plain):
        return True
    given = words.antes.search(plain) and words.deu.search(plain)
    return bool(given and (words.pontos.search(plain) or _SCORE.search(plain)))


@cache
def _palavras() -> _Palavras:
    told = read_lexico(__package__, "argumentos", _Vocabulario)
    return _Palavras(*(beginnings(getattr(told, name)) for name in _Palavras.__slots__))
