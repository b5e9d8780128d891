"""Whether a certidão says that there are debts, by words kept as data in `debitos.json`. Source: CTN, arts. 205 and 206."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from functools import cache
from typing import Final, NamedTuple

import msgspec

from crivo.kernel.linguagem.dobra import fold_in_place
from crivo.kernel.linguagem.lexico import read_lexico
from crivo.kernel.linguagem.modalidade import modality_of
from crivo.triagem.edital import TipoDocumento
from crivo.triagem.habilitacao.tipos import catalogue

_HEADING_CHARS: Final = 400
_CERTIDAO: Final = "certidao"
_TITLE_CHARS: Final = 160  # a long title says "com efeitos de negativa" two lines after "positiva"
_NEAR_BEFORE_CHARS: Final = 40
_SENTENCE_END: Final = re.compile(r"[.;:](?= [a-z]|$)")  # "nº. 123" goes on
_WORD: Final = re.compile(r"[a-z-]+")  # "encontra-se" is no "se"


class Debitos(NamedTuple):
    """The words of a certidão that tell of debts, verbatim; `certo` is False where others in it make a person decide."""

    certo: bool
    trecho: str


class _Palavras(msgspec.Struct, frozen=True):
    """`so_no_titulo` are types that may be any paper: only a title tells. `nega` are words before a mark that take it back,
    besides those that deny or suppose."""

    tipos: frozenset[TipoDocumento]
    so_no_titulo: frozenset[TipoDocumento]
    positiva: tuple[str, ...]
    negativa: tuple[str, ...]
    constam: tuple[str, ...]
    equivale: tuple[str, ...]
    talvez_equivale: tuple[str, ...]
    nega: frozenset[str]


def find_debitos(texto: str, tipo: str) -> Debitos | None:
    """What a certidão says of debts; None where it says none, or is by its title worth a negative one.

    A type of an edital's own may be a certidão (of débitos trabalhistas, of a state) or any other paper: its title tells.
    """
    palavras = _words()
    if tipo in catalogue() and tipo not in palavras.tipos | palavras.so_no_titulo:
        return None
    plain, places = _flatten(texto)
    head = _head(plain)
    titled = _first(palavras.positiva, plain, *head)
    negative = _first(palavras.negativa, plain, *head)
    # Whichever word the title says first is what the paper is: a negative one may speak of positive ones further on.
    if titled and not (negative and negative.end() < titled.end()):
        title = _SENTENCE_END.split(plain[titled.start() : titled.end() + _TITLE_CHARS])[0]
        if _first(palavras.equivale, title):
            return None
        return Debitos(_first(palavras.talvez_equivale, plain) is None, _lines(texto, places[titled.start()], places[titled.end() - 1]))
    stated = _first(palavras.constam, plain) if tipo in palavras.tipos else None
    if stated is None:
        return None
    return Debitos(
        negative is None and _first(palavras.talvez_equivale, plain) is None,
        _lines(texto, places[stated.start()], places[stated.end() - 1]),
    )


def _head(plain: str) -> tuple[int, int]:
    """From where to where the title of a certidão is looked for: where the text begins, or, after a cover and an index, where it does."""
    named = plain.find(_CERTIDAO)
    start = named if named > _HEADING_CHARS else 0
    return start, start + _HEADING_CHARS


def _first(marks: tuple[str, ...], plain: str, start: int = 0, end: int = sys.maxsize) -> re.Match[str] | None:
    """The mark that ends first, of those that no word shortly before it, in the same sentence, takes back."""
    return min(_found(marks, plain, start, end), key=lambda found: found.end(), default=None)


def _found(marks: tuple[str, ...], plain: str, start: int, end: int) -> Iterator[re.Match[str]]:
    for mark in marks:
        for found in _pattern(mark).finditer(plain, start, end):
            before = _SENTENCE_END.split(plain[max(0, found.start() - _NEAR_BEFORE_CHARS) : found.start()])[-1]
            said = modality_of(before)
            if not said.negado and not said.suposto and _words().nega.isdisjoint(_WORD.findall(before)):
                yield found
                break


def _flatten(texto: str) -> tuple[str, list[int]]:
    """The text without case, accents or runs of blanks, and where each of its letters stands in the original."""
    plain = fold_in_place(texto)
    places = [at for at, char in enumerate(plain) if not (char.isspace() and at and plain[at - 1].isspace())]
    return "".join(" " if plain[at].isspace() else plain[at] for at in places), places


def _lines(texto: str, first: int, last: int) -> str:
    """The whole lines between two places of a text, as they are written."""
    end = texto.find("\n", last)
    return texto[texto.rfind("\n", 0, first) + 1 : end if end >= 0 else len(texto)].strip()


@cache
def _words() -> _Palavras:
    return read_lexico("crivo.triagem.habilitacao", "debitos", _Palavras)


@cache
def _pattern(mark: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{mark})")
