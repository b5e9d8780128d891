"""The words by which observações are read, as data; all of them folded: lower case, no accents, one blank between words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from importlib import resources
from typing import Final

import msgspec

_WORD: Final = re.compile(r"[a-z0-9]+")


class Lexico(msgspec.Struct, frozen=True):
    """Lists of words and phrases, by what they do in a sentence."""

    antes_do_codigo: tuple[str, ...]
    pede_o_codigo: tuple[str, ...]
    em_vez: tuple[str, ...]
    depois_do_codigo: tuple[str, ...]
    entre: frozenset[str]
    nega_alternativa: tuple[str, ...]
    idade: tuple[str, ...]
    leva_a_auditoria: tuple[str, ...]
    auditoria: tuple[str, ...]
    auditoria_faz: tuple[str, ...]
    nega_via: tuple[str, ...]
    restringe: tuple[str, ...]
    restringe_com_numero: tuple[str, ...]
    assunto_de: dict[str, tuple[str, ...]]


@cache
def lexico() -> Lexico:
    """The lexicon as it comes with the product."""
    return msgspec.json.decode(resources.files("crivo.autorizacoes.politicas").joinpath("observacoes.json").read_bytes(), type=Lexico)


def words(folded: str) -> list[str]:
    """The words and figures of a folded text, in order."""
    return _WORD.findall(folded)


def says(folded: str, phrases: Sequence[str]) -> bool:
    """Whether a folded text has any of the phrases, as whole words."""
    text = f" {' '.join(words(folded))} "
    return any(f" {phrase} " in text for phrase in phrases)
