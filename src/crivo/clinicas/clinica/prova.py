"""Who asks a clinic, as far as it was proven, and what a booking is proved by. Source: design/sujeito.md, table, 1.

A CPF that is typed proves nothing. Proof is the clinic role `operador`, a token on behalf of that CPF, or the booking's own code.
"""

from __future__ import annotations

import hmac
from dataclasses import dataclass, field
from typing import Final, Protocol

from crivo.clinicas.clinica.arguments import Write
from crivo.clinicas.clinica.tokens import Role
from crivo.clinicas.codigos import digest_of

MOST_TRIES: Final = 5


class OnBehalf(Protocol):
    """The proven patient on whose behalf a token was made."""

    def is_of(self, digits: str) -> bool:
        """Whether that patient has this CPF, by its eleven digits."""
        ...


@dataclass(frozen=True, slots=True)
class Quem:
    """Who asks: the role, and on whose behalf, that a token proves; the code and the id of its own that a call brings."""

    role: Role = "atendimento"
    em_nome_de: OnBehalf | None = None
    codigo: str = field(default="", repr=False)
    pedido: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class Order:
    """What is asked, and by whom."""

    request: Write = field(repr=False)
    quem: Quem = Quem()


@dataclass(frozen=True, slots=True)
class Moment:
    """A slot of a doctor."""

    doctor: str
    date: str
    time: str


@dataclass(frozen=True, slots=True)
class Person:
    """Whom a booking is for; `name` is as given in the call that is being answered, never one read from the silo."""

    name: str = field(repr=False)
    digits: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Seal:
    """What a booking is proved by: the digest of its code, None where it has none or it was closed, and the wrong tries so far."""

    resumo: bytes | None = field(repr=False)
    tentativas: int = 0

    def fits(self, code: str, clinic_id: str) -> bool:
        """Whether that is its code."""
        return self.resumo is not None and bool(code) and hmac.compare_digest(self.resumo, digest_of(code, clinic_id))


def proves(quem: Quem, digits: str) -> bool:
    """Whether whoever asks may see and change all that a CPF holds."""
    return quem.role == "operador" or (quem.em_nome_de is not None and quem.em_nome_de.is_of(digits))
