"""The bookings of a silo, row by row: who holds a slot, by what it is proved, and how often a wrong code was tried."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from crivo.clinicas.clinica.cpf import format_cpf
from crivo.clinicas.clinica.prova import MOST_TRIES, Moment, Person, Quem, Seal, proven
from crivo.clinicas.clinica.silo_file import SiloFile, sealed
from crivo.clinicas.codigos import SEED_BYTES, code_from, is_of_clinic
from crivo.clinicas.protocol import consulta_of
from crivo.kernel.autorizar import Acao, Este, may

_TAKE: Final = (
    "update slots set available = 0, paciente = ?, chave = ?, cpf_indice = ?, codigo_resumo = ?, tentativas = ? "
    "where doctor = ? and date = ? and time = ? and available = 1"
)
_KEY_OF: Final = "select chave from slots where doctor = ? and date = ? and time = ? and available = 0 and cpf_indice = ?"
_SEAL: Final = "select codigo_resumo, tentativas from slots where doctor = ? and date = ? and time = ? and available = 0 and cpf_indice = ?"
_RIGHT: Final = "update slots set tentativas = 0 where doctor = ? and date = ? and time = ?"
_WRONG: Final = (
    "update slots set tentativas = tentativas + 1, codigo_resumo = case when tentativas + 1 >= ? then null else codigo_resumo end "
    "where doctor = ? and date = ? and time = ? and codigo_resumo is not null"
)
_TO_COME: Final = (
    "select doctor, date, time from slots where available = 0 and cpf_indice = ? and date || ' ' || time > ? order by date, time, doctor"
)


class Livro:
    """The bookings of one clinic, in its silo's file; `casa` is the tenant whose the clinic is."""

    def __init__(self, clinic_id: str, casa: str, silo: SiloFile, random_bytes: Callable[[int], bytes]) -> None:
        self.clinic_id = clinic_id
        self.casa = casa
        self._silo = silo
        self._random_bytes = random_bytes

    def take(self, moment: Moment, person: Person, seal: Seal) -> bool:
        """Book a free slot, under a key of that booking's own; whether it was free."""
        key, index = self._silo.chaves.new(), self._silo.chaves.index(person.digits)
        who = sealed(key, person.name, format_cpf(person.digits))
        taken = self._silo.changes_one(_TAKE, who, key.id, index, seal.resumo, seal.tentativas, *_key(moment))
        if taken:
            self._silo.keep(key, person.digits)
        return taken

    def release(self, moment: Moment, person: Person) -> bool:
        """Free a person's slot and forget its key and its code; whether it was theirs."""
        rows = self._silo.read(_KEY_OF, *_key(moment), self._index(person))
        for (chave,) in rows:
            self._silo.drop(chave)
        return bool(rows)

    def seal(self, moment: Moment, person: Person) -> Seal | None:
        """What a booking is proved by; None where it is not that person's."""
        rows = self._silo.read(_SEAL, *_key(moment), self._index(person))
        return Seal(*rows[0]) if rows else None

    def held(self, person: Person, now: str) -> tuple[Moment, ...]:
        """A person's bookings to come, earliest first."""
        return tuple(Moment(*row) for row in self._silo.read(_TO_COME, self._index(person), now))

    def may_all(self, acao: Acao, person: Person, quem: Quem) -> bool:
        """Whether whoever asks may do an act to all that a person holds."""
        return may(proven(quem, self.casa, person.digits), acao, Este(self.casa, cpf=person.digits))

    def may(self, acao: Acao, moment: Moment, person: Person, quem: Quem) -> bool:
        """Whether whoever asks may do an act to one booking of a person; a right code begins its count anew."""
        if self._asked(acao, moment, person, quem):
            return True
        return self.fits(moment, person, quem.codigo) and self._asked(acao, moment, person, quem, self._named(moment))

    def _asked(self, acao: Acao, moment: Moment, person: Person, quem: Quem, consulta: str | None = None) -> bool:
        este = Este(self.casa, cpf=person.digits, consulta=self._named(moment))
        return may(proven(quem, self.casa, person.digits, consulta), acao, este)

    def _named(self, moment: Moment) -> str:
        return consulta_of(self.clinic_id, moment.doctor, moment.date, moment.time)

    def fits(self, moment: Moment, person: Person, code: str) -> bool:
        """Whether a code is that booking's own; the wrong ones before it count no more."""
        seal = self.seal(moment, person)
        if seal is None or not seal.fits(code, self.clinic_id):
            return False
        self._silo.changes_one(_RIGHT, *_key(moment))
        return True

    def count(self, moment: Moment, person: Person, code: str) -> None:
        """A wrong code was tried on a person's booking; one that is another clinic's own was no try. The fifth closes the right one."""
        if is_of_clinic(code, self.clinic_id) and self.seal(moment, person) is not None:
            self._silo.changes_one(_WRONG, MOST_TRIES, *_key(moment))

    def new_code(self, quem: Quem) -> str:
        """A code for a booking; for one that is sent again, the same."""
        return code_from(quem.pedido.encode() if quem.pedido else self._random_bytes(SEED_BYTES), self.clinic_id)

    def _index(self, person: Person) -> bytes | None:
        return self._silo.chaves.index(person.digits)


def _key(moment: Moment) -> tuple[str, str, str]:
    return moment.doctor, moment.date, moment.time
