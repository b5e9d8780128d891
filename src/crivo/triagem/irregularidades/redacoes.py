"""Known wordings by which people tell whoever grades what to do, and the honest uses that look like them.

Both are data (`instrucoes.json`). Source: design, Hidden or instructing text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain
from typing import Final

from crivo.kernel.linguagem.frases import sentence_around
from crivo.kernel.linguagem.lexico import read_lexico
from crivo.triagem.documentos.disfarces import Plain, Undresser
from crivo.triagem.edital import Value

_AROUND: Final = 160  # letters looked at before and after a sign
_QUOTES: Final = re.compile("[\"“«‘']([^\"”»’']{3,400})[\"”»’']")
_BLANK: Final = r"[^\w.!?]+"  # between words of one sentence
_NO_BLANK: Final = r"\W*"  # where letters were set apart, and blanks between words are lost
_LETTERS_A_WORD: Final = 7
_CONTROL: Final = re.compile(r"\{(\w+)\}|~(\d)~| ")


class _Padrao(Value, frozen=True):
    nome: str
    forma: str
    forca: int
    salvo: tuple[str, ...] = ()
    cru: bool = False


class _Conjunto(Value, frozen=True):
    """Roles that make a sign where one sentence plays them all, in whatever order; the first is where the sign stands."""

    nome: str
    papeis: tuple[str, ...]
    forca: int
    salvo: tuple[str, ...] = ()


_Match = tuple[_Padrao | _Conjunto, re.Match[str]]


class _Lexico(Value, frozen=True):
    sobre: str
    classes: Mapping[str, tuple[str, ...]]
    padroes: tuple[_Padrao, ...]
    salvos: Mapping[str, str]
    homoglifos: Mapping[str, str]
    marcas: tuple[str, ...]
    conjuntos: tuple[_Conjunto, ...] = ()


@dataclass(frozen=True, slots=True)
class _Pattern:
    """A pattern as it is looked for in text with blanks between words, and in text without."""

    padrao: _Padrao
    loose: re.Pattern[str]
    tight: re.Pattern[str]


class Sign(Value, frozen=True):
    """A place that speaks to whoever grades: two of strength 1 and of different names make one of strength 2, which is enough."""

    start: int
    end: int
    strength: int
    name: str
    certainty: float = 0.0


def find_wordings(texto: str, plain: Plain, start: int, end: int, *, oculto: bool) -> Iterator[Sign]:
    """The signs between two places of a text read as `plain`. Where it is `oculto`, quoting excuses nothing: nobody hides a quotation."""
    salvos = _lexicon().salvos
    quoted: list[tuple[int, int]] | None = None
    for rule, match in chain[_Match](_by_pattern(plain, start, end), _by_roles(plain, start, end)):
        span = plain.span(*match.span())
        if quoted is None:
            quoted = [] if oculto else [found.span(1) for found in _QUOTES.finditer(texto)]
        if not any(_excused(name, plain, match, span, quoted, salvos) for name in rule.salvo):
            yield Sign(*span, rule.forca, rule.nome)


def _by_pattern(plain: Plain, start: int, end: int) -> Iterator[_Match]:
    for pattern in _patterns():
        for match in (pattern.tight if plain.joined else pattern.loose).finditer(plain.text, start, end):
            yield pattern.padrao, match


def _by_roles(plain: Plain, start: int, end: int) -> Iterator[_Match]:
    if plain.joined:
        return
    for conjunto, first, others in _roles():
        for match in first.finditer(plain.text, start, end):
            # what is said after a semicolon is said of the same matter
            low, high = sentence_around(plain.text, match.start(), match.end(), _AROUND, semicolons=False)
            if all(role.search(plain.text, low, high) for role in others):
                yield conjunto, match


def _excused(
    name: str, plain: Plain, match: re.Match[str], span: tuple[int, int], quoted: Sequence[tuple[int, int]], salvos: Mapping[str, str]
) -> bool:
    """Whether what matched is one of the honest uses that a pattern is excused for."""
    text, start, end = plain.text, match.start(), match.end()
    before, after = text[max(0, start - _AROUND) : start], text[end : end + _AROUND]
    match name:
        case "citacao":
            return any(low <= span[0] and span[1] <= high for low, high in quoted) and _says(salvos[name], before + " " + after)
        case "alunos":
            return _says(salvos[name], text[slice(*sentence_around(text, start, end, _AROUND))])
        case "alunos_no_alvo":
            return _says(salvos["alunos"], match.group())
        case "condicao" | "pergunta":
            return _says(salvos[name], after)
        case _:
            return _says(salvos[name], before)


def _says(pattern: str, text: str) -> bool:
    return re.search(pattern, text) is not None


@cache
def _lexicon() -> _Lexico:
    return read_lexico(__package__, "instrucoes", _Lexico)


@cache
def undresser() -> Undresser:
    """What takes off the disguises that are known."""
    return Undresser(_lexicon().homoglifos, _lexicon().marcas)


@cache
def _patterns() -> tuple[_Pattern, ...]:
    lexico = _lexicon()
    return tuple(
        _Pattern(padrao, _compile(padrao, lexico.classes, _BLANK), _compile(padrao, lexico.classes, _NO_BLANK)) for padrao in lexico.padroes
    )


@cache
def _roles() -> tuple[tuple[_Conjunto, re.Pattern[str], tuple[re.Pattern[str], ...]], ...]:
    lexico = _lexicon()

    def compiled(papel: str) -> re.Pattern[str]:
        return _compile(_Padrao(papel, f"{{{papel}}}", 0), lexico.classes, _BLANK)

    return tuple(
        (conjunto, compiled(conjunto.papeis[0]), tuple(compiled(papel) for papel in conjunto.papeis[1:])) for conjunto in lexico.conjuntos
    )


def _compile(padrao: _Padrao, classes: Mapping[str, tuple[str, ...]], blank: str) -> re.Pattern[str]:
    if padrao.cru:
        return re.compile(padrao.forma)
    gap = r"(?:[^\W_]+[^\w.!?]+){0,%d}?" if blank == _BLANK else r"[\w ]{0,%d}?"

    def spell(match: re.Match[str]) -> str:
        if match[1]:
            return f"(?:{'|'.join(form.replace(' ', blank) for form in classes[match[1]])})"
        if match[2]:
            return gap % (int(match[2]) * (1 if blank == _BLANK else _LETTERS_A_WORD))
        return blank

    edge = (r"(?<!\w)", r"(?!\w)") if blank == _BLANK else ("", "")
    forma = re.sub(r" ~(\d)~ ", r" ~\1~", padrao.forma)
    return re.compile(edge[0] + _CONTROL.sub(spell, forma) + edge[1])
