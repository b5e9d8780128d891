"""What is said back to a message, and what a reception should know of it."""

from __future__ import annotations

from typing import Literal

import msgspec

from crivo.clinicas.orquestrador.trace import Trace

# What a reception should know of a turn: an emergency, that it was none, that a person is asked for, that nothing was understood twice;
# or that it may be asked for what is not known here.
Recado = Literal["emergencia", "desmentida", "pessoa", "nao_entendido", "sem_resposta"]


class Reply(msgspec.Struct, frozen=True):
    """What is said back; `trace` where it took a turn, and not only an answer about who is speaking.

    `recado` is for the reception, where there is one; without it, `texto` says whom to call. `codigos` are of what was booked just now.
    `certo`: an emergency that a rule and the weights both hear.
    """

    texto: str
    trace: Trace | None = None
    recado: Recado | None = None
    codigos: str = ""
    certo: bool = False

    @property
    def inteiro(self) -> str:
        """All that is said, with the codes that are to be kept; these are in no trace, and are told this once."""
        return f"{self.texto}\n{self.codigos}" if self.codigos else self.texto

    def __repr__(self) -> str:
        return f"Reply({self.texto!r}, recado={self.recado!r})"

    def after(self, first: str) -> Reply:
        """The same after what is said before it."""
        return msgspec.structs.replace(self, texto=f"{first}\n{self.texto}") if first else self
