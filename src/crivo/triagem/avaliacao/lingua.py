"""Which language a text is in, as far as its small words tell."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Final

from crivo.kernel.linguagem.dobra import fold
from crivo.kernel.linguagem.lexico import read_lexico

_WORD: Final = re.compile(r"[a-z]+")
_FEWEST_FOREIGN: Final = 2
_FEWEST_BACKWARDS: Final = 2


def is_portuguese(texto: str) -> bool:
    """Whether its small words are those of Portuguese: one word in eight at least, and twice those of other languages."""
    own, foreign, words = _counted(texto)
    return words >= 3 and own > 2 * foreign and own * 8 >= words


def is_foreign(texto: str) -> bool:
    """Whether its small words are rather those of another language."""
    own, foreign, _ = _counted(texto)
    return foreign >= _FEWEST_FOREIGN and foreign > own


def is_backwards(texto: str) -> bool:
    """Whether it has several small words of Portuguese when it is read from its end, and more than as it stands."""
    own, foreign, _ = _counted(texto)
    backwards, others, _ = _counted(texto[::-1])
    return backwards >= _FEWEST_BACKWARDS and backwards > own + foreign + others


def _counted(texto: str) -> tuple[int, int, int]:
    words, lingua = _WORD.findall(fold(texto)), _lingua()
    own = sum(word in lingua["portugues"] for word in words)
    return own, sum(word in lingua["estrangeiras"] for word in words), len(words)


@cache
def _lingua() -> Mapping[str, frozenset[str]]:
    return read_lexico(__package__, "lingua", dict[str, frozenset[str]])
