"""The language a person writes in, by the words that only one of the three has much of."""

from __future__ import annotations

import re
from typing import Final

import msgspec

from crivo.clinicas.orquestrador.contracts import Idioma
from crivo.kernel.linguagem.fala import fold
from crivo.kernel.linguagem.lexico import read_lexico

_OWN_COUNTS: Final = 2
_ENOUGH: Final = 2


class _Palavras(msgspec.Struct, frozen=True):
    """Words of one language: those that neither of the others has, each clear by itself, and those that only many together tell."""

    proprias: frozenset[str]
    comuns: frozenset[str]


_WORDS: Final = read_lexico("crivo.clinicas.orquestrador.entende", "lexico/idiomas", dict[Idioma, _Palavras])
_WORD: Final = re.compile(r"[a-z]+")
_SPANISH: Final = re.compile(r"[¿¡ñ]", re.IGNORECASE)


def language_of(utterance: str, earlier: tuple[str, ...] = ()) -> Idioma:
    """The language of an utterance; where it tells too little, that of what was said before; Portuguese where nothing tells."""
    for text in (utterance, *reversed(earlier)):
        points = _points(text)
        best = max(points, key=lambda idioma: (points[idioma], idioma == "pt"))
        others = max(value for idioma, value in points.items() if idioma != best)
        if points[best] >= _ENOUGH and points[best] > others:
            return best
    return "pt"


def _points(text: str) -> dict[Idioma, int]:
    words = _WORD.findall(fold(text))
    points: dict[Idioma, int] = {
        idioma: sum(_OWN_COUNTS * (word in known.proprias) + (word in known.comuns) for word in words) for idioma, known in _WORDS.items()
    }
    points["es"] += _OWN_COUNTS * len(_SPANISH.findall(text))
    return points
