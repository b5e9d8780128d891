"""Branches of a specialty that are for some people alone: those who see children."""

from __future__ import annotations

from functools import lru_cache

from crivo.clinicas.orquestrador.entende.lexico import people
from crivo.kernel.linguagem.fala import fold


@lru_cache(maxsize=1024)
def is_for_children(ramo: str, especialidade: str) -> bool:
    """Whether a branch of that specialty sees children alone; where the whole specialty does, no branch is told apart."""
    return people("infantil").search(fold(ramo)) is not None and people("infantil").search(fold(especialidade)) is None
