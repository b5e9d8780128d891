"""A text read once: what it is cut into, and the values that stand in it, each with its place and how it is said."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from functools import cached_property, lru_cache
from typing import Final, Literal

import msgspec

from crivo.kernel.linguagem.datas import FoundDate, find_dates
from crivo.kernel.linguagem.fala import Folded, folded
from crivo.kernel.linguagem.frases import Span, find_clauses, find_sentences
from crivo.kernel.linguagem.horas import FoundTime, find_times
from crivo.kernel.linguagem.identificadores import find_identificadores
from crivo.kernel.linguagem.idioma import Idioma, language
from crivo.kernel.linguagem.modalidade import Modalidade, modality_of
from crivo.kernel.linguagem.numeros import Numero, find_numbers

REMEMBERED: Final = 256
"""How many texts are remembered with what was read in them."""

Tipo = Literal["cpf", "cnpj", "data", "hora", "numero"]


class Valor(msgspec.Struct, frozen=True):
    """A value of a text: what kind it is, where it stands, and how its clause says it."""

    tipo: Tipo
    start: int
    end: int
    modalidade: Modalidade


class Texto(msgspec.Struct, frozen=True, dict=True):
    """A text. What is asked of it is read when it is first asked for, and kept; every place is one in `original`."""

    original: str

    @cached_property
    def folded(self) -> Folded:
        """Lower case without accents, with the way back."""
        return folded(self.original)

    @cached_property
    def idioma(self) -> Idioma:
        """Portuguese, Spanish or English, by its small words."""
        return language(self.original)

    @cached_property
    def frases(self) -> tuple[Span, ...]:
        """Where each sentence stands."""
        return find_sentences(self.original)

    @cached_property
    def numeros(self) -> tuple[Numero, ...]:
        """The numbers, those within dates and hours too."""
        return find_numbers(self.original)

    @cached_property
    def horas(self) -> tuple[FoundTime, ...]:
        """The times of day."""
        return tuple(find_times(self.original))

    def datas(self, hoje: date) -> tuple[FoundDate, ...]:
        """The dates, those that hang on today as the days that they come to."""
        return _dates(self.original, hoje)

    def valores(self, hoje: date) -> tuple[Valor, ...]:
        """Every value in the order written, none within another: an identifier before a date, a date before an hour, a number last."""
        taken: list[Valor] = []
        for tipo, start, end in self._found(hoje):
            if not any(start < other.end and other.start < end for other in taken):
                taken.append(Valor(tipo, start, end, self.modality_at(start)))
        return tuple(sorted(taken, key=lambda valor: valor.start))

    def modality_at(self, place: int) -> Modalidade:
        """How the clause around a place says what stands there; what a sentence asks, all its clauses ask."""
        start, end = next(((low, high) for low, high in self.frases if low <= place < high), (0, len(self.original)))
        sentence = folded(self.original[start:end])
        at = next((index for index in range(len(sentence.text)) if sentence.span(index, index)[0] >= place - start), len(sentence.text))
        low, high = next(((low, high) for low, high in find_clauses(sentence.text) if low <= at < high), (0, len(sentence.text)))
        said = modality_of(sentence.text[low:high], at - low)
        return msgspec.structs.replace(said, perguntado=sentence.text.rstrip().endswith("?"))

    def _found(self, hoje: date) -> Iterator[tuple[Tipo, int, int]]:
        yield from ((one.tipo, one.start, one.end) for one in find_identificadores(self.original))
        yield from (("data", one.start, one.end) for one in self.datas(hoje))
        yield from (("hora", one.start, one.end) for one in self.horas)
        yield from (("numero", one.start, one.end) for one in self.numeros if not one.artigo)


@lru_cache(maxsize=REMEMBERED)
def read(text: str) -> Texto:
    """A text as it is read; the last ones asked for are remembered."""
    return Texto(text)


@lru_cache(maxsize=REMEMBERED)
def _dates(text: str, hoje: date) -> tuple[FoundDate, ...]:
    return tuple(find_dates(text, hoje))
