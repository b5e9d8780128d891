"""What words do, whatever word it is: each is of a few acts, so that what one word claims is learned for all of its kind."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from importlib import resources
from typing import Final

import msgspec

from crivo.kernel.linguagem.dobra import fold_letters

_LETTERS: Final = 6  # of a word, by which its forms meet
_SHORT: Final = 3  # letters of a word that keeps its last
_FUTURE: Final = re.compile(r"[a-z]{3,}(?:ara|era|ira|arao|erao|irao|remos)")
_NEAR: Final = 3  # words within which a denial denies
_DENIAL: Final = "negacao"


def form(word: str) -> str:
    """A mark as it is, and a word so that its forms meet."""
    if word.isupper():
        return word
    return word[:_LETTERS] if len(word) > _LETTERS else word.rstrip("s") if len(word) > _SHORT else word


def acts(words: Sequence[str]) -> list[str]:
    """The acts and marks of a sentence in order, `nao` before one that is denied; words that are of none are passed over."""
    known, found, denied = _acts(), [], -_NEAR - 1
    for at, word in enumerate(words):
        act = word if word.isupper() else known.get(form(word)) or ("sera" if _FUTURE.fullmatch(word) else None)
        if act == _DENIAL:
            denied = at
        elif act:
            found.append(f"nao {act}" if at - denied <= _NEAR else act)
    return found


@cache
def _acts() -> dict[str, str]:
    listed = msgspec.json.decode(resources.files("crivo.autorizacoes.redacao").joinpath("atos.json").read_bytes(), type=dict[str, str])
    return {form(fold_letters(word)): act for act, words in reversed(listed.items()) for word in words.split()}
