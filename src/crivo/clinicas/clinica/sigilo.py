"""The keys of one silo: under a master key of its own, in its own folder, so that no other clinic opens anything of it."""

from __future__ import annotations

import hmac
import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from uuid import UUID, uuid4

import msgspec

from crivo.clinicas.codigos import digest_of
from crivo.kernel.sigilo import Chave, ChaveMestraErrada, DadosViolados
from crivo.kernel.sigilo.cifra import KEY_BYTES, RandomBytes, derived
from crivo.kernel.sigilo.destruidas import Destruidas
from crivo.kernel.sigilo.mestra import fingerprint, key_in, same

_SILO: Final = "silo"  # as the list of destroyed keys names whose they are
_NOT_WRITTEN: Final = re.compile(r"[.\-\s]")
PACIENTE, RECORD, EMBRULHADA = "slots.paciente", "patients.record", "chaves.embrulhada"


class Quem(msgspec.Struct, frozen=True):
    """Who has a slot, as they were written down."""

    patient_name: str
    cpf: str


@dataclass(frozen=True, slots=True)
class Nova:
    """A key that no table holds yet."""

    id: str
    chave: Chave
    embrulhada: bytes


class Chaves:
    """Makes and opens the keys of a silo."""

    def __init__(self, mestra: bytes, folder: Path, random_bytes: RandomBytes = os.urandom, new_id: Callable[[], UUID] = uuid4) -> None:
        self.impressao: Final = fingerprint(mestra)
        self.destruidas: Final = Destruidas(folder)
        self._random = random_bytes
        self._new_id = new_id
        self._wrapping = Chave.of(derived(mestra, "chaves|silo"), _SILO, random_bytes)
        self._records = Chave.of(derived(mestra, "prontuarios|silo"), _SILO, random_bytes)
        self._indices = derived(mestra, "indices|silo")
        self._codigos = derived(mestra, "codigos|silo")
        self._origens = derived(mestra, "origens|silo")

    @classmethod
    def at(cls, folder: Path, known: bytes | None) -> Chaves:
        """The keys of the silo in a folder; `known` is the fingerprint that it has, None where nothing was ever sealed.

        Raises ChaveMestraErrada, before anything is written.
        """
        found = cls(key_in(folder, may_create=known is None), folder)
        if known is not None and not same(known, found.impressao):
            raise ChaveMestraErrada(f"A chave mestra em {folder} não é a desta agenda. Devolva a que estava lá. Nada foi mudado.")
        return found

    def index(self, cpf: str | None) -> bytes | None:
        """The keyed digest of a CPF, alike in all its spellings; None where there is none."""
        digits = _NOT_WRITTEN.sub("", cpf or "")
        return hmac.digest(self._indices, digits.encode(), "sha256") if digits else None

    def of_code(self, code: str, clinic_id: str) -> bytes:
        """What a silo keeps of a code: nothing by which it could be tried without the master key."""
        return self.of_old_digest(digest_of(code, clinic_id))

    def of_old_digest(self, digest: bytes) -> bytes:
        """The same, of the digest that a silo of version 2 kept."""
        return hmac.digest(self._codigos, digest, "sha256")

    def of_origin(self, origem: str) -> bytes:
        """What a silo keeps of who tries; of those who do not tell, all are one."""
        return hmac.digest(self._origens, origem.encode(), "sha256")

    def new(self) -> Nova:
        """A fresh key for a booking."""
        key_id, secret = str(self._new_id()), self._random(KEY_BYTES)
        return Nova(key_id, Chave.of(secret, key_id, self._random), self._wrapping.seal(f"{EMBRULHADA}|{key_id}", secret))

    def open(self, key_id: str, embrulhada: bytes, paciente: bytes) -> Quem:
        """Who has a slot. Raises DadosViolados."""
        secret = self._wrapping.open(f"{EMBRULHADA}|{key_id}", embrulhada)
        try:
            return msgspec.json.decode(Chave.of(secret, key_id).open(PACIENTE, paciente), type=Quem)
        except (msgspec.DecodeError, ValueError):
            raise DadosViolados from None

    def seal_record(self, patient_id: str, record: bytes) -> bytes:
        """A patient's record, sealed."""
        return self._records.seal(f"{RECORD}|{patient_id}", record)

    def open_record(self, patient_id: str, sealed: bytes) -> bytes:
        """A patient's record, opened. Raises DadosViolados."""
        return self._records.open(f"{RECORD}|{patient_id}", sealed)

    def list_destroyed(self, ids: list[str]) -> None:
        """Write down keys that are about to be destroyed."""
        self.destruidas.add(_SILO, [UUID(one) for one in ids])

    def listed(self) -> list[str]:
        """The keys that must not be there."""
        return [str(one) for one in self.destruidas.by_tenant().get(_SILO, [])]
