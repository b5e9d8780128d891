"""Passages that a model quotes, held against the project: found letter by letter or not at all. Source: design, Avaliação.

Blanks, case and typographic quotes are folded. What is too short to say anything, is of every form, or only repeats the edital or the
critério does not count.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Final

from rapidfuzz import fuzz

from crivo.kernel.linguagem.dobra import fold
from crivo.kernel.linguagem.lexico import read_lexico
from crivo.triagem.achados import Evidencia
from crivo.triagem.avaliacao.dobra import fold_quote
from crivo.triagem.avaliacao.material import OMITIDO, Material

FEWEST_WORDS: Final = 3
FEWEST_LETTERS: Final = 15
_LONGEST: Final = 600
_SAME_AS: Final = 92.0  # per cent alike with a passage of the edital or the critério
_WORD: Final = re.compile(r"\w{2,}")
_WRAPPED: Final = " \"'.,;:-"


def find_citacoes(citacoes: Sequence[str], material: Material, alheios: Sequence[str] = ()) -> tuple[Evidencia, ...]:
    """The passages that stand in the project and say something, verbatim and in their place, each once.

    `alheios` are texts that are not the project's, as the edital and the critério: to repeat them shows nothing.
    """
    others = [_fold_alien(text) for text in alheios]
    found: dict[Evidencia, None] = {}
    for citacao in citacoes:
        evidencia = _locate(citacao, material)
        if evidencia is not None and _says_something(evidencia.trecho, others):
            found.setdefault(evidencia)
    return tuple(found)


def locate(trecho: str, material: Material) -> tuple[int, int, int] | None:
    """The part, by its number, and the span in which a passage stands in it, however short."""
    wanted = fold_quote(trecho).texto.strip(_WRAPPED)
    for number, secao in enumerate(material.secoes):
        span = secao.dobrado.find(wanted)
        if span is not None:
            return number, *span
    return None


def is_long_enough(trecho: str) -> bool:
    """Whether a passage has the words and letters that it takes to say something."""
    return len(_WORD.findall(trecho)) >= FEWEST_WORDS and sum(map(str.isalpha, trecho)) >= FEWEST_LETTERS


def _locate(citacao: str, material: Material) -> Evidencia | None:
    wanted = fold_quote(citacao).texto.strip(_WRAPPED)
    if len(wanted) > _LONGEST:
        return None
    for secao in material.secoes:
        span = secao.dobrado.find(wanted)
        if span is not None:
            return secao.evidence(secao.texto[span[0] : span[1]], material.projeto_id)
    return None


def _says_something(trecho: str, others: Sequence[str]) -> bool:
    plain = fold(trecho)
    if OMITIDO in trecho or not is_long_enough(trecho) or any(formula in plain for formula in _formulas()):
        return False
    return not any(fuzz.partial_ratio(plain, other, score_cutoff=_SAME_AS) for other in others if len(other) >= len(plain))


@lru_cache(maxsize=64)
def _fold_alien(texto: str) -> str:
    """The edital or a critério, folded once for all projects."""
    return fold(texto)


@cache
def _formulas() -> tuple[str, ...]:
    return read_lexico("crivo.triagem.irregularidades", "formulas", tuple[str, ...])
