"""Why a nota rests on less than it seems to: what shows of a judge only when the critérios of a project are read side by side.

A careful judge picks other passages for other critérios, and says of each what it shows. Each reason halves the confiança, and is told.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import ROUND_DOWN, Decimal
from functools import lru_cache
from importlib.resources import files
from typing import Final, Literal

from rapidfuzz import fuzz

from crivo.kernel.linguagem.dobra import fold
from crivo.kernel.linguagem.frases import find_sentences
from crivo.kernel.linguagem.lexico import read_lexico
from crivo.triagem.achados import Evidencia
from crivo.triagem.avaliacao.dobra import fold_quote
from crivo.triagem.avaliacao.material import Material
from crivo.triagem.edital import Value

Ressalva = Literal[
    "mesmas_passagens", "mesma_justificativa", "mesma_nota", "passagem_vaga", "fora_do_criterio", "justificativa_solta", "nota_movida"
]
RESSALVAS: Final[Mapping[Ressalva, str]] = {
    "mesmas_passagens": "as mesmas passagens em quase todos os critérios",
    "mesma_justificativa": "a mesma justificativa em quase todos os critérios",
    "mesma_nota": "a mesma nota em todos os critérios",
    "passagem_vaga": "passagens que só dizem o que o resto do projeto já diz",
    "fora_do_criterio": "nada do que o critério pede nas passagens ou na justificativa",
    "justificativa_solta": "uma justificativa que não fala das passagens",
    "nota_movida": "outra nota quando se leem os trechos que ficaram de fora",
}
METADE: Final = Decimal("0.5")
_CENT: Final = Decimal("0.01")
_SAME_TEXT: Final = 88.0  # per cent alike, the critério's own name left out
_OF_A_FIELD: Final[Mapping[str | None, str]] = {  # words by which one speaks of lines that are figures
    "orcamento_itens": "orçamento custo custos valor valores preço despesa gasto",
    "cronograma_etapas": "cronograma calendário prazo prazos etapa etapas data datas mês meses",
}
_MOST_OF_IT: Final = 0.5  # of the project's letters: passages that are so much of it leave nothing else to quote
_SAID_ELSEWHERE: Final = 0.8  # of the words of a passage
_OF_A_SUMMARY: Final = 0.3  # the same, where it stands in the summary: the rest goes into it
_FEWEST_OF_A_CRITERIO: Final = 5  # words: one that is told in fewer can hardly be met by its words
_STEM: Final = 6
_WORD: Final = re.compile(r"[a-z0-9]{3,}")
_SUMMARY: Final = frozenset({"titulo", "resumo"})
_EMPTY: Final[frozenset[str]] = read_lexico("crivo.triagem", "palavras_vazias", frozenset[str])
_OF_RUBRICS: Final[frozenset[str]] = frozenset(
    json.loads(files("crivo.triagem.avaliacao").joinpath("palavras_de_rubrica.json").read_bytes())
)


class Lido(Value, frozen=True):
    """A critério as it was read: its text, what of the project, what was quoted and written of it.

    `no_fundo`: its nota is near the bottom of the range, where there is little to quote: what a project does not say stands nowhere.
    `movida`: text that speaks to whoever grades was left out, and with it the nota is another.
    """

    nome: str
    texto: str
    material: Material
    nota: Decimal
    evidencias: tuple[Evidencia, ...]
    justificativa: str
    no_fundo: bool = False
    movida: bool = False


def find_ressalvas(lidos: Sequence[Lido | None]) -> tuple[tuple[Ressalva, ...], ...]:
    """The reasons for each critério of a project, in the order of the catalogue; none for one without a nota."""
    told = [lido for lido in lidos if lido is not None]
    found = [frozenset[Ressalva]() if lido is None else frozenset(_reasons(lido, told)) for lido in lidos]
    return tuple(tuple(ressalva for ressalva in RESSALVAS if ressalva in reasons) for reasons in found)


def tell_ressalvas(ressalvas: Sequence[Ressalva]) -> str:
    """Why the confiança is lower, in pt-BR; empty where nothing lowers it."""
    if not ressalvas:
        return ""
    halved = "reduzida à metade" if len(ressalvas) == 1 else "reduzida à metade por motivo"
    return f"Confiança {halved}: {'; '.join(RESSALVAS[one] for one in ressalvas)}."


def lower(confianca: Decimal, ressalvas: Sequence[Ressalva]) -> Decimal:
    """The confiança halved for each reason, rounded down to cents."""
    return (confianca * METADE ** len(ressalvas)).quantize(_CENT, ROUND_DOWN)


def _reasons(lido: Lido, all_of_them: Sequence[Lido]) -> Iterator[Ressalva]:
    others = [other for other in all_of_them if other is not lido]
    if lido.movida:
        yield "nota_movida"
    trechos = [fold_quote(evidencia.trecho).texto for evidencia in lido.evidencias]
    if trechos and len("".join(trechos)) <= _MOST_OF_IT * len(lido.material.texto):
        if not lido.no_fundo and _serves_most([all(_is_quoted(trecho, other) for trecho in trechos) for other in others]):
            yield "mesmas_passagens"
        if not lido.no_fundo and all(_is_vague(evidencia, lido.material) for evidencia in lido.evidencias):
            yield "passagem_vaga"
    own = _without_name(lido)
    if own and _serves_most([fuzz.ratio(own, _without_name(other)) >= _SAME_TEXT for other in others]):
        yield "mesma_justificativa"
    if lido.no_fundo:
        return
    if len(all_of_them) >= 3 and all(other.nota == lido.nota for other in others):
        yield "mesma_nota"
    quoted, written = _stems(" ".join((*trechos, *(_OF_A_FIELD.get(one.campo, "") for one in lido.evidencias)))), _stems(lido.justificativa)
    wanted = _stems(lido.texto)
    if len(wanted) >= _FEWEST_OF_A_CRITERIO and not (quoted | written) & wanted:
        yield "fora_do_criterio"
    if quoted and not quoted & written:
        yield "justificativa_solta"


def _serves_most(same: Sequence[bool]) -> bool:
    """Whether what a critério has is had by all the others, or all but one where they are three or more."""
    return bool(same) and sum(same) >= (len(same) - 1 if len(same) >= 3 else len(same))


def _is_quoted(trecho: str, other: Lido) -> bool:
    return any(trecho in its or its in trecho for its in (fold_quote(one.trecho).texto for one in other.evidencias))


def _is_vague(evidencia: Evidencia, material: Material) -> bool:
    """Whether the rest of the project has most of the words of a passage, or a good part of them where it is of the summary."""
    words = _stems(evidencia.trecho)
    elsewhere: set[str] = set()
    for sentence in _sentences(material):
        shared = len(sentence & words)
        if sentence and shared < _SAID_ELSEWHERE * min(len(words), len(sentence)):  # not the passage itself, nor a repetition
            elsewhere |= sentence
    share = _OF_A_SUMMARY if evidencia.campo in _SUMMARY else _SAID_ELSEWHERE
    return bool(words) and len(words & elsewhere) >= share * len(words)


@lru_cache(maxsize=8)
def _sentences(material: Material) -> tuple[frozenset[str], ...]:
    return tuple(_stems(secao.texto[start:end]) for secao in material.secoes for start, end in find_sentences(secao.texto, lines=True))


def _without_name(lido: Lido) -> str:
    return " ".join(fold(lido.justificativa).replace(fold(lido.nome), " ").split())


def _stems(texto: str) -> frozenset[str]:
    """The words that say something, by their stem; those of rubrics in general left out."""
    return frozenset(word[:_STEM] for word in _WORD.findall(fold(texto)) if word not in _EMPTY) - _OF_RUBRICS
