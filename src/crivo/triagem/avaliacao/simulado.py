"""A model played by code, for those who have none at hand: it quotes and grades by the rubric's own words.

It reads the question as it was rendered, and knows nothing else. Its notas are shown as simulated; they show the journey, not judgement.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, Final

from crivo.kernel.linguagem.dobra import fold
from crivo.kernel.linguagem.frases import find_sentences
from crivo.kernel.linguagem.lexico import read_lexico
from crivo.triagem.avaliacao.citacoes import is_long_enough
from crivo.triagem.avaliacao.material import OMITIDO
from crivo.triagem.avaliacao.numeros import numbers_in

_MARK: Final = re.compile(r"<dado (\w+) [^>\n]*>\n")
_RANGE: Final = re.compile(r"^Nota: de ([\d,-]+) a ([\d,-]+)$", re.MULTILINE)
_LEVEL: Final = re.compile(r"^Nível [\d,-]+: (.*)$", re.MULTILINE)
_WORD: Final = re.compile(r"[a-z]{3,}")
_SPOKEN: Final = re.compile(r"[A-Za-zÀ-ÿ]{3,}")
_STEM: Final = 6
_QUOTES: Final = 3
_SHORTEST: Final = 30
_LONGEST: Final = 500
_TOLD_WORDS: Final = 4
_EMPTY: Final[frozenset[str]] = read_lexico("crivo.triagem", "palavras_vazias", frozenset[str])
_OF_RUBRICS: Final[frozenset[str]] = frozenset(  # words of rubrics in general, by their stem
    json.loads(files("crivo.triagem.avaliacao").joinpath("palavras_de_rubrica.json").read_bytes())
)


@dataclass(frozen=True, slots=True)
class _Asked:
    criterio: str
    pedido: tuple[float, float]
    palavras: dict[str, str]
    frases: tuple[tuple[str, frozenset[str]], ...]


def answer_criterio(conteudo: str) -> dict[str, Any]:
    """The fields of a `RespostaCriterio` for a rendered question: verbatim sentences, a plain justificativa, and a nota in range.

    The nota grows with the share of the critério's words that the project has, with the number of sentences that speak to it, and with
    what they say in figures.
    """
    asked = _read(conteudo)
    ranked = sorted(asked.frases, key=lambda frase: _weight(frase[0], frase[1], set(asked.palavras)), reverse=True)
    telling = [(texto, stems) for texto, stems in ranked if stems & set(asked.palavras)]
    quotable = [texto for texto, _ in ranked if is_long_enough(texto)]
    chosen = quotable[: min(_QUOTES, len(telling)) or 1]
    met = frozenset().union(*(stems for _, stems in telling)) & set(asked.palavras)
    low, high = asked.pedido
    share = _share(len(met) / max(1, len(asked.palavras)), [texto for texto, _ in telling])
    nota = min(high, max(low, round((low + (high - low) * share) * 10) / 10))
    return {"citacoes": chosen, "trechos_suspeitos": [], "justificativa": _justificativa(asked, met), "nota": nota}


def _share(coverage: float, telling: Sequence[str]) -> float:
    """The nota as a share of the range: words met, sentences that speak to the critério, and figures in them, with less and less gain."""
    figures = sum(len(numbers_in(texto)) for texto in telling)
    return 0.55 * min(1.0, 1.6 * coverage) + 0.25 * (1 - math.exp(-len(telling) / 4)) + 0.20 * (1 - math.exp(-figures / 8))


def _weight(texto: str, stems: frozenset[str], wanted: set[str]) -> tuple[int, bool]:
    return len(stems & wanted), bool(numbers_in(texto))


def _justificativa(asked: _Asked, met: frozenset[str]) -> str:
    found = [word for stem, word in asked.palavras.items() if stem in met][:_TOLD_WORDS]
    missing = [word for stem, word in asked.palavras.items() if stem not in met][:_TOLD_WORDS]
    if not found:
        return f"O projeto não usa as palavras do critério “{asked.criterio}”; a passagem citada mostra do que ele fala."
    told = f"Sobre o critério “{asked.criterio}”, o projeto fala de {_listed(found)}, como se lê nas passagens citadas."
    return f"{told} Não aparecem no texto: {_listed(missing)}." if missing else told


def _read(conteudo: str) -> _Asked:
    parts = list(_marked(conteudo))
    criterio = next(texto for rotulo, texto in reversed(parts) if rotulo == "critério")
    name = criterio.partition("\n")[0].removeprefix("Critério: ")
    low, high = (float(bound.replace(",", ".")) for bound in _RANGE.findall(criterio)[-1])
    levels = _LEVEL.findall(criterio)
    described = _LEVEL.sub("", _RANGE.sub("", criterio)).removeprefix("Critério: ")
    words = {word[:_STEM]: word for word in _words(f"{described} {levels[-1] if levels else ''}")}
    sentences = tuple(
        (frase, frozenset(fold_word[:_STEM] for fold_word in _words(f"{frase} {rotulo}")))
        for rotulo, texto in parts
        if rotulo.startswith(("projeto", "documento"))
        for frase in _sentences(texto)
    )
    return _Asked(name, (low, high), {stem: word for stem, word in words.items() if stem not in _OF_RUBRICS}, sentences)


def _marked(conteudo: str) -> Iterator[tuple[str, str]]:
    """The marked texts by their label; the number of the first mark is that of all."""
    first = _MARK.search(conteudo)
    if first is None:
        return
    number = re.escape(first[1])
    for match in re.finditer(rf"<dado {number} ([^>\n]*)>\n(.*?)\n</dado {number}>", conteudo, re.DOTALL):
        yield match[1], match[2]


def _sentences(texto: str) -> Iterator[str]:
    for start, end in find_sentences(texto, lines=True):
        frase = texto[start:end].strip()
        if _SHORTEST <= len(frase) <= _LONGEST and OMITIDO not in frase:
            yield frase


def _words(texto: str) -> Iterator[str]:
    spoken = _SPOKEN.findall(texto)
    return (word.lower() for word in spoken if (plain := fold(word)) not in _EMPTY and _WORD.fullmatch(plain))


def _listed(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} e {words[-1]}"
