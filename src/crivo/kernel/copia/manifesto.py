"""What a copy says of itself: at its beginning how it is to be read, and at its end what it must have held."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Final

from msgspec import Struct

FORMATO: Final = 1
_SAFE: Final = re.compile(r"[A-Za-z0-9_\-][A-Za-z0-9._\-]*(/[A-Za-z0-9_\-][A-Za-z0-9._\-]*)*")


class Cabecalho(Struct, frozen=True):
    """The first line of a copy, in the clear. `confere` is a keyed value by which the key of copies is known again; empty: not sealed."""

    formato: int
    id: str
    crivo: str
    esquema: str
    feita_em: datetime
    confere: str = ""

    @property
    def cifrada(self) -> bool:
        """Whether a key is needed to read it."""
        return bool(self.confere)


class Tabela(Struct, frozen=True):
    """A table as it was copied: its columns in the order of the rows, how many rows, and the digest of their bytes (hex)."""

    nome: str
    colunas: tuple[str, ...]
    linhas: int
    bytes: int
    sha256: str


class Sequencia(Struct, frozen=True):
    """Where a sequence of numbers stood; `usado` tells whether that number was given out."""

    nome: str
    valor: int
    usado: bool


class Arquivo(Struct, frozen=True):
    """A file of the data folder, by its path in there."""

    nome: str
    bytes: int
    sha256: str


class Parte(Struct, frozen=True):
    """What begins here in the stream of a copy: the rows of a table, or a file."""

    nome: str
    tabela: bool


class Manifesto(Struct, frozen=True):
    """The last words of a copy. `chaves` are those that what it holds is sealed under, by path, with a fingerprint that opens nothing;
    one without a fingerprint is made anew where it is missing.
    """

    id: str
    crivo: str
    esquema: str
    feita_em: datetime
    feita_por: str
    servidor: str
    tabelas: tuple[Tabela, ...]
    sequencias: tuple[Sequencia, ...]
    arquivos: tuple[Arquivo, ...]
    chaves: dict[str, str]

    @property
    def linhas(self) -> int:
        """The rows of all tables."""
        return sum(one.linhas for one in self.tabelas)

    @property
    def bytes(self) -> int:
        """What it holds, before it was packed."""
        return sum(one.bytes for one in self.tabelas) + sum(one.bytes for one in self.arquivos)


def is_safe(nome: str) -> bool:
    """Whether a path of a copy stays within the folder that it is put in."""
    return _SAFE.fullmatch(nome) is not None
