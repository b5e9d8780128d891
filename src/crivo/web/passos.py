"""What whoever enters may have to do before anything opens: each step has one page, and a session that lacks it opens no other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Final

from crivo.kernel.access import Falta
from crivo.kernel.errors import CrivoError, Kind

PASSOS: Final[Mapping[Falta, str]] = {
    "senha": "/entrar/nova-senha",
    "codigo": "/entrar/codigo",
    "inscricao": "/entrar/segundo-fator",
}


class PassoPendente(CrivoError):
    """The entry is not finished; `falta` is what it lacks."""

    codigo: ClassVar[str] = "entrada_incompleta"
    kind: ClassVar[Kind] = Kind.FORBIDDEN
    titulo: ClassVar[str] = "Falta um passo para entrar"

    def __init__(self, falta: Falta) -> None:
        super().__init__("Falta um passo para terminar de entrar. Abra o crivo no navegador e siga o que a página pede.")
        self.falta: Final = falta


class EntradaCompleta(CrivoError):
    """A step of an entry that lacks nothing any more."""

    codigo: ClassVar[str] = "entrada_completa"
    kind: ClassVar[Kind] = Kind.CONFLICT
    titulo: ClassVar[str] = "Você já entrou"
