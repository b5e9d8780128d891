"""Who asks a clinic: what a request proved, turned into one subject of the table of acts. Source: design/sujeito.md, table, 1.

A CPF that is typed proves nothing. Proof is the clinic role `operador`, a token on behalf of that CPF, or the booking's own code.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, Literal, Protocol, assert_never

from crivo.clinicas.ferramentas import BookAppointment, CancelAppointment, FindAppointments, RescheduleAppointment
from crivo.clinicas.protocol import Role
from crivo.kernel.sujeitos import Escopo, Paciente, Programa, Sujeito

Write = BookAppointment | RescheduleAppointment | CancelAppointment | FindAppointments
"""What a silo is asked in a transaction."""
SemProva = Literal["errado", "descansa"]
"""Why a code proves nothing: it fits no booking to come of that CPF, or, after too many that did not, it is not looked at today."""
_OPERA: Final[frozenset[Escopo]] = frozenset({"clinicas:operar"})
_CONVERSA: Final[frozenset[Escopo]] = frozenset({"clinicas:conversar"})


class OnBehalf(Protocol):
    """The proven patient on whose behalf a token was made."""

    def is_of(self, digits: str) -> bool:
        """Whether that patient has this CPF, by its eleven digits."""
        ...


@dataclass(frozen=True, slots=True)
class Quem:
    """Who asks: the role, and on whose behalf, that a token proves; the code and the id of its own that a call brings.

    `origem` is the conversation that it comes from, as an opaque text; empty where none is told.
    """

    role: Role = "atendimento"
    em_nome_de: OnBehalf | None = None
    codigo: str = field(default="", repr=False)
    pedido: str = field(default="", repr=False)
    origem: str = field(default="", repr=False)


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
    """Whom a booking is for; `name` is as given in the call that is being answered. One read from the silo is never answered."""

    name: str = field(repr=False)
    digits: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Provada:
    """The booking that a code is of, and whose it is: of somebody else than who was named, nothing of that one leaves the silo."""

    moment: Moment
    titular: Person


@dataclass(frozen=True, slots=True)
class Seal:
    """What a booking is proved by: the keyed digest of its code, and of the conversation that holds it; None where there is none."""

    resumo: bytes | None = field(repr=False)
    origem: bytes | None = field(default=None, repr=False)


def somebody(quem: Quem, casa: str) -> Sujeito:
    """Whoever asks, before it is known what about: a proof that was brought makes a patient, and proves nobody's CPF yet.

    `casa` is the tenant whose the clinic is.
    """
    programa = _programa(quem.role, casa)
    if programa.escopos == _OPERA or (quem.em_nome_de is None and not quem.codigo):
        return programa
    return Paciente(casa, "")


def proven(quem: Quem, casa: str, digits: str, consulta: str | None = None) -> Sujeito:
    """Whoever asks about a CPF; `consulta` is that one's appointment which the code that was brought fits, None where it fits none."""
    programa = _programa(quem.role, casa)
    if programa.escopos == _OPERA:
        return programa
    if quem.em_nome_de is not None and quem.em_nome_de.is_of(digits):
        return Paciente(casa, digits)
    return Paciente(casa, digits, consulta) if consulta is not None else programa


def _programa(role: Role, casa: str) -> Programa:
    """What a token is by its role alone."""
    match role:
        case "operador":
            return Programa(casa, _OPERA)
        case "atendimento":
            return Programa(casa, _CONVERSA)
        case _:
            assert_never(role)
