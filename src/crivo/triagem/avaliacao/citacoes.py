"""Passages that a model quotes, held against the project: found letter by letter or not at all. Source: design, Avaliação.

Blanks, case and typographic signs are folded. What is too short to say anything, is of every form, or only repeats the edital or the
critério does not count. A line of the budget or the calendar says what it says in figures.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Final, Literal

from rapidfuzz import fuzz

from crivo.kernel.linguagem.dobra import fold
from crivo.kernel.linguagem.lexico import read_lexico
from crivo.triagem.achados import Evidencia
from crivo.triagem.avaliacao.dobra import fold_quote
from crivo.triagem.avaliacao.material import OMITIDO, Material

FEWEST_WORDS: Final = 3  # the prompt says the same
FEWEST_LETTERS: Final = 15
FEWEST_SIGNS: Final = 10  # letters and digits, of a passage that is told in figures
_LONGEST: Final = 600
_SAME_AS: Final = 92.0  # per cent alike with a passage of the edital or the critério
_WORD: Final = re.compile(r"\w{2,}")
_FIGURE: Final = re.compile(r"R\$\s?\d|\d\s*[×x]\s*(?:R\$|\d)|(?<!\d)\d{1,2}/(?:\d{1,2}/)?\d{4}(?!\d)")  # money, so many times, a date
Falta = Literal["curta", "ausente", "alheia", "vazia"]
_WRAPPED: Final = " \"'.,;:-"


def find_citacoes(citacoes: Sequence[str], material: Material, alheios: Sequence[str] = ()) -> tuple[Evidencia, ...]:
    """The passages that stand in the project and say something, verbatim and in their place, each once.

    `alheios` are texts that are not the project's, as the edital and the critério: to repeat them shows nothing.
    """
    found: dict[Evidencia, None] = {}
    for citacao in citacoes:
        evidencia = read_citacao(citacao, material, alheios)
        if isinstance(evidencia, Evidencia):
            found.setdefault(evidencia)
    return tuple(found)


def read_citacao(citacao: str, material: Material, alheios: Sequence[str] = ()) -> Evidencia | Falta:
    """The passage in its place, or why it does not count: not there, too short, of the edital or the critério, or of every form."""
    evidencia = _locate(citacao, material)
    if evidencia is None:
        return "ausente"
    plain = fold(evidencia.trecho)
    if not is_long_enough(evidencia.trecho):
        return "curta"
    if OMITIDO in evidencia.trecho or any(formula in plain for formula in _formulas()):
        return "vazia"
    others = (other for other in map(_fold_alien, alheios) if len(other) >= len(plain))
    return "alheia" if any(fuzz.partial_ratio(plain, other, score_cutoff=_SAME_AS) for other in others) else evidencia


def locate(trecho: str, material: Material) -> tuple[int, int, int] | None:
    """The part, by its number, and the span in which a passage stands in it, however short."""
    wanted = fold_quote(trecho).texto.strip(_WRAPPED)
    for number, secao in enumerate(material.secoes):
        span = secao.dobrado.find(wanted)
        if span is not None:
            return number, *span
    return None


def is_long_enough(trecho: str) -> bool:
    """Whether a passage has the words and letters that it takes to say something; of money, quantities and dates the figures count."""
    if len(_WORD.findall(trecho)) < FEWEST_WORDS:
        return False
    return sum(map(str.isalpha, trecho)) >= FEWEST_LETTERS or (
        _FIGURE.search(trecho) is not None and sum(map(str.isalnum, trecho)) >= FEWEST_SIGNS
    )


def _locate(citacao: str, material: Material) -> Evidencia | None:
    wanted = fold_quote(citacao).texto.strip(_WRAPPED)
    if len(wanted) > _LONGEST:
        return None
    for secao in material.secoes:
        span = secao.dobrado.find(wanted)
        if span is not None:
            return secao.evidence(secao.texto[span[0] : span[1]], material.projeto_id)
    return None


@lru_cache(maxsize=64)
def _fold_alien(texto: str) -> str:
    """The edital or a critério, folded once for all projects."""
    return fold(texto)


@cache
def _formulas() -> tuple[str, ...]:
    return read_lexico("crivo.triagem.irregularidades", "formulas", tuple[str, ...])
