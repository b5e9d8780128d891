"""The types of document, by which marks the text of each is known: a catalogue kept as data, in `tipos.json`, and an edital's own."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Final, NamedTuple

import msgspec

from crivo.kernel.linguagem.dobra import fold
from crivo.kernel.linguagem.lexico import read_lexico
from crivo.triagem.edital import DocumentoProprio, TipoDocumento

# A title names a document better than a word deep inside it: "declaro que tenho portfólio" is no portfólio.
_HEADING_CHARS: Final = 400
_GENERIC: Final = frozenset({"DECLARACAO", "OUTRO"})  # many documents declare something
_TOGETHER: Final = re.compile(r"\s\+\s")  # between parts that one text must hold all of
_EDITAIS_KEPT: Final = 64


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


class _Visto(NamedTuple):
    """A text, as it is compared, and the types that its head names."""

    texto: str
    folded: str
    headed: tuple[str, ...]


class Tipos:
    """The types that the papers of an edital may be of. Its own are looked for before those of the catalogue."""

    def __init__(self, proprios: tuple[DocumentoProprio, ...] = ()) -> None:
        self._proprios = frozenset(one.id for one in proprios)
        self._descritos = {one.id: TipoDescrito(one.nome, bool(one.palavras), (), ()) for one in proprios} | dict(catalogue())
        self._matchers = {one.id: _own_matcher(one) for one in proprios} | dict(_matchers())
        self._last = _Visto("", "", ())  # a text is asked about several times in turn, and folding it is most of the work

    def nome(self, tipo: str) -> str:
        """What people call that type."""
        return self._descritos[tipo].nome

    def find(self, texto: str) -> tuple[str, ...]:
        """The types whose marks a text bears, those named at its head before those that only its body suggests."""
        _, folded, at_head = self._see(texto)
        in_body = [tipo for tipo in self._matchers if tipo not in at_head and self._bears(tipo, folded)]
        return (*at_head, *sorted(in_body, key=_GENERIC.__contains__))

    def is_of(self, texto: str, tipo: str) -> bool:
        """Whether a text can pass for that type: it bears its marks, and is not headed as something else."""
        if tipo == "OUTRO":
            return True
        _, folded, headed = self._see(texto)
        if tipo in headed:
            return True
        if any(other not in _GENERIC for other in headed):
            return False
        if self._bears(tipo, folded):
            return True
        if tipo in self._proprios:  # whoever wrote no words by which it is known means any paper but those that they excluded
            return not self._descritos[tipo].exige_marca and not self._is_excluded(tipo, folded)
        return not self._descritos[tipo].exige_marca and not self._is_titled_declaracao(texto)

    def bears_marks(self, texto: str, tipo: str) -> bool:
        """Whether anything in a text tells that it is of that type: what has no marks of its own, as `OUTRO`, no code can tell."""
        return tipo != "OUTRO" and self._bears(tipo, self._see(texto).folded)

    def _see(self, texto: str) -> _Visto:
        seen = self._last
        if seen.texto != texto:
            folded = fold(texto)
            heading = folded[:_HEADING_CHARS]
            named = sorted((tipo for tipo in self._matchers if self._bears(tipo, heading)), key=_GENERIC.__contains__)
            seen = self._last = _Visto(texto, folded, tuple(named))
        return seen

    def _is_titled_declaracao(self, texto: str) -> bool:
        """Whether the very title says that it is a declaração, which in a body says little."""
        return self._bears("DECLARACAO", fold(next((line for line in texto.splitlines() if line.strip()), "")))

    def _bears(self, tipo: str, folded: str) -> bool:
        if self._is_excluded(tipo, folded):
            return False
        return any(all(mark.search(folded) for mark in marks) for marks in self._matchers[tipo].marcas)

    def _is_excluded(self, tipo: str, folded: str) -> bool:
        return any(mark.search(folded, 0, _HEADING_CHARS) for mark in self._matchers[tipo].exclui)


@lru_cache(maxsize=_EDITAIS_KEPT)
def tipos_of(proprios: tuple[DocumentoProprio, ...] = ()) -> Tipos:
    """The catalogue with an edital's own types beside it."""
    return Tipos(proprios)


@cache
def catalogue() -> Mapping[TipoDocumento, TipoDescrito]:
    """Every type that all editais have, by its code."""
    return read_lexico("crivo.triagem.habilitacao", "tipos", dict[TipoDocumento, TipoDescrito])


def find_tipos(texto: str) -> tuple[str, ...]:
    """The types of the catalogue whose marks a text bears, as `Tipos.find`."""
    return tipos_of().find(texto)


@cache
def _matchers() -> Mapping[TipoDocumento, _Matcher]:
    return {
        tipo: _Matcher(tuple(tuple(map(_pattern, marks)) for marks in described.marcas), tuple(map(_pattern, described.exclui)))
        for tipo, described in catalogue().items()
    }


def _own_matcher(proprio: DocumentoProprio) -> _Matcher:
    """What people wrote is words and no pattern, told by whole ones: `ata` is in no `data`, and `CREF` in `CREF12`."""
    marcas = tuple(tuple(_words(part) for part in _TOGETHER.split(one) if fold(part)) for one in proprio.palavras)
    return _Matcher(tuple(filter(None, marcas)), tuple(_words(one) for one in proprio.palavras_de_outro if fold(one)))


def _pattern(alternatives: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{alternatives})")


def _words(written: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){re.escape(fold(written))}(?![^\W\d])")
