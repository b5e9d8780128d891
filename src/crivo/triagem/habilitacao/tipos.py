"""The catalogue of document types: by which marks the text of each is known. Kept as data, in `tipos.json`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Final, NamedTuple

import msgspec

from crivo.kernel.linguagem.dobra import fold
from crivo.kernel.linguagem.lexico import read_lexico
from crivo.triagem.edital import TipoDocumento

# A title names a document better than a word deep inside it: "declaro que tenho portfólio" is no portfólio.
_HEADING_CHARS: Final = 400
_GENERIC: Final = frozenset({"DECLARACAO", "OUTRO"})  # many documents declare something


class TipoDescrito(msgspec.Struct, frozen=True):
    """A type of document. Each of `marcas` is a list of alternatives joined by `|`, all of which the folded text must hold.

    What says any of `exclui` at its head is another document that speaks of the same things: a state's certidão names a município too.
    Without `exige_marca`, a text that looks like no other type passes for this one: a portfólio may hold anything.
    """

    nome: str
    exige_marca: bool
    marcas: tuple[tuple[str, ...], ...]
    exclui: tuple[str, ...] = ()


class _Matcher(NamedTuple):
    marcas: tuple[tuple[re.Pattern[str], ...], ...]
    exclui: tuple[re.Pattern[str], ...]


@cache
def catalogue() -> Mapping[TipoDocumento, TipoDescrito]:
    """Every type, by its code."""
    return read_lexico("crivo.triagem.habilitacao", "tipos", dict[TipoDocumento, TipoDescrito])


def find_tipos(texto: str) -> tuple[TipoDocumento, ...]:
    """The types whose marks a text bears, those named at its head before those that only its body suggests."""
    folded = fold(texto)
    at_head = _headed_as(folded)
    in_body = [tipo for tipo in _matchers() if tipo not in at_head and _bears(tipo, folded)]
    return tuple(at_head + sorted(in_body, key=_GENERIC.__contains__))


def is_of_tipo(texto: str, tipo: TipoDocumento) -> bool:
    """Whether a text can pass for that type: it bears its marks, and is not headed as something else."""
    if tipo == "OUTRO":
        return True
    folded = fold(texto)
    headed = _headed_as(folded)
    if tipo in headed:
        return True
    if any(other not in _GENERIC for other in headed):
        return False
    if _bears(tipo, folded):
        return True
    return not catalogue()[tipo].exige_marca and not _is_titled_declaracao(texto)


def bears_marks(texto: str, tipo: TipoDocumento) -> bool:
    """Whether anything in a text tells that it is of that type: what has no marks of its own, as `OUTRO`, no code can tell."""
    return tipo != "OUTRO" and _bears(tipo, fold(texto))


def _headed_as(folded: str) -> list[TipoDocumento]:
    heading = folded[:_HEADING_CHARS]
    return sorted((tipo for tipo in _matchers() if _bears(tipo, heading)), key=_GENERIC.__contains__)


def _is_titled_declaracao(texto: str) -> bool:
    """Whether the very title says that it is a declaração, which in a body says little."""
    return _bears("DECLARACAO", fold(next((line for line in texto.splitlines() if line.strip()), "")))


def _bears(tipo: TipoDocumento, folded: str) -> bool:
    matcher = _matchers()[tipo]
    if any(mark.search(folded, 0, _HEADING_CHARS) for mark in matcher.exclui):
        return False
    return any(all(mark.search(folded) for mark in marks) for marks in matcher.marcas)


@cache
def _matchers() -> Mapping[TipoDocumento, _Matcher]:
    return {
        tipo: _Matcher(tuple(tuple(map(_pattern, marks)) for marks in described.marcas), tuple(map(_pattern, described.exclui)))
        for tipo, described in catalogue().items()
    }


def _pattern(alternatives: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{alternatives})")
