"""The catalogue of document types: by which marks the text of each is known. Kept as data, in `tipos.json`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Final

import msgspec

from crivo.kernel.text.folding import fold
from crivo.triagem.edital import TipoDocumento

# A title names a document better than a word deep inside it: "declaro que tenho portfólio" is no portfólio.
_HEADING_CHARS: Final = 400
_GENERIC: Final = frozenset({"DECLARACAO", "OUTRO"})  # many documents declare something


class TipoDescrito(msgspec.Struct, frozen=True):
    """A type of document. Each of `marcas` is a list of alternatives joined by `|`, all of which the folded text must hold.

    Without `exige_marca`, a text that looks like no other type passes for this one: a portfólio may hold anything.
    """

    nome: str
    exige_marca: bool
    marcas: tuple[tuple[str, ...], ...]


@cache
def catalogue() -> Mapping[TipoDocumento, TipoDescrito]:
    """Every type, by its code."""
    raw = files("crivo.triagem.habilitacao").joinpath("tipos.json").read_bytes()
    return msgspec.json.decode(raw, type=dict[TipoDocumento, TipoDescrito])


def find_tipos(texto: str) -> tuple[TipoDocumento, ...]:
    """The types whose marks a text bears, those named at its head before those that only its body suggests."""
    folded = fold(texto)
    heading = folded[:_HEADING_CHARS]
    at_head = [tipo for tipo in _matchers() if _bears(tipo, heading)]
    in_body = [tipo for tipo in _matchers() if tipo not in at_head and _bears(tipo, folded)]
    return tuple(sorted(at_head, key=_GENERIC.__contains__) + sorted(in_body, key=_GENERIC.__contains__))


def is_of_tipo(texto: str, tipo: TipoDocumento) -> bool:
    """Whether a text can pass for that type: it bears its marks, and is not headed as something else."""
    if tipo == "OUTRO":
        return True
    folded, found = fold(texto), find_tipos(texto)
    if tipo not in found:
        return not catalogue()[tipo].exige_marca and not (_names_another(texto, tipo) or any(other not in _GENERIC for other in found))
    heading = folded[:_HEADING_CHARS]
    return _bears(tipo, heading) or not any(_bears(other, heading) for other in found if other not in _GENERIC)


def _names_another(texto: str, tipo: TipoDocumento) -> bool:
    """Whether the very title says that it is a declaração, which in a body says little."""
    title = next((line for line in texto.splitlines() if line.strip()), "")
    return tipo != "DECLARACAO" and _bears("DECLARACAO", fold(title))


def _bears(tipo: TipoDocumento, folded: str) -> bool:
    return any(all(mark.search(folded) for mark in marks) for marks in _matchers()[tipo])


@cache
def _matchers() -> Mapping[TipoDocumento, tuple[tuple[re.Pattern[str], ...], ...]]:
    return {
        tipo: tuple(tuple(re.compile(rf"\b(?:{alternatives})") for alternatives in marks) for marks in described.marcas)
        for tipo, described in catalogue().items()
    }
