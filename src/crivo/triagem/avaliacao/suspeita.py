"""The passages that a project is read without: those that speak to whoever grades, and, with a wider net, those that might.

What the finder of instructing text is sure of is flagged elsewhere too; what argues for a nota is told where the nota is. What only might
is not: it costs a second reading, and nothing is said of it unless the nota moves with it. Source: design, Hidden or instructing text.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

import msgspec

from crivo.kernel.linguagem.dobra import fold, is_foreign_letter
from crivo.kernel.linguagem.frases import cut, find_sentences
from crivo.kernel.linguagem.lexico import beginnings, read_lexico
from crivo.triagem.achados import Evidencia
from crivo.triagem.avaliacao.argumentos import argues
from crivo.triagem.avaliacao.citacoes import locate
from crivo.triagem.avaliacao.lingua import is_backwards, is_foreign
from crivo.triagem.avaliacao.material import Material, Secao
from crivo.triagem.edital import Value
from crivo.triagem.irregularidades.instrucoes import find_duvidas, find_instrucoes, passage

_LINE: Final = re.compile(r"\n")
_LONGEST_SENTENCE: Final = 700  # a page with no full stops is read by its lines
_FEWEST_FOREIGN: Final = 8  # letters of another script
_LETTERS_APART: Final = re.compile(r"(?<!\w)\w(?:[\W_]{1,4}\w(?!\w)){5,}")
_UNREADABLE: Final = re.compile(
    r"(?<![\w/.@])(?=[A-Za-z+/]*\d)[A-Za-z\d+/]{24,}={0,2}|(?:\b[01]{8}\b\s*){4,}|(?:[0-9a-f]{2}\s){12,}|(?:[.\-]{1,5}\s){10,}"
)
_LEET: Final = str.maketrans("01345789@$!|", "oieastbgasil")
_SYLLABLES: Final = re.compile(r"(?<!\w)(?:\w{1,3}[-_·]){5,}\w{1,3}(?!\w)")
_RUN_TOGETHER: Final = re.compile(r"(?<![\w/.@#-])[A-Za-zÀ-ÿ]{28,}")  # no word of the language is so long but a few
_SCORES: Final = re.compile(r"(?:[A-Za-zÀ-ÿ]{3,}\s*[=:]?\s*10(?:,0)?\b(?![/.:h])[^\dA-Za-zÀ-ÿ]{0,6}(?:e\s+)?){2,}")
_MIXED: Final = re.compile(r"(?<!\w)(?=\w*[a-z])(?=\w*\d)\w{4,}")
_FEWEST_MIXED: Final = 2
_ODD: Final = (_LETTERS_APART, _UNREADABLE, _SYLLABLES, _RUN_TOGETHER, _SCORES)
_RUN: Final = 3  # sentences
_MOST_NAMED: Final = 5  # passages that a model may name
_MOST_OF_IT: Final = 0.2  # of the project's letters: a model that finds more suspicious than this is not believed


class Suspeito(Value, frozen=True):
    """A passage of a part of a project, by its span. `certo`: it is known to order or to argue, or a model names it."""

    secao: int
    inicio: int
    fim: int
    certo: bool


class _Vocabulario(Value, frozen=True):
    sobre: str
    dirigidas: tuple[str, ...]
    nota: tuple[str, ...]
    mando: tuple[str, ...]
    objeto: tuple[str, ...]
    ordem: tuple[str, ...]
    marcas: tuple[str, ...]
    longas: tuple[str, ...]


def find_suspeitos(material: Material) -> tuple[Suspeito, ...]:
    """The passages that speak, or might speak, to whoever grades, whole sentences each, in order."""
    return tuple(one for number, secao in enumerate(material.secoes) for one in _of_part(number, secao))


def confirm_named(trechos: Sequence[str], material: Material) -> tuple[Suspeito, ...]:
    """What a model names as suspicious, where it stands letter by letter in the project; nothing where it names too much of it."""
    found = {locate(trecho, material) for trecho in trechos[:_MOST_NAMED] if trecho.strip()} - {None}
    named = tuple(Suspeito(*place, certo=True) for place in sorted(place for place in found if place is not None))
    whole = sum(len(secao.texto) for secao in material.secoes)
    return named if sum(one.fim - one.inicio for one in named) <= _MOST_OF_IT * whole else ()


def without(material: Material, suspeitos: Sequence[Suspeito]) -> Material:
    """The project without those passages; a part of which nothing is left is left out."""
    if not suspeitos:
        return material
    secoes = []
    for number, secao in enumerate(material.secoes):
        spans = [(one.inicio, one.fim) for one in suspeitos if one.secao == number]
        if not spans:
            secoes.append(secao)
        elif texto := _removed(secao.texto, spans, "\n" if secao.por_linha else " "):
            secoes.append(msgspec.structs.replace(secao, texto=texto))
    return msgspec.structs.replace(material, secoes=tuple(secoes))


def splits(material: Material) -> Iterator[tuple[Material, Material]]:
    """The ways in which a project is halved: by short runs of sentences in turn, then its beginning and its end.

    What stands in one place is in one half alone; what is told over several sentences is so in one of the ways.
    """
    yield halves(material)
    yield halves(material, runs=2)


def halves(material: Material, runs: int | None = None) -> tuple[Material, Material]:
    """The project in two, by runs of sentences in turn, as many as are asked for: what stands in one place is in one of them alone."""
    spans = [Suspeito(number, start, end, certo=False) for number, secao in enumerate(material.secoes) for start, end in _sentences(secao)]
    run = -(-len(spans) // runs) if runs else _RUN if len(spans) >= 4 * _RUN else 1
    first = [span for at, span in enumerate(spans) if at // run % 2 == 0]
    second = [span for at, span in enumerate(spans) if at // run % 2]
    parts = msgspec.structs.replace(material, parcial="partes")
    return without(parts, second), without(parts, first)


def evidence_of(material: Material, suspeitos: Sequence[Suspeito]) -> tuple[Evidencia, ...]:
    """The passages, verbatim and in their place."""
    return tuple(
        material.secoes[one.secao].evidence(material.secoes[one.secao].texto[one.inicio : one.fim].strip(), material.projeto_id)
        for one in suspeitos
    )


def _of_part(number: int, secao: Secao) -> Iterator[Suspeito]:
    texto = secao.texto
    sentences = list(_sentences(secao))
    blocks = sentences if secao.por_linha else [(0, len(texto))]  # a line of a table is no part of the sentence on the next
    sure = [(low + start, high + start) for start, end in blocks for low, high in _instructions(texto[start:end])]
    odd = [match.span() for pattern in _ODD for match in pattern.finditer(texto)]
    odd += [(low + start, high + start) for start, end in blocks for low, high in find_duvidas(texto[start:end])]
    for start, end in sentences:
        certain = _meets(sure, start, end) or argues(texto[start:end])
        if certain or _meets(odd, start, end) or might_instruct(texto[start:end]):
            yield Suspeito(number, start, end, certain)


def _meets(spans: Sequence[tuple[int, int]], start: int, end: int) -> bool:
    return any(low < end and start < high for low, high in spans)


def _instructions(texto: str) -> Iterator[tuple[int, int]]:
    for instrucao in find_instrucoes(texto):
        yield _whole(texto, (instrucao.inicio, instrucao.fim), passage(texto, instrucao))


def _whole(texto: str, span: tuple[int, int], trecho: str) -> tuple[int, int]:
    at = texto.find(trecho)
    return (min(at, span[0]), max(at + len(trecho), span[1])) if at >= 0 else span


def might_instruct(sentence: str) -> bool:
    """Whether a sentence has words, or signs, with which one could speak to whoever grades; wide on purpose."""
    plain = fold(sentence)
    lowered = sentence.casefold()
    if any(mark in lowered for mark in _vocabulary().marcas) or is_foreign(plain):
        return True
    if _foreign_letters(sentence) >= _FEWEST_FOREIGN:
        return True
    views = [plain]
    if len(_MIXED.findall(plain)) >= _FEWEST_MIXED:
        views.append(plain.translate(_LEET))
    if any(_patterns().speak(view) for view in views):
        return True
    if is_backwards(plain):
        return True
    turned = (plain[::-1], codecs.encode(plain, "rot13"))
    return any(sum(word in view for word in _vocabulary().longas) >= _FEWEST_MIXED for view in turned)


def could_weigh(trecho: str) -> bool:
    """Whether a passage has any word of grading or of ordering, or the look of an order: it cannot be what sustains a nota near an end."""
    plain, patterns = fold(trecho), _patterns()
    return (
        argues(trecho)
        or next(find_duvidas(trecho, citada=True), None) is not None
        or any(pattern.search(plain) for pattern in (patterns.dirigidas, patterns.nota, patterns.mando, patterns.ordem))
    )


def _sentences(secao: Secao) -> Iterator[tuple[int, int]]:
    if secao.por_linha:
        yield from cut(secao.texto, _LINE)
        return
    for start, end in find_sentences(secao.texto, semicolons=False):  # a semicolon might part an order from what it is about
        yield from ((start, end),) if end - start <= _LONGEST_SENTENCE else cut(secao.texto, _LINE, start, end)


def _removed(texto: str, spans: Sequence[tuple[int, int]], joint: str) -> str:
    kept, at = [], 0
    for start, end in sorted(spans):
        kept.append(texto[at:start].strip(joint))
        at = max(at, end)
    kept.append(texto[at:].strip(joint))
    return joint.join(piece for piece in kept if piece.strip()).strip()


def _foreign_letters(texto: str) -> int:
    return 0 if texto.isascii() else sum(map(is_foreign_letter, texto))


@dataclass(frozen=True, slots=True)
class _Patterns:
    dirigidas: re.Pattern[str]
    nota: re.Pattern[str]
    mando: re.Pattern[str]
    objeto: re.Pattern[str]
    ordem: re.Pattern[str]

    def speak(self, plain: str) -> bool:
        """Whether a folded sentence has the words of somebody who speaks to whoever grades."""
        if self.dirigidas.search(plain):
            return True
        ordered = bool(self.ordem.search(plain))
        if self.nota.search(plain) and (ordered or self.mando.search(plain)):
            return True
        return ordered and bool(self.objeto.search(plain))


@cache
def _vocabulary() -> _Vocabulario:
    return read_lexico(__package__, "vocabulario", _Vocabulario)


@cache
def _patterns() -> _Patterns:
    words = _vocabulary()
    return _Patterns(*map(beginnings, (words.dirigidas, words.nota, words.mando, words.objeto, words.ordem)))
