"""The one spelling of a procedure's code and of a document's type, shared by the pedidos and the políticas."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final

CURINGA: Final = "*"
_TUSS_PUNCTUATION: Final = str.maketrans("", "", ".-/")
_NON_ALPHANUMERIC: Final = re.compile(r"[\W_]+")
# Longer texts are folded without the cache, so that what is remembered stays small whatever is sent.
_CACHED_LENGTH: Final = 64
_CACHED_TEXTS: Final = 4096


def normalize_codigo(texto: str) -> str:
    """The code trimmed, upper-cased and without blanks; a TUSS code also loses its punctuation (`4.03.04.36-1` → `40304361`).

    Punctuation goes only where digits alone remain: `RM-CRANIO` keeps its hyphen. Source: PRD RF1.
    """
    if texto.isascii() and texto.isdigit():
        return texto
    codigo = "".join(texto.upper().split())
    digits = codigo.translate(_TUSS_PUNCTUATION)
    return digits if digits.isascii() and digits.isdigit() else codigo


def normalize_padrao(texto: str) -> str:
    """The código of a regra in the same spelling: a code, a prefix that keeps its final `*`, or `*` alone."""
    if texto.isascii() and texto.isdigit():
        return texto
    padrao = texto.strip()
    if padrao.endswith(CURINGA):
        return normalize_codigo(padrao[:-1]) + CURINGA
    return normalize_codigo(padrao)


def fold_documento(texto: str) -> str:
    """The document type in upper snake case without accents (`Laudo médico` → `LAUDO_MEDICO`); empty where no letter or digit is left."""
    return _fold_cached(texto) if len(texto) <= _CACHED_LENGTH else _fold(texto)


def _fold(texto: str) -> str:
    decomposed = unicodedata.normalize("NFKD", texto)
    bare = "".join(char for char in decomposed if not unicodedata.combining(char))
    return _NON_ALPHANUMERIC.sub("_", bare.upper()).strip("_")


_fold_cached = lru_cache(maxsize=_CACHED_TEXTS)(_fold)
