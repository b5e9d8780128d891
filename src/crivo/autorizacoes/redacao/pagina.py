"""A text as it is read for checking: in lower case without accents, every letter in its place, cut into sentences and clauses."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cached_property
from typing import Final

import msgspec

from crivo.autorizacoes.redacao.insumos import Falha
from crivo.kernel.linguagem.dobra import composed, fold_letters, without_unseen
from crivo.kernel.linguagem.frases import Span, cut

_SENTENCE: Final = re.compile(r"(?<![0-9])[.](?![0-9])|[.](?=\s|$)|[!?;\n]")
_CLAUSE: Final = re.compile(r"[,:(]|\s[-–—]\s|\b(?:mas|porem|entretanto|contudo|embora|enquanto)\b")


class Achado(msgspec.Struct, frozen=True):
    """One fault found: its kind, the words at fault as they are written, and why (pt-BR)."""

    falha: Falha
    trecho: str
    porque: str


class Pagina:
    """A text and its readings. `text` is without invisible characters; every place is one in it."""

    def __init__(self, texto: str) -> None:
        self.text = composed(without_unseen(texto)).replace("\u00a0", " ").replace("\u202f", " ")
        self.folded = fold_letters(self.text)

    @cached_property
    def sentences(self) -> tuple[Span, ...]:
        """Where each sentence stands."""
        return tuple(cut(self.folded, _SENTENCE))

    @cached_property
    def clauses(self) -> tuple[Span, ...]:
        """Where each clause stands."""
        return tuple(clause for start, end in self.sentences for clause in cut(self.folded, _CLAUSE, start, end))

    def sentence_at(self, place: int) -> Span:
        """The sentence around a place."""
        return _around(self.sentences, place, len(self.folded))

    def clause_at(self, place: int) -> Span:
        """The clause around a place."""
        return _around(self.clauses, place, len(self.folded))

    def quote(self, span: Span) -> str:
        """The words at a place, as written."""
        return " ".join(self.text[span[0] : span[1]].split())

    def has(self, phrase: str) -> bool:
        """Whether a phrase stands in the text, whatever its case and accents."""
        return bool(self.places(phrase))

    def places(self, phrase: str) -> tuple[Span, ...]:
        """Where a phrase stands, whole words alone."""
        words = [re.escape(word) for word in fold_letters(composed(phrase)).split()]
        if not words:
            return ()
        spelled = r"\s+".join(words)
        return tuple(match.span() for match in re.finditer(rf"(?<!\w){spelled}(?!\w)", self.folded))


def blank(text: str, spans: Iterable[Span]) -> str:
    """The text with those places empty, as long as it was."""
    for start, end in spans:
        text = text[:start] + " " * (end - start) + text[end:]
    return text


def _around(spans: tuple[Span, ...], place: int, length: int) -> Span:
    return next(((start, end) for start, end in spans if start <= place < end), (0, length))
