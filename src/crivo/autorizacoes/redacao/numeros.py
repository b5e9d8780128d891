"""Numbers in a Portuguese text, in figures and in words."""

from __future__ import annotations

import re
from typing import Final

import msgspec

_UNITS: Final = {
    "zero": 0,
    "um": 1,
    "uma": 1,
    "dois": 2,
    "duas": 2,
    "tres": 3,
    "quatro": 4,
    "cinco": 5,
    "seis": 6,
    "sete": 7,
    "oito": 8,
    "nove": 9,
    "dez": 10,
    "onze": 11,
    "doze": 12,
    "treze": 13,
    "catorze": 14,
    "quatorze": 14,
    "quinze": 15,
    "dezesseis": 16,
    "dezasseis": 16,
    "dezessete": 17,
    "dezoito": 18,
    "dezenove": 19,
}
_TENS: Final = {"vinte": 20, "trinta": 30, "quarenta": 40, "cinquenta": 50, "sessenta": 60, "setenta": 70, "oitenta": 80, "noventa": 90}
_HUNDREDS: Final = {
    "cem": 100,
    "cento": 100,
    "duzentos": 200,
    "duzentas": 200,
    "trezentos": 300,
    "trezentas": 300,
    "quatrocentos": 400,
    "quatrocentas": 400,
    "quinhentos": 500,
    "quinhentas": 500,
    "seiscentos": 600,
    "seiscentas": 600,
    "setecentos": 700,
    "setecentas": 700,
    "oitocentos": 800,
    "oitocentas": 800,
    "novecentos": 900,
    "novecentas": 900,
}
_GROUPS: Final = {"duzia": 12, "duzias": 12, "dezena": 10, "dezenas": 10, "centena": 100, "centenas": 100}
_THOUSAND: Final = "mil"
_ARTICLES: Final = frozenset({"um", "uma"})
_WORD: Final = "|".join(sorted((*_UNITS, *_TENS, *_HUNDREDS, *_GROUPS, _THOUSAND, "meia duzia"), key=len, reverse=True))
_FRACTIONS: Final = {
    "dois tercos": 2 / 3,
    "duas tercas partes": 2 / 3,
    "um terco": 1 / 3,
    "a terca parte": 1 / 3,
    "tres quartos": 3 / 4,
    "um quarto": 1 / 4,
    "um quinto": 1 / 5,
    "a metade": 1 / 2,
    "metade": 1 / 2,
}
_TOKEN: Final = re.compile(
    rf"(?<![\w])(?:(?P<fraction>{'|'.join(_FRACTIONS)})|(?P<word>{_WORD}))(?!\w)(?!-feira)"
    r"|(?<![\w.,])(?P<figures>[+-]?\d{1,3}(?:\.\d{3})+(?:,\d+)?|\d+(?:[.,]\d+)?)(?P<mark>\s?[ºª°])?(?!\d)"
)
_PERCENT: Final = re.compile(rf"(?:\d|\b(?:{_WORD}))\s+por\s+$")  # "dez por cento", and not "vale por cento e vinte dias"
_AND: Final = re.compile(r"\s+e\s+")
_SPACE: Final = re.compile(r"\s+(?:de\s+)?")


class Numero(msgspec.Struct, frozen=True):
    """A number and where it stands: `artigo` when it is "um" or "uma" and may count nothing; `fracao` when it is a share ("metade")."""

    start: int
    end: int
    value: float
    artigo: bool = False
    fracao: bool = False


def find_numeros(folded: str) -> tuple[Numero, ...]:
    """Every number of a folded text in the order written; ordinals ("1º", "primeiro") are none.

    `1.200,50`, `12,5`, `trezentos e dez`, `meia dúzia`, `dois mil e seis`, `um terço`.
    """
    found: list[Numero] = []
    run: list[re.Match[str]] = []
    for match in _TOKEN.finditer(folded):
        if match["word"] == "cento" and _PERCENT.search(folded, 0, match.start()):
            continue
        if run and (match["word"] is None or not _goes_on(folded, run, match)):
            found.append(_of(run))
            run = []
        if match["word"]:
            run.append(match)
        elif match["fraction"]:
            found.append(Numero(*match.span(), _FRACTIONS[match["fraction"]], fracao=True))
        elif not match["mark"]:
            found.append(Numero(*match.span("figures"), value_of(match["figures"])))
    if run:
        found.append(_of(run))
    return tuple(found)


def value_of(figures: str) -> float:
    """The value of a number in figures: `1.200` is a thousand, `12,5` and `12.5` the same."""
    if re.fullmatch(r"[+-]?\d{1,3}(?:\.\d{3})+(?:,\d+)?", figures):
        figures = figures.replace(".", "")
    return float(figures.replace(",", "."))


def _goes_on(folded: str, run: list[re.Match[str]], match: re.Match[str]) -> bool:
    """Whether a word is part of the number before it, as `cinco` is in `vinte e cinco` and `quinze` is not in `dez e quinze`."""
    between = folded[run[-1].end() : match.start()]
    last, word = run[-1]["word"], match["word"]
    if word in _GROUPS or word == _THOUSAND:
        return bool(_SPACE.fullmatch(between)) and last in _UNITS and last not in _ARTICLES
    if last == _THOUSAND:
        return bool(_AND.fullmatch(between) or _SPACE.fullmatch(between))
    smaller = (last in _HUNDREDS and (word in _TENS or word in _UNITS)) or (last in _TENS and 0 < _UNITS.get(word, 0) < 10)
    return smaller and bool(_AND.fullmatch(between))


def _of(run: list[re.Match[str]]) -> Numero:
    words = [match["word"] for match in run]
    total, current = 0, 0
    for word in words:
        if word == "meia duzia":
            current += 6
        elif word == _THOUSAND:
            total, current = total + 1000 * (current or 1), 0
        elif word in _GROUPS:
            current = _GROUPS[word] * (current or 1)
        else:
            current += _UNITS.get(word, 0) + _TENS.get(word, 0) + _HUNDREDS.get(word, 0)
    return Numero(run[0].start(), run[-1].end(), total + current, artigo=len(words) == 1 and words[0] in _ARTICLES)
