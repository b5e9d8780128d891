"""Codes that were tried and fit nothing, by CPF and by who tried them; and the codes of what was cancelled, which are no guesses.

A stranger who knows a CPF closes nothing to its holder, and learns nothing: all is read and written alike, whether that CPF holds
anything or not. Source: decision 0033.
"""

from __future__ import annotations

from typing import Final

from crivo.clinicas.clinica.prova import Moment
from crivo.clinicas.clinica.silo_file import SiloFile

MOST_OF_ONE: Final = 5  # wrong codes of one conversation for a CPF on a day; no more of its codes are looked at
MOST_OF_ALL: Final = 1_000_000  # of all together for a CPF: one in 282,000 to have guessed the code of an appointment, of 38 bits
MOST_UNNAMED: Final = 200  # at the clinic, before a code is looked for under the CPF that it is told with alone
_ALL: Final = b""
_ANY: Final = b"*"  # no CPF has a digest of one byte
_TRIED: Final = "select origem, vezes from tentativas where dia = ? and cpf = ? and origem in (?, ?)"
_COUNT: Final = "insert into tentativas values (?, ?, ?, 1) on conflict do update set vezes = vezes + 1"
_KEEP: Final = "insert or replace into canceladas values (?, ?, ?, ?, ?, ?)"
_KNOWN: Final = "select doctor, date, time from canceladas where cpf = ? and codigo_resumo = ? and dia >= ?"


class Tentativas:
    """The wrong codes of one clinic, counted in the transaction that is open."""

    def __init__(self, silo: SiloFile) -> None:
        self._silo = silo

    def rests(self, cpf: bytes, origem: bytes) -> bool:
        """Whether the codes of a CPF are not looked at today, where they come from there."""
        tried: dict[bytes, int] = dict(self._silo.read(_TRIED, self._silo.day(), cpf, _ALL, origem))
        return tried.get(origem, 0) >= MOST_OF_ONE or tried.get(_ALL, 0) >= MOST_OF_ALL

    def names_alone(self) -> bool:
        """Whether a code is looked for today under the CPF that it is told with alone: a guess at it would be one at all bookings."""
        tried = self._silo.read(_TRIED, self._silo.day(), _ANY, _ALL, _ALL)
        return bool(tried) and tried[0][1] >= MOST_UNNAMED

    def count(self, cpf: bytes, origem: bytes) -> None:
        """A wrong code was tried for a CPF."""
        for whose, who in ((cpf, _ALL), (cpf, origem), (_ANY, _ALL)):
            self._silo.change(_COUNT, self._silo.day(), whose, who)
        self._silo.sweep()

    def keep(self, cpf: bytes, resumo: bytes, moment: Moment) -> None:
        """Know the code of what was cancelled."""
        self._silo.change(_KEEP, self._silo.day(), cpf, resumo, moment.doctor, moment.date, moment.time)

    def cancelled(self, cpf: bytes, resumo: bytes) -> Moment | None:
        """The slot of the booking that had a code and was cancelled, today or yesterday; None where there is none."""
        rows = self._silo.read(_KNOWN, cpf, resumo, self._silo.day(1))
        return Moment(*rows[0]) if rows else None
