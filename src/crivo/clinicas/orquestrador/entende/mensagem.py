"""A message as a turn knows it: what it mentions, what it says as a whole, what it asks for. Each is read once a turn."""

from __future__ import annotations

from datetime import datetime
from functools import cached_property, lru_cache

import msgspec

from crivo.clinicas.orquestrador.contracts import Dialogue, Idioma
from crivo.clinicas.orquestrador.entende.atos import Ato, find_acts
from crivo.clinicas.orquestrador.entende.frase import Frase, read_sentence
from crivo.clinicas.orquestrador.entende.idioma import language_of
from crivo.clinicas.orquestrador.entende.leitura import Leitura, read_stretch
from crivo.clinicas.orquestrador.entende.mencoes import Contexto, Mencao, context_of, find_mentions
from crivo.clinicas.registro import Registro


class Mensagem(msgspec.Struct, frozen=True, dict=True):
    """A sentence within a conversation. What is asked of it is read when it is first asked for, and kept."""

    frase: Frase
    contexto: Contexto

    @property
    def text(self) -> str:
        """The text as it is read: folded, short forms written out."""
        return self.frase.text

    @cached_property
    def idioma(self) -> Idioma:
        """The language, by this message or by those before it."""
        return language_of(self.frase.original, self.contexto.ditos)

    @cached_property
    def mencoes(self) -> tuple[Mencao, ...]:
        """Everything that is mentioned, in the order written."""
        return tuple(find_mentions(self.frase, self.contexto))

    @cached_property
    def campos(self) -> frozenset[str]:
        """The kinds of things that are mentioned."""
        return frozenset(one.field for one in self.mencoes)

    @cached_property
    def leitura(self) -> Leitura:
        """What the whole says of slots: wanted, refused, referred to."""
        return read_stretch(self.frase, self.mencoes, 0, len(self.text))

    @cached_property
    def nomeado(self) -> Leitura:
        """The same with everything mentioned taken as meant, whatever a denial says of it."""
        return read_stretch(self.frase, self.mencoes, 0, len(self.text), negation=False)

    @cached_property
    def atos(self) -> tuple[Ato, ...]:
        """What is asked for, in the order said."""
        return tuple(find_acts(self.frase, self.contexto))


def read(said: str | Frase, dialogue: Dialogue) -> Mensagem:
    """A message, or what is left of one, as it is read in a conversation."""
    sentence, context = read_sentence(said) if isinstance(said, str) else said, context_of(dialogue)
    directory = tuple(context.directory.items())
    return _read(sentence, directory, context.registro, context.now, context.marcados, context.ditos)


@lru_cache(maxsize=64)
def _read(
    sentence: Frase,
    directory: tuple[tuple[str, tuple[str, ...]], ...],
    registro: Registro,
    now: datetime,
    marcados: tuple[str, ...],
    ditos: tuple[str, ...],
) -> Mensagem:
    return Mensagem(sentence, Contexto(dict(directory), registro, now, marcados, ditos))
