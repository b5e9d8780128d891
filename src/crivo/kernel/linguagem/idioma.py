"""Which of the three languages a text is in, by its small words."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, Literal

from crivo.kernel.linguagem.fala import fold
from crivo.kernel.linguagem.lexico import PALAVRAS

Idioma = Literal["pt", "en", "es"]
_WORD: Final = re.compile(r"[a-z]+")
_WORDS: Final = {idioma: frozenset(words) for idioma, words in PALAVRAS.palavras_de_idioma.items()}
_TELLS: Final = re.compile(r"[ãõ]|ção|ções|lh[aeo]", re.IGNORECASE)
_TELLS_ES: Final = re.compile(r"[ñ¿¡]|ción|\bdías?\b", re.IGNORECASE)


@lru_cache(maxsize=64)
def language(text: str) -> Idioma:
    """The language of a text; Portuguese when nothing tells."""
    words = _WORD.findall(fold(text))
    points = {idioma: sum(word in known for word in words) for idioma, known in _WORDS.items()}
    points["pt"] += 2 * len(_TELLS.findall(text))
    points["es"] += 2 * len(_TELLS_ES.findall(text))
    if points["en"] > points["pt"] and points["en"] > points["es"]:
        return "en"
    return "es" if points["es"] > points["pt"] else "pt"
