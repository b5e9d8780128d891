"""The bookings of a silo, row by row: who holds a slot, and by what it is proved."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from crivo.clinicas.clinica.prova import Moment, Person, Provada, Quem, Seal, SemProva, proven
from crivo.clinicas.clinica.silo_file import SiloFile, sealed
from crivo.clinicas.clinica.tentativas import Tentativas
from crivo.clinicas.codigos import SEED_BYTES, code_from, may_be_of
from crivo.clinicas.protocol import consulta_of
from crivo.clinicas.registro import Clinica
from crivo.kernel.autorizar import Acao, Este, may
from crivo.kernel.linguagem.identificadores import format_cpf, read_cpf

_TAKE: Final = (
    "update slots set available = 0, paciente = ?, chave = ?, cpf_indice = ?, codigo_resumo = ?, origem = ? "
    "where doctor = ? and date = ? and time = ? and available = 1"
)
_KEY_OF: Final = "select chave from slots where doctor = ? and date = ? and time = ? and available = 0 and cpf_indice = ?"
_SEAL: Final = "select codigo_resumo, origem from slots where doctor = ? and date = ? and time = ? and available = 0 and cpf_indice = ?"
# Found by its digest, so that as much is done for a CPF that holds much as for one that holds nothing. The conversation that holds a code
# uses it though others guess: `origem` is null where none is told.
_OF_CODE: Final = (
    "select doctor, date, time from slots where available = 0 and cpf_indice = ? and codigo_resumo = ? and date || ' ' || time > ? "
    "and (? or origem = ?) limit 1"
)
_OF_ANYBODY: Final = (
    "select s.doctor, s.date, s.time, s.paciente, s.chave, c.embrulhada from slots s join chaves c on c.id = s.chave "
    "where s.available = 0 and s.codigo_resumo = ? and s.date || ' ' || s.time > ? and c.embrulhada is not null limit 1"
)
_ELSEWHERE: Final = "select 1 from slots where cpf_indice = ? and codigo_resumo = ? and (doctor, date, time) <> (?, ?, ?)"
_HELD_BY: Final = "update slots set origem = ? where doctor = ? and date = ? and time = ?"
_TO_COME: Final = (
    "select doctor, date, time from slots where available = 0 and cpf_indice = ? and date || ' ' || time > ? order by date, time, doctor"
)


class Livro:
    """The bookings of one clinic, in its silo's file; `casa` is the tenant whose the clinic is."""

    def __init__(self, clinica: Clinica, casa: str, silo: SiloFile, random_bytes: Callable[[int], bytes]) -> None:
        self.clinic_id = clinica.id
        self.casa = casa
        self._letras = clinica.letras
        self._silo = silo
        self._tentativas = Tentativas(silo)
        self._random_bytes = random_bytes

    def take(self, moment: Moment, person: Person, seal: Seal) -> bool:
        """Book a free slot, under a key of that booking's own; whether it was free."""
        key, index = self._silo.chaves.new(), self._silo.chaves.index(person.digits)
        who = sealed(key, person.name, format_cpf(person.digits))
        taken = self._silo.changes_one(_TAKE, who, key.id, index, seal.resumo, seal.origem, *_key(moment))
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

    def sealed_by(self, code: str, quem: Quem) -> Seal:
        """What a booking is proved by that is made with a code."""
        return Seal(self._silo.chaves.of_code(code, self.clinic_id), self._origin(quem) if quem.origem else None)

    def held(self, person: Person, now: str) -> tuple[Moment, ...]:
        """A person's bookings to come, earliest first."""
        return tuple(Moment(*row) for row in self._silo.read(_TO_COME, self._index(person), now))

    def may_all(self, acao: Acao, person: Person, quem: Quem) -> bool:
        """Whether whoever asks may do an act to all that a person holds."""
        return may(proven(quem, self.casa, person.digits), acao, Este(self.casa, cpf=person.digits))

    def may(self, acao: Acao, moment: Moment, person: Person, quem: Quem, provada: Moment | None = None) -> bool:
        """Whether whoever asks may do an act to one booking of a person; `provada` is the one that their code was found to be of."""
        este = Este(self.casa, cpf=person.digits, consulta=self._named(moment))
        return may(proven(quem, self.casa, person.digits, self._named(provada) if provada is not None else None), acao, este)

    def _named(self, moment: Moment) -> str:
        return consulta_of(self.clinic_id, moment.doctor, moment.date, moment.time)

    def prove(self, person: Person, quem: Quem, now: str) -> Provada | SemProva:
        """The booking to come that a code is of: the person's own, or somebody else's. A wrong one is counted, whatever anybody holds."""
        if not may_be_of(quem.codigo, self.clinic_id, self._letras):
            return "errado"
        index, origem, rests = self._tried(person, quem)
        seal = self.sealed_by(quem.codigo, quem)
        found = self._silo.read(_OF_CODE, index, seal.resumo, now, not rests, seal.origem)
        known = self._tentativas.cancelled(index, self._code(quem))
        if found:
            return self._told(Provada(Moment(*found[0]), person), seal)
        if rests:
            return "descansa"
        other = self._of_anybody(seal, now)
        if other is not None:
            return self._told(other, seal)
        if known is None:
            self._tentativas.count(index, origem)
        return "errado"

    def _told(self, provada: Provada, seal: Seal) -> Provada:
        """A booking whose code was told: who told it holds it from now on."""
        if seal.origem is not None:
            self._silo.change(_HELD_BY, seal.origem, *_key(provada.moment))
        return provada

    def _of_anybody(self, seal: Seal, now: str) -> Provada | None:
        """The booking of a code, whosever it is: a relative may hold it; none where too many wrong ones were told at this clinic today."""
        rows = self._silo.read(_OF_ANYBODY, seal.resumo, now)
        if not rows or self._tentativas.names_alone():
            return None
        doctor, date, time, paciente, chave, embrulhada = rows[0]
        titular = self._silo.chaves.open(chave, embrulhada, paciente)
        return Provada(Moment(doctor, date, time), Person(titular.patient_name, read_cpf(titular.cpf)))

    def given_up(self, moment: Moment, person: Person, seal: Seal | None) -> None:
        """A booking was cancelled: its code is known for a day."""
        if seal is not None and seal.resumo is not None:
            self._tentativas.keep(self._index(person), seal.resumo, moment)

    def given_back(self, moment: Moment, person: Person, quem: Quem) -> bool:
        """Whether a code is that of the booking of that slot which the person cancelled; a wrong one is counted."""
        if not may_be_of(quem.codigo, self.clinic_id, self._letras):
            return False
        index, origem, rests = self._tried(person, quem)
        if rests:
            return False
        code = self._code(quem)
        if self._tentativas.cancelled(index, code) == moment:
            return not self._silo.read(_ELSEWHERE, index, code, *_key(moment))
        self._tentativas.count(index, origem)
        return False

    def _tried(self, person: Person, quem: Quem) -> tuple[bytes, bytes, bool]:
        index, origem = self._index(person), self._origin(quem)
        return index, origem, self._tentativas.rests(index, origem)

    def _code(self, quem: Quem) -> bytes:
        return self._silo.chaves.of_code(quem.codigo, self.clinic_id)

    def _origin(self, quem: Quem) -> bytes:
        return self._silo.chaves.of_origin(quem.origem)

    def new_code(self, quem: Quem) -> str:
        """A code for a booking; for one that is sent again, the same."""
        return code_from(quem.pedido.encode() if quem.pedido else self._random_bytes(SEED_BYTES), self.clinic_id, self._letras)

    def _index(self, person: Person) -> bytes:
        return self._silo.chaves.index(person.digits) or b""


def _key(moment: Moment) -> tuple[str, str, str]:
    return moment.doctor, moment.date, moment.time
