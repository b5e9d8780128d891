"""The file of a silo: SQLite, with who has a slot and who is a patient sealed in it under keys of this clinic alone."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

import msgspec

from crivo.clinicas.clinica import schema
from crivo.clinicas.clinica.errors import SiloIndisponivel
from crivo.clinicas.clinica.sigilo import PACIENTE, Chaves, Nova, Quem
from crivo.clinicas.clinica.values import Patient, SlotRecord
from crivo.kernel.clock import BRASILIA, Clock
from crivo.kernel.logs import logger

_BUSY_SECONDS: Final = 10.0
_INSERT: Final = "insert into slots (doctor, specialty, date, time, available, paciente, chave, cpf_indice) values (?, ?, ?, ?, ?, ?, ?, ?)"
ADD_KEY: Final = "insert into chaves (id, cpf, embrulhada, criada_em) values (?, ?, ?, ?)"
_THEIRS: Final = """
    select s.doctor, s.specialty, s.date, s.time, s.available, s.paciente, s.chave, c.embrulhada
    from slots s join chaves c on c.id = s.chave where c.cpf = ? and c.embrulhada is not null order by s.date, s.time"""
_TERM: Final = """
    select id from chaves c where criada_em < ? and embrulhada is not null
      and not exists (select 1 from slots s where s.chave = c.id and s.date >= ?)"""
_FREE: Final = """
    update slots set available = 1, paciente = null, chave = null, cpf_indice = null, codigo_resumo = null, origem = null
    where chave = ?"""
_FORGET: Final = ("delete from tentativas where cpf = ?", "delete from canceladas where cpf = ?")
_SWEEP: Final = ("delete from tentativas where dia < ?", "delete from canceladas where dia < ?")


class SiloFile:
    """One connection to the file; for one thread at a time. What is read of a person whose key was destroyed is nothing."""

    def __init__(self, path: Path, clock: Clock) -> None:
        """Open it; a new one is empty. Raises SiloIndisponivel."""
        self._clock = clock
        with told(path):
            self._connection = sqlite3.connect(path, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False)
            try:
                self._connection.execute("pragma journal_mode=wal")
                self._connection.execute("pragma synchronous=full")
                self._connection.execute("pragma secure_delete=on")  # what is taken out of the file is not left in its free pages
            except sqlite3.Error:
                self._connection.close()
                raise
        self._path = path
        self._known: Chaves | None = None
        try:
            self._bring_up_to_date()
        except BaseException:
            self._connection.close()
            raise

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()

    def held(self, cpf: str) -> tuple[tuple[SlotRecord, ...], tuple[Patient, ...]]:
        """The slots that a person has or had, and the records of patients with their CPF."""
        index = self.chaves.index(cpf)
        records = self.read("select patient_id, record from patients where cpf_indice = ?", index)
        return tuple([self._slot(row) for row in self.read(_THEIRS, index)]), tuple([self._patient(*row) for row in records])

    def erase(self, cpf: str) -> int:
        """Destroy the keys of all that a person has or had here; what is still to come is free again. How many bookings."""
        with self._transaction():
            for statement in _FORGET:
                self._connection.execute(statement, (self.chaves.index(cpf),))
            rows = self.read("select id from chaves where cpf = ? and embrulhada is not null", self.chaves.index(cpf))
            many = self._destroy([row[0] for row in rows])
        self._empty_log()
        return many

    def was_erased(self, cpf: str) -> bool:
        """Whether a booking of that person was erased before."""
        return bool(self.read("select 1 from chaves where cpf = ? and embrulhada is null limit 1", self.chaves.index(cpf)))

    def expire(self, limite: datetime) -> int:
        """Destroy the keys of bookings that were made before a moment, for days before it; how many."""
        with self._transaction():
            self.sweep()
            rows = self.read(_TERM, limite.astimezone(UTC).isoformat(), limite.astimezone(BRASILIA).date().isoformat())
            many = self._destroy([row[0] for row in rows], listed=False)
        self._empty_log()
        return many

    def keep(self, key: Nova, cpf: str) -> None:
        """Write down the key of a booking that has just been made, in the transaction that is open."""
        self._connection.execute(ADD_KEY, (key.id, self.chaves.index(cpf), key.embrulhada, self._instant()))

    def drop(self, chave: str) -> None:
        """Free the slot of a booking that is given up, and forget its key and its code, in the transaction that is open."""
        self._free(chave)
        self._connection.execute("delete from chaves where id = ?", (chave,))

    def sweep(self) -> None:
        """Forget the codes that were tried, and those of what was cancelled, before yesterday; in the transaction that is open."""
        for statement in _SWEEP:
            self._connection.execute(statement, (self.day(1),))

    def day(self, ago: int = 0) -> str:
        """The date `ago` days ago, in Brasília."""
        return (self._clock.now().astimezone(BRASILIA).date() - timedelta(days=ago)).isoformat()

    def _free(self, chave: str) -> None:
        self._connection.execute(_FREE, (chave,))

    def _destroy(self, ids: list[str], *, listed: bool = True) -> int:
        if ids and listed:
            self.chaves.list_destroyed(ids)
        for key_id in ids:
            self._connection.execute("update chaves set embrulhada = null, destruida_em = ? where id = ?", (self._instant(), key_id))
            if self.read("select 1 from slots where chave = ? and date || ' ' || time > ?", key_id, self._now()):
                self._free(key_id)
            self._connection.execute("update slots set cpf_indice = null where chave = ?", (key_id,))
        return len(ids)

    def _patient(self, patient_id: str, record: bytes) -> Patient:
        return msgspec.json.decode(self.chaves.open_record(patient_id, record), type=Patient)

    def _slot(self, row: Sequence[Any]) -> SlotRecord:
        doctor, specialty, date, time, available, paciente, chave, embrulhada = row
        if embrulhada is None:
            return SlotRecord(doctor, specialty, date, time, bool(available))
        quem = self.chaves.open(chave, embrulhada, paciente)
        return SlotRecord(
            doctor=doctor,
            specialty=specialty,
            date=date,
            time=time,
            available=bool(available),
            patient_name=quem.patient_name,
            cpf=quem.cpf,
        )

    @property
    def chaves(self) -> Chaves:
        """The keys of this silo. Raises ChaveMestraErrada."""
        if self._known is None:
            rows = self.read("select impressao from sigilo") if self._version() > schema.BEFORE_KEYS else []
            self._known = Chaves.at(self._path.parent, rows[0][0] if rows else None)
        return self._known

    def _version(self) -> int:
        return int(self.read("pragma user_version")[0][0])

    def _bring_up_to_date(self) -> None:
        """Seal what an earlier version left in the clear, and destroy again what a restored copy brought back."""
        if self._version() in {schema.BEFORE_KEYS, schema.BARE_DIGESTS}:
            with self._transaction():
                match self._version():
                    case schema.BEFORE_KEYS:
                        self._seal_all()
                    case schema.BARE_DIGESTS:
                        self._key_digests()
                    case _:
                        pass  # another process did, meanwhile
            self._empty_log()
        if self._version() == schema.VERSION:
            back = [one for one in self.chaves.listed() if self.read("select 1 from chaves where id = ? and embrulhada is not null", one)]
            if back:
                with self._transaction():
                    self._destroy(back, listed=False)
                self._empty_log()

    def _empty_log(self) -> None:
        """Take out of the write-ahead log the pages of before, in which what was destroyed could still be opened."""
        with told(self._path):
            (waits, *_) = self._connection.execute("pragma wal_checkpoint(truncate)").fetchone()
        if waits:  # for a reader that holds a page of before longer than we wait: the next one empties it
            logger.warning("diario_do_silo_nao_esvaziado")

    def _seal_all(self) -> None:
        for statement in schema.SET_ASIDE:
            self._connection.execute(statement)
        self._make_tables()
        self._insert(
            [
                SlotRecord(doctor=a, specialty=b, date=c, time=d, available=bool(free), patient_name=name, cpf=cpf)
                for a, b, c, d, free, name, cpf in self.read(schema.OLD_SLOTS)
            ]
        )
        self._insert_patients([msgspec.json.decode(row[0], type=Patient) for row in self.read(schema.OLD_PATIENTS)])
        for statement in schema.DROP_OLD:
            self._connection.execute(statement)

    def _key_digests(self) -> None:
        for row_id, digest in self.read(schema.BARE):
            self._connection.execute(schema.REKEY, (self.chaves.of_old_digest(digest), row_id))
        for statement in (*schema.KEYED, *schema.TRIES):
            self._connection.execute(statement)
        self._connection.execute(f"pragma user_version = {schema.VERSION}")

    def _make_tables(self) -> None:
        chaves = self.chaves
        for statement in (*schema.TABLES, *schema.TRIES):
            self._connection.execute(statement)
        self._connection.execute("insert into sigilo values (?)", (chaves.impressao,))
        self._connection.execute(f"pragma user_version = {schema.VERSION}")

    def _insert_patients(self, patients: Iterable[Patient]) -> None:
        rows = [(p.patient_id, self.chaves.seal_record(p.patient_id, msgspec.json.encode(p)), self.chaves.index(p.cpf)) for p in patients]
        self._connection.executemany("insert into patients values (?, ?, ?)", rows)

    def _instant(self) -> str:
        return self._clock.now().astimezone(UTC).isoformat()

    def _insert(self, slots: Iterable[SlotRecord]) -> None:
        rows, keys = [], []
        for slot in slots:
            who: tuple[bytes | str | None, ...] = (None, None, None)
            if slot.patient_name is not None and slot.cpf is not None:
                key, index = self.chaves.new(), self.chaves.index(slot.cpf)
                who = (sealed(key, slot.patient_name, slot.cpf), key.id, index)
                keys.append((key.id, index, key.embrulhada, self._instant()))
            rows.append((slot.doctor, slot.specialty, slot.date, slot.time, slot.available, *who))
        self._connection.executemany(_INSERT, rows)
        self._connection.executemany(ADD_KEY, keys)

    def _now(self) -> str:
        return self._clock.now().astimezone(BRASILIA).strftime("%Y-%m-%d %H:%M")

    def read(self, statement: str, *values: str | int | bytes | None) -> list[Any]:
        """The rows of a statement."""
        with told(self._path):
            return self._connection.execute(statement, values).fetchall()

    def changes_one(self, statement: str, *values: str | int | bytes | None) -> bool:
        """Whether a statement changed a row, and no other."""
        return self.change(statement, *values) == 1

    def change(self, statement: str, *values: str | int | bytes | None) -> int:
        """How many rows a statement changed."""
        with told(self._path):
            return self._connection.execute(statement, values).rowcount

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with told(self._path):
            self._connection.execute("begin immediate")
            try:
                yield
                self._connection.execute("commit")
            finally:
                if self._connection.in_transaction:
                    self._connection.execute("rollback")


def sealed(key: Nova, name: str, cpf: str) -> bytes:
    """Who has a slot, under the key of that booking."""
    return key.chave.seal(PACIENTE, msgspec.json.encode(Quem(name, cpf)))


@contextmanager
def told(path: Path) -> Iterator[None]:
    """What SQLite says, told in the tree."""
    try:
        yield
    except sqlite3.Error as error:
        what = getattr(error, "sqlite_errorname", "SQLITE_ERROR")  # the message may quote a value
        raise SiloIndisponivel(
            f"A agenda em {path} não pôde ser lida ou gravada ({what}). Nada ficou pela metade; tente de novo."
        ) from None
