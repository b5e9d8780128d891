"""How long lists are searched: by words, each of them somewhere in a text, whatever the accents and case of both."""

from __future__ import annotations

from typing import Final

from crivo.kernel.linguagem.dobra import fold
from crivo.triagem.palavras import shown

PROCURA: Final = 1
"""The rules by which names are folded here; another number has those that are stored folded anew."""


def searched(codigo: str, titulo: str, proponente: str, categoria: str) -> str:
    """What a project is searched by: its names as they are shown, folded."""
    return fold(" ".join((codigo, shown(titulo), shown(proponente), shown(categoria))))


def words_of(text: str) -> tuple[str, ...]:
    """The words that are searched for, folded."""
    return tuple(fold(text).split())
