"""Numbers in a text, in figures and in words, in Portuguese, Spanish and English. Why a grammar of our own: docs/decisions/0040."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final

import msgspec

from crivo.kernel.linguagem.fala import folded
from crivo.kernel.linguagem.idioma import language
from crivo.kernel.linguagem.lexico import PALAVRAS, any_of


class Numero(msgspec.Struct, frozen=True):
    """A number and where it stands. `escrito`: it is in words; `artigo`: it is `um` or `uma` alone, and may count nothing; `fracao`: it
    is a share (`metade`).
    """

    start: int
    end: int
    value: float
    escrito: bool = False
    artigo: bool = False
    fracao: bool = False


_VALUES: Final = {**PALAVRAS.unidades, **PALAVRAS.unidades_so_em_espanhol, **PALAVRAS.dezenas, **PALAVRAS.centenas, **PALAVRAS.fracoes}
_SMALL: Final = {**PALAVRAS.unidades, **PALAVRAS.unidades_so_em_espanhol}
_TIMES: Final = {**PALAVRAS.vezes, **PALAVRAS.grupos}
_ARTICLES: Final = frozenset({"um", "uma", "un", "una"})
_HALF_A_DOZEN: Final = "meia duzia"
_ONLY_SPANISH: Final = frozenset({*PALAVRAS.unidades_so_em_espanhol, "medio", "media"})
_ONLY_ABROAD: Final = frozenset({*_ONLY_SPANISH, "hundred", "thousand", "million", *PALAVRAS.fracoes})
WRITTEN: Final = any_of({*_VALUES, *_TIMES} - _ONLY_ABROAD)
WRITTEN_NUMBER: Final = rf"(?:{WRITTEN})(?:\s+(?:e\s+)?(?:{WRITTEN}))*(?!\w)"
"""A regular expression for a Portuguese number in words, `cento e vinte`, to stand in a larger one over folded text."""

_FIGURES: Final = r"(?<!\w)(?<!\d[.,])(?P<figures>\d{1,3}(?:\.\d{3})+(?:,\d+)?|\d+(?:[.,]\d+)?)(?!\d)(?P<mark>\s?[ºª°])?"
_TIMES_IN_FIGURES: Final = re.compile(r"\s+(mil|milh(?:ao|oes)|bilh(?:ao|oes)|thousand|million)(?!\w)")
_HALVES: Final = {"½": 0.5, "¼": 0.25, "¾": 0.75}
_NOTHING: Final = "(?!)"


def _token(parts: str, words: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:(?P<part>{parts})|(?P<word>{words}))(?!\w)|{_FIGURES}|(?P<half>[½¼¾])")


_PORTUGUESE: Final = _token(any_of(PALAVRAS.partes), WRITTEN)
_OF_THREE: Final = _token(_NOTHING, any_of({*_VALUES, *PALAVRAS.vezes}))
_DECIMAL: Final = re.compile(r"[+-]?[0-9]+(?:[.,][0-9]+)?")
_GROUPED: Final = re.compile(r"[+-]?[0-9]{1,3}(?:\.[0-9]{3})+,[0-9]+")
# One thousand to a Brazilian and one to a machine, or the other way round: nobody can tell which was meant.
_AMBIGUOUS: Final = re.compile(r"[+-]?[1-9][0-9]{0,2}[.,][0-9]{3}")
_JOIN: Final = re.compile(r"\s+(?:e|y|and)\s+|\s*-\s*|\s+")
_AFTER_THOUSANDS: Final = re.compile(r"\s*,\s*")
_SPACE: Final = re.compile(r"\s+(?:de\s+)?")
_PERCENT: Final = re.compile(rf"(?:\d|\b(?:{WRITTEN}))\s+por\s+$")  # "dez por cento", and not "vale por cento e vinte dias"


def find_numeros(folded: str) -> tuple[Numero, ...]:
    """Every number of a folded Portuguese text in the order written; ordinals ("1º", "primeiro") are none.

    `1.200,50`, `12,5`, `3 mil`, `trezentos e dez`, `meia dúzia`, `dois mil e seis`, `um terço`.
    """
    return tuple(_found(folded, _PORTUGUESE, lambda word: word not in _ONLY_ABROAD))


def find_numbers(text: str) -> tuple[Numero, ...]:
    """Every number of a text in whichever of the three languages, halves too: `dezoito`, `forty-five`, `ciento dos`, `meia`, `½`."""
    page = folded(text)
    found = _found(page.text, _OF_THREE, lambda word: word not in _ONLY_SPANISH or language(text) == "es")
    if page.positions is None:
        return tuple(found)
    places = ((numero, *page.span(numero.start, numero.end)) for numero in found)
    return tuple(msgspec.structs.replace(numero, start=start, end=end) for numero, start, end in places)


def number_in(figures: str) -> float:
    """The value of a number in figures: `1.200` is a thousand and more, `12,5` and `12.5` the same."""
    if re.fullmatch(r"\d{1,3}(?:\.\d{3})+(?:,\d+)?", figures):
        figures = figures.replace(".", "")
    return float(figures.replace(",", "."))


def number_written(text: str) -> int | float | None:
    """The number that a text is and nothing else, decimal comma too; None where it is none, or could be one of two (`1.000`)."""
    if _GROUPED.fullmatch(text):
        text = text.replace(".", "")
    elif not _DECIMAL.fullmatch(text) or _AMBIGUOUS.fullmatch(text):
        return None
    number = float(text.replace(",", "."))
    return int(number) if number.is_integer() else number


def value_of(words: list[str]) -> float:
    """The value of words that make up one number."""
    total, current = 0.0, 0.0
    for word in words:
        if word == _HALF_A_DOZEN:
            current += _TIMES[word]
        elif word in PALAVRAS.grupos or word == "hundred":
            current = (current or 1) * _TIMES[word]
        elif word in PALAVRAS.vezes:
            total, current = total + (current or 1) * _TIMES[word], 0.0
        else:
            current += _VALUES[word]
    return total + current


def _found(text: str, token: re.Pattern[str], is_read: Callable[[str], bool]) -> Iterator[Numero]:
    run: list[re.Match[str]] = []
    end = 0
    for match in token.finditer(text):
        word = match["word"]
        if match.start() < end or (word and not is_read(word)) or (word == "cento" and _PERCENT.search(text, 0, match.start())):
            continue
        if run and (word is None or not _goes_on(text, run, match)):
            yield _of(run)
            run = []
        if word is not None:
            run.append(match)
        elif not match["mark"]:
            numero = _single(text, match)
            end = numero.end
            yield numero
    if run:
        yield _of(run)


def _single(text: str, match: re.Match[str]) -> Numero:
    """A number that is not made of words: figures, `3 mil` too, the sign of a half, or a share."""
    if match["part"]:
        over, under = PALAVRAS.partes[match["part"]]
        return Numero(*match.span(), over / under, escrito=True, fracao=True)
    if match["half"]:
        return Numero(*match.span(), _HALVES[match["half"]])
    times = _TIMES_IN_FIGURES.match(text, match.end("figures"))
    value = number_in(match["figures"]) * (PALAVRAS.vezes[times[1]] if times else 1)
    return Numero(match.start("figures"), times.end() if times else match.end("figures"), value)


def _goes_on(text: str, run: list[re.Match[str]], match: re.Match[str]) -> bool:
    """Whether a word is part of the number before it, as `cinco` is in `vinte e cinco` and `quinze` is not in `dez e quinze`."""
    words, word, between = [one["word"] for one in run], match["word"], text[run[-1].end() : match.start()]
    last = words[-1]
    if word in PALAVRAS.fracoes or last in PALAVRAS.fracoes or last in PALAVRAS.grupos:
        return False
    if word in _TIMES:
        return _SPACE.fullmatch(between) is not None and _can_be_multiplied(words, word)
    listed = last in PALAVRAS.vezes and (word in PALAVRAS.centenas or last == "thousand") and _AFTER_THOUSANDS.fullmatch(between)
    if not listed and not _JOIN.fullmatch(between):
        return False
    if last in PALAVRAS.vezes:
        return _VALUES[word] < PALAVRAS.vezes[last]
    if last in PALAVRAS.centenas:
        return word in PALAVRAS.dezenas or word in _SMALL
    return last in PALAVRAS.dezenas and 0 < _VALUES[word] < 10


def _can_be_multiplied(words: list[str], word: str) -> bool:
    """Whether `mil`, `milhões` or `dúzias` may follow: once for each size, from the largest on; an article is no count of a group."""
    times = [PALAVRAS.vezes[one] for one in words if one in PALAVRAS.vezes and one != "hundred"]
    if word in PALAVRAS.grupos:
        return len(words) == 1 and words[0] in PALAVRAS.unidades and words[0] not in _ARTICLES and word != _HALF_A_DOZEN
    return words[-1] not in PALAVRAS.vezes.keys() - {"hundred"} and all(PALAVRAS.vezes[word] < one for one in times)


def _of(run: list[re.Match[str]]) -> Numero:
    words = [match["word"] for match in run]
    article = len(words) == 1 and words[0] in _ARTICLES
    return Numero(run[0].start(), run[-1].end(), value_of(words), escrito=True, artigo=article)
