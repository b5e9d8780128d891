"""What is of more than one record: opened by any of them, or by all of them together and by no fewer."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from crivo.kernel.sigilo.cifra import KEY_BYTES, Chave, RandomBytes

_SEGREDO: Final = "segredo"


@dataclass(frozen=True, slots=True)
class Partilhada:
    """A key of its own for what several records have. It is kept under the key of each: whoever opens one of them opens it."""

    chave: Chave
    _segredo: bytes = field(repr=False, compare=False)

    @classmethod
    def new(cls, lugar: str, random_bytes: RandomBytes = os.urandom) -> Partilhada:
        """A fresh one for what stands in that place."""
        return cls._of(random_bytes(KEY_BYTES), lugar)

    @classmethod
    def opened(cls, lugar: str, dona: Chave, embrulhada: bytes) -> Partilhada:
        """The one that is kept under a record's key. Raises DadosViolados."""
        return cls._of(dona.open(_named(lugar), embrulhada), lugar)

    def under(self, dona: Chave) -> bytes:
        """The same, as it is kept under a record's key."""
        return dona.seal(_named(self.chave.lugar), self._segredo)

    @classmethod
    def _of(cls, segredo: bytes, lugar: str) -> Partilhada:
        return cls(Chave.of(segredo, lugar), segredo)


def seal_under_all(chaves: Sequence[Chave], nome: str, plain: bytes) -> bytes:
    """A value that opens only to whoever has every one of these keys; at least one."""
    for chave in chaves:
        plain = chave.seal(nome, plain)
    return plain


def open_under_all(chaves: Sequence[Chave], nome: str, stored: bytes) -> bytes:
    """What `seal_under_all` sealed under these keys, in their order. Raises DadosViolados."""
    for chave in reversed(chaves):
        stored = chave.open(nome, stored)
    return stored


def _named(lugar: str) -> str:
    return f"{_SEGREDO}|{lugar}"
