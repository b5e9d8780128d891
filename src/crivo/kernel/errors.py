"""The one error tree: a leaf names a code and a kind; only `web` and `cli` turn a kind into a status or an exit code."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import ClassVar


class Kind(Enum):
    """What sort of failure an error is, independent of the channel that reports it."""

    MALFORMED = "malformed"  # the bytes could not be read at all
    INVALID = "invalid"  # read, but breaks a contract
    TOO_LARGE = "too_large"
    UNAUTHENTICATED = "unauthenticated"
    FORBIDDEN = "forbidden"
    ABSENT = "absent"
    GONE = "gone"  # it was there, and was erased on purpose
    CONFLICT = "conflict"
    LIMITED = "limited"
    UNAVAILABLE = "unavailable"  # something this program depends on is away
    MISUSE = "misuse"  # wrong setting or wrong use of a command


@dataclass(frozen=True, slots=True)
class Problem:
    """One fault in what was sent: where it is, and what would be right (pt-BR)."""

    mensagem: str
    caminho: str = ""
    linha: int | None = None
    codigo: str = ""


class CrivoError(Exception):
    """The root of every error that crivo raises on purpose; its text is pt-BR and carries no personal data."""

    codigo: ClassVar[str] = "erro"
    kind: ClassVar[Kind] = Kind.INVALID
    titulo: ClassVar[str] = "Não foi possível concluir"
    campo: str = ""  # the field of a form that is at fault, where it is one

    def __init__(self, mensagem: str, problemas: Sequence[Problem] = (), *, campo: str = "") -> None:
        super().__init__(mensagem)
        self.mensagem = mensagem
        self.problemas = tuple(problemas)
        self.campo = campo or self.campo
