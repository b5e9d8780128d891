"""What a message is weighed by: its words, their letters and their neighbours, with values told as what they are.

`quero a Dra. Lia sexta às 10h` weighs as `quero a DOUTOR DIA as HORA`: which doctor and which hour teach nothing.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise
from typing import Final

from crivo.kernel.linguagem.fala import fold
from crivo.kernel.linguagem.pesos import Grupos

LONGEST: Final = 1_000  # characters of a message that are read
_MOST_WORDS: Final = 120
_NUMEROS: Final = (
    "dois|duas|tres|quatro|cinco|seis|sete|oito|nove|dez|onze|doze|treze|quatorze|catorze|quinze|dezesseis|dezessete|dezoito|dezenove|"
    "vinte|trinta|quarenta|meia"
)
_DIAS: Final = "segundas?|tercas?|quartas?|quintas?|sextas?|sabados?|domingos?|seg|ter|qua|qui|sex|sab"
_VALORES: Final = re.compile(
    r"(?P<CPF>\d{3}\.?\d{3}\.?\d{3}[-. ]?\d{2})"
    r"|(?P<DATA>\d{1,2}/\d{1,2}(?:/\d{2,4})?|\bdia \d{1,2})"
    r"|(?P<HORA>\d{1,2}\s?(?:h|hs|hrs|horas?)\s?\d{0,2}\b|\d{1,2}:\d{2}|\d{1,2} e meia)"
    rf"|(?P<DIA>\b(?:{_DIAS})(?:-?feiras?)?\b)"
    r"|(?P<DOUTOR>\b(?:dra?|doutora?|dotora?)\b\.?(?: (?!que|mesmo|pra|por|nao|no|na|de|em|e\b)[a-z]+)?)"
    r"|(?P<TURNO>\b(?:manha|manhazinha|tarde|tardinha|noite|noitinha|madrugada)\b)"
    r"|(?P<QUANDO>\b(?:depois de amanha|amanha|hoje|semana que vem|mes que vem|proxima semana)\b)"
    rf"|(?P<NUM>\d+|\b(?:{_NUMEROS})\b)"
)
_DRAWN_OUT: Final = re.compile(r"([a-z])\1{2,}")
_PIECES: Final = re.compile(r"[A-Z]+\b|[a-z]+|[?!,]|\d+|[^\x00-\x7f]")
_EACH_LENGTH: Final = 3  # pieces up to which each length is told apart; beyond, by fours


def pieces(text: str) -> list[str]:
    """The words and marks of a message, folded, each value by its kind in capitals."""
    plain = _DRAWN_OUT.sub(r"\1", fold(text[:LONGEST]))
    return _PIECES.findall(_VALORES.sub(lambda value: f" {value.lastgroup} ", plain))[:_MOST_WORDS]


def features(text: str, contexto: str) -> Grupos:
    """The features of a message, and of it beside what it answers (`contexto`)."""
    told = pieces(text)
    edged = ["^", *told, "$"]
    alone = frozenset(told)
    near = alone | {f"{one} {other}" for one, other in pairwise(edged)}
    apart = frozenset((*map(" ".join, zip(edged, edged[1:], edged[2:], strict=False)), *_around(edged)))
    length = f"{len(told) if len(told) <= _EACH_LENGTH else f'{min(len(told) // 4, 5)}x4'} pedacos"
    return {
        "palavras": near,
        "trios": apart,
        "letras": frozenset(run for word in alone for run in _letters(word)),
        "contexto": frozenset(f"{contexto}: {one}" for one in near),
        "tamanho": frozenset((f"{contexto}:", length, f"{contexto}: {length}")),
    }


def _around(edged: list[str]) -> list[str]:
    return [f"{one} _ {other}" for one, other in zip(edged, edged[2:], strict=False)]


@lru_cache(maxsize=20_000)
def _letters(word: str) -> tuple[str, ...]:
    marked = f"_{word}_"
    return tuple(f"~{run}" for run in {marked[at : at + size] for size in (3, 4, 5) for at in range(len(marked) - size + 1)})
