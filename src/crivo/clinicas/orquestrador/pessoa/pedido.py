"""Whether a message asks for a person in the place of the assistant."""

from __future__ import annotations

import re
from functools import cache

from crivo.clinicas.orquestrador.contracts import Value
from crivo.clinicas.orquestrador.emergencia.feicoes import plain
from crivo.clinicas.orquestrador.entende.lexico import compiled
from crivo.kernel.linguagem.lexico import read_lexico


class _Lexico(Value, frozen=True):
    """What asks for a person wherever it stands (`pede`) or as all that is said (`so_isso`), and what tells that it does not (`afasta`)."""

    pede: tuple[str, ...]
    so_isso: tuple[str, ...]
    afasta: tuple[str, ...]


def asks_for_person(text: str) -> bool:
    """Whether a message asks to be served by somebody of flesh and blood."""
    asks, alone, averts = _patterns()
    read = plain(text)
    return bool(alone.fullmatch(read.strip(" .,!?…"))) or bool(asks.search(read) and not averts.search(read))


@cache
def _patterns() -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    read = read_lexico(__package__, "lexico", _Lexico)
    return compiled(read.pede), compiled(read.so_isso), compiled(read.afasta)
