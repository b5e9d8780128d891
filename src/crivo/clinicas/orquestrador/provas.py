"""By what a conversation may see, move and cancel what is booked: the account of who speaks, the code of an appointment, or the reception.

Source: design/sujeito.md, "Who a patient is". Codes are kept with the conversation alone: no plan, trace, log or model ever holds one.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from hashlib import sha256
from typing import Final

from crivo.clinicas.orquestrador.contracts import ClinicReply, Paciente, Step, Vaga, Value, vaga_in
from crivo.kernel.linguagem.identificadores import digits_of

MOST_WRONG_CODES: Final = 5  # different ones in a conversation, before it looks for no more


class Comecado(Value, frozen=True):
    """A change that a clinic is about to be asked for, and whom it is made for; `dito` is the message that asked for it, as it is kept."""

    step: Step
    paciente: Paciente
    dito: str = ""


Begin = Callable[[Comecado], Awaitable[None]]
"""Notes that a change begins. Raises CrivoError where it must not: nobody would know of it."""


class Chaves(Value, frozen=True):
    """What a conversation holds of codes, each with the appointment that it is of; `canceladas` with the CPF, in digits, that had it.

    `marcadas` is how often each slot was booked in it.
    """

    origem: str = ""
    codigos: tuple[tuple[Vaga, str], ...] = ()
    novos: tuple[tuple[Vaga, str], ...] = ()
    canceladas: tuple[tuple[Vaga, str, str], ...] = ()
    trocadas: tuple[Vaga, ...] = ()
    errados: tuple[str, ...] = ()
    marcadas: tuple[tuple[Vaga, int], ...] = ()

    def __repr__(self) -> str:
        return "Chaves()"


class Chaveiro:
    """The codes of the appointments that a conversation booked, or was told the code of.

    `origem` names the conversation to the clinics, which count wrong codes by it: a secret, so that nobody tries in its name.
    """

    def __init__(self, ate_aqui: Chaves = Chaves()) -> None:  # noqa: B008 - a frozen value
        self.origem: Final = ate_aqui.origem
        self._codes: dict[Vaga, str] = dict(ate_aqui.codigos)
        self._new: dict[Vaga, str] = dict(ate_aqui.novos)
        self._cancelled: dict[tuple[Vaga, str], str] = {(vaga, cpf): code for vaga, cpf, code in ate_aqui.canceladas}
        self._renewed: set[Vaga] = set(ate_aqui.trocadas)
        self._booked: dict[Vaga, int] = dict(ate_aqui.marcadas)
        self.begin: Begin | None = None
        self.wrong: Final[set[str]] = set(ate_aqui.errados)

    @property
    def chaves(self) -> Chaves:
        """All that it holds."""
        return Chaves(
            self.origem,
            tuple(self._codes.items()),
            tuple(self._new.items()),
            tuple((vaga, cpf, code) for (vaga, cpf), code in self._cancelled.items()),
            tuple(sorted(self._renewed)),
            tuple(sorted(self.wrong)),
            tuple(self._booked.items()),
        )

    def pedido(self, vaga: Vaga, cpf: str) -> str:
        """The id under which a slot is booked for somebody: the same until that is known to be done, so that a clinic knows it again
        where the answer was lost with the server that waited for it. As secret as `origem`, which it is made of.
        """
        again = self._booked.get(vaga, 0)
        return sha256("\n".join((self.origem, *vaga, digits_of(cpf), str(again))).encode()).hexdigest()

    def find(self, vaga: Vaga) -> str:
        """The code of an appointment; empty where it is not known."""
        return self._codes.get(vaga, "")

    def find_cancelled(self, vaga: Vaga, cpf: str) -> str:
        """The code of what somebody cancelled here, by which it is given back; empty where it is not known."""
        return self._cancelled.get((vaga, digits_of(cpf)), "")

    def has_had(self, code: str) -> bool:
        """Whether a code is, or was, of an appointment of this conversation."""
        return code in self._codes.values() or code in self._cancelled.values()

    @property
    def held(self) -> Mapping[Vaga, str]:
        """Every code."""
        return dict(self._codes)

    def forget(self) -> None:
        """Hold no code any more; who tries is the same as before, and what was wrong stays so."""
        for held in (self._codes, self._new, self._cancelled, self._renewed):
            held.clear()

    def keep(self, vaga: Vaga, code: str) -> None:
        """Hold a code that the person told."""
        self._codes[vaga] = code

    def take_new(self) -> dict[Vaga, str]:
        """The codes that clinics gave since this was last asked: they are to be told once."""
        new, self._new = self._new, {}
        return new

    def take_renewed(self) -> bool:
        """Whether an appointment was given back with another code than it had, since this was last asked."""
        renewed, self._renewed = bool(self._renewed), set()
        return renewed

    def hear(self, reply: ClinicReply, code: str) -> None:
        """What a clinic answered to a booking, change or cancellation, and the code that it gave; empty where it gave none."""
        freed, booked = reply.freed, reply.booked
        if freed and booked:
            self.move(vaga_in(reply.clinic, freed), vaga_in(reply.clinic, booked), code)
        elif booked:
            made = vaga_in(reply.clinic, booked)
            if self._cancelled.pop((made, digits_of(booked["cpf"])), code) != code:
                self._renewed.add(made)
            self.give(made, code)
        elif freed:
            self.cancel(vaga_in(reply.clinic, freed), freed["cpf"])

    def cancel(self, gone: Vaga, cpf: str) -> None:
        """An appointment is no more; its code gives it back."""
        self._cancelled[gone, digits_of(cpf)] = self._codes.pop(gone, "")
        self._new.pop(gone, None)

    def move(self, old: Vaga, new: Vaga, code: str) -> None:
        """An appointment is at another time, under a new code or, where there is none, under the one that it had."""
        before, told = self._codes.pop(old, ""), self._new.pop(old, "")
        if code:
            self._codes[new] = self._new[new] = code
            self._renewed.add(new)
        if before and not code:
            self._codes[new] = before
        if told and not code:
            self._new[new] = told

    def give(self, vaga: Vaga, code: str) -> None:
        """An appointment was booked, under that code."""
        self._booked[vaga] = self._booked.get(vaga, 0) + 1
        if code:
            self._codes[vaga] = self._new[vaga] = code


def vaga_of(step: Step) -> Vaga | None:
    """The appointment that a step is about: the one that it gives up, else the one that it makes; None where it names none."""
    return step.frees or step.books
