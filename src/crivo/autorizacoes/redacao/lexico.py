"""Lists of folded words that the readers know, kept as data."""

from __future__ import annotations

from functools import cache
from importlib import resources

import msgspec


class Lexico(msgspec.Struct, frozen=True):
    """Nouns that units are counted by, names of procedures and what else those go by, and the small words of three languages.

    `alheios_a_documentos` may stand beside a document, and are none.
    """

    contados: frozenset[str]
    procedimentos: tuple[str, ...]
    sinonimos: tuple[tuple[str, ...], ...]
    alheios_a_documentos: tuple[str, ...]
    ingles: frozenset[str]
    espanhol: frozenset[str]
    portugues: frozenset[str]


@cache
def lexico() -> Lexico:
    """The lists as they come with the product."""
    raw = resources.files("crivo.autorizacoes.redacao").joinpath("lexico.json").read_bytes()
    return msgspec.json.decode(raw, type=Lexico)
