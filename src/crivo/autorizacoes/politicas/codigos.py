"""The one spelling of a procedure's code and of a document's type, shared by the pedidos and the políticas."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import lru_cache
from typing import Final

from crivo.kernel.linguagem.dobra import without_accents

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


def fold_id(texto: str) -> str:
    """An id as ids are compared: upper case, without accents and without blanks (`Plano  Ouro` → `PLANOOURO`)."""
    return "".join((texto if texto.isascii() else _without_accents(texto)).upper().split())


_without_accents = lru_cache(maxsize=_CACHED_TEXTS)(without_accents)


def without_zeros(texto: str) -> str | None:
    """The figures of an id without the zeros before them; None where it is not figures alone."""
    return (texto.lstrip("0") or "0") if texto.isascii() and texto.isdigit() else None


class Grafias:
    """How a catalogue writes its ids: any other spelling of one of them leads to it. Source: design, "Right, on what customers send"."""

    __slots__ = ("_dobradas", "_sem_zeros")

    def __init__(self, dobradas: Collection[str]) -> None:
        """Of folded ids, kept as they are given: what a look-up has just been through is at hand still."""
        self._dobradas = dobradas
        numeros: dict[str, str | None] = {}
        for dobrada in sorted(dobradas):
            if dobrada.startswith("0") and (numero := without_zeros(dobrada)) is not None:
                # Two ids apart in their zeros alone are told apart by them.
                numeros[numero] = dobrada if numero not in numeros else None
        self._sem_zeros = {numero: dobrada for numero, dobrada in numeros.items() if dobrada is not None}

    def __contains__(self, dobrada: object) -> bool:
        return dobrada in self._dobradas

    def __bool__(self) -> bool:
        return bool(self._dobradas)

    def known(self, texto: str) -> str:
        """The folded id that this is a spelling of: the same folded, or the one that has zeros before it; itself folded where none is."""
        if texto in self._dobradas:
            return texto
        dobrada = fold_id(texto)
        if not self._sem_zeros or dobrada in self._dobradas:
            return dobrada
        numero = without_zeros(dobrada)
        return dobrada if numero is None else self._sem_zeros.get(numero, dobrada)


def fold_documento(texto: str) -> str:
    """The document type in upper snake case without accents (`Laudo médico` → `LAUDO_MEDICO`); empty where no letter or digit is left."""
    return _fold_cached(texto) if len(texto) <= _CACHED_LENGTH else _fold(texto)


def _fold(texto: str) -> str:
    return _NON_ALPHANUMERIC.sub("_", without_accents(texto).upper()).strip("_")


_fold_cached = lru_cache(maxsize=_CACHED_TEXTS)(_fold)
