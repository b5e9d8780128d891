"""Numbers in figures and in words."""

from __future__ import annotations

import re
from typing import Final

import msgspec

from crivo.clinicas.orquestrador.linguagem.idioma import language
from crivo.clinicas.orquestrador.linguagem.lexico import LEXICO, any_of
from crivo.kernel.linguagem.fala import Folded, folded


class FoundNumber(msgspec.Struct, frozen=True):
    """A number and where it stands; `written` tells that it is in words, where "um" may be no more than an article."""

    start: int
    end: int
    value: float
    written: bool


_VALUES: Final = {
    **LEXICO.unidades,
    **LEXICO.unidades_so_em_espanhol,
    **LEXICO.dezenas,
    **LEXICO.centenas,
    **LEXICO.vezes,
    **LEXICO.fracoes,
}
_ONLY_SPANISH: Final = frozenset({*LEXICO.unidades_so_em_espanhol, "medio", "media"})
_TOKEN: Final = re.compile(
    rf"(?<![\w])(?:(?P<word>{any_of(_VALUES)})(?![a-z0-9])|(?P<figures>\d{{1,3}}(?:\.\d{{3}})+(?:,\d+)?|\d+(?:[.,]\d+)?)|(?P<half>½|¼))"
)
_JOIN: Final = re.compile(r"\s+(?:e|y|and)\s+|\s*-\s*|\s+")


class _Token(msgspec.Struct, frozen=True):
    start: int
    end: int
    word: str


def number_in(figures: str) -> float:
    """The value of a number in figures, `12,5` and `12.5` alike, `1.000` as a thousand."""
    if re.fullmatch(r"\d{1,3}(?:\.\d{3})+(?:,\d+)?", figures):
        figures = figures.replace(".", "")
    return float(figures.replace(",", "."))


def find_numbers(text: str) -> list[FoundNumber]:
    """Every number of a text in the order written: `12,5`, `dezoito`, `trezentos e dez`, `forty-five`, `½`."""
    page = folded(text)
    spanish = None
    found: list[FoundNumber] = []
    run: list[_Token] = []
    for match in _TOKEN.finditer(page.text):
        word = match["word"]
        if word is None:
            _flush(run, page, found)
            value = number_in(match["figures"]) if match["figures"] else {"½": 0.5, "¼": 0.25}[match["half"]]
            found.append(FoundNumber(*page.span(*match.span()), value, written=False))
            continue
        if word in _ONLY_SPANISH:
            spanish = language(text) == "es" if spanish is None else spanish
            if not spanish:
                continue
        token = _Token(match.start(), match.end(), word)
        if run and not (_JOIN.fullmatch(page.text, run[-1].end, token.start) and _joins([part.word for part in run], word)):
            _flush(run, page, found)
        run.append(token)
    _flush(run, page, found)
    return found


def _flush(run: list[_Token], page: Folded, found: list[FoundNumber]) -> None:
    if run:
        found.append(FoundNumber(*page.span(run[0].start, run[-1].end), value_of([token.word for token in run]), written=True))
        run.clear()


def _joins(words: list[str], word: str) -> bool:
    """Whether a word goes on with the number, as `um` does after `vinte` and `onze` does not after `dez`."""
    last = words[-1]
    if word in LEXICO.fracoes or last in LEXICO.fracoes:
        return False
    if word in LEXICO.vezes:
        return last not in LEXICO.vezes and value_of(words) < LEXICO.vezes[word]
    if last in LEXICO.vezes:
        return _VALUES[word] < LEXICO.vezes[last]
    if last in LEXICO.centenas:
        return word in LEXICO.dezenas or word in LEXICO.unidades or word in _ONLY_SPANISH
    return last in LEXICO.dezenas and 0 < _VALUES[word] < 10


def value_of(words: list[str]) -> float:
    """The value of words that make up one number."""
    total, current = 0.0, 0.0
    for word in words:
        if word in LEXICO.vezes:
            current = (current or 1) * LEXICO.vezes[word]
            if LEXICO.vezes[word] == 1000:
                total, current = total + current, 0.0
        else:
            current += _VALUES[word]
    return total + current
