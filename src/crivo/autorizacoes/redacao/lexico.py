"""Lists of folded words that the readers know, kept as data."""

from __future__ import annotations

from functools import cache
from importlib import resources

import msgspec


class Lexico(msgspec.Struct, frozen=True):
    """Nouns that units are counted by, names of procedures and what else those go by, and the small words of three languages."""

    contados: frozenset[str]
    procedimentos: tuple[str, ...]
    sinonimos: tuple[tuple[str, ...], ...]
    ingles: frozenset[str]
    espanhol: frozenset[str]
    portugues: frozenset[str]


@cache
def lexico() -> Lexico:
    """The lists as they come with the product."""
    raw = resources.files("crivo.autorizacoes.redacao").joinpath("lexico.json").read_bytes()
    return msgspec.json.decode(raw, type=Lexico)
