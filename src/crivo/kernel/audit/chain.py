"""The chain itself, without a database: how an entry is sealed, and what a broken seal says.

Whoever can rewrite every entry and the head can make a chain that verifies. What they cannot do is keep the head's digest: noting it
elsewhere (`crivo auditoria verificar` prints it) is what dates the whole chain.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final, Literal

import msgspec

from crivo.kernel.atos import NewEntry

GENESIS: Final = bytes(32)
_DOMAIN: Final = b"crivo.auditoria.1"

Motivo = Literal["alterada", "ausente", "fora_de_ordem", "inserida", "cabeca_ausente", "cabeca_diverge"]


class Entry(msgspec.Struct, frozen=True, gc=False):
    """An entry as it is kept: `dados` is canonical JSON, digests are SHA-256."""

    tenant_id: str
    seq: int
    em: datetime
    ator: str
    acao: str
    alvo: str
    dados: str
    digest_anterior: bytes
    digest: bytes


class Head(msgspec.Struct, frozen=True, gc=False):
    """Where a tenant's chain ends."""

    seq: int
    digest: bytes


@dataclass(frozen=True, slots=True)
class Break:
    """A place where the chain does not hold: the entries from `seq` to `ate`, and how."""

    seq: int
    motivo: Motivo
    ate: int

    @classmethod
    def at(cls, seq: int, motivo: Motivo) -> Break:
        """A break of one entry."""
        return cls(seq, motivo, seq)


@dataclass(frozen=True, slots=True)
class Verification:
    """The outcome of reading a whole chain; it holds where there is no break."""

    entradas: int
    cabeca: Head | None
    quebras: tuple[Break, ...]


def canonical(dados: Mapping[str, Any]) -> str:
    """The one JSON text of the particulars: keys in order, no blanks."""
    return msgspec.json.encode(dados, order="deterministic").decode()


def next_digest(previous: bytes, tenant_id: str, seq: int, em: datetime, ator: str, acao: str, alvo: str, dados: str) -> bytes:
    """SHA-256 over the previous digest and every field, each with its length before it, so that no two entries read alike.

    `em` must be aware; it counts by its instant, to the microsecond.
    """
    instant = em.astimezone(UTC).isoformat(timespec="microseconds")
    sealed = bytearray(_DOMAIN + previous)
    for field in (tenant_id, str(seq), instant, ator, acao, alvo, dados):
        encoded = field.encode()
        sealed += len(encoded).to_bytes(4, "big") + encoded
    return hashlib.sha256(sealed).digest()


def seal(head: Head, tenant_id: str, em: datetime, ator: str, entries: Iterable[NewEntry]) -> list[Entry]:
    """The entries that follow a head, in order."""
    sealed = []
    seq, previous = head.seq, head.digest
    for entry in entries:
        seq += 1
        dados = canonical(entry.dados) if entry.dados else "{}"
        digest = next_digest(previous, tenant_id, seq, em, ator, entry.acao, entry.alvo, dados)
        sealed.append(
            Entry(
                tenant_id=tenant_id,
                seq=seq,
                em=em,
                ator=ator,
                acao=entry.acao,
                alvo=entry.alvo,
                dados=dados,
                digest_anterior=previous,
                digest=digest,
            )
        )
        previous = digest
    return sealed


class Verifier:
    """Reads a chain entry by entry, in the order of `seq`, keeping only the last."""

    def __init__(self) -> None:
        self._entries = 0
        self._last = Head(0, GENESIS)
        self._breaks: list[Break] = []

    def read(self, entry: Entry) -> None:
        """Check one entry against its own seal and the entry before it."""
        self._entries += 1
        expected = self._last.seq + 1
        if entry.seq > expected:
            self._breaks.append(Break(expected, "ausente", entry.seq - 1))
        elif entry.seq < expected:
            self._breaks.append(Break.at(entry.seq, "fora_de_ordem"))
        elif entry.digest_anterior != self._last.digest:
            self._breaks.append(Break.at(entry.seq, "inserida"))
        fields = (entry.tenant_id, entry.seq, entry.em, entry.ator, entry.acao, entry.alvo, entry.dados)
        if next_digest(entry.digest_anterior, *fields) != entry.digest:
            self._breaks.append(Break.at(entry.seq, "alterada"))
        self._last = Head(entry.seq, entry.digest)

    def finish(self, head: Head | None) -> Verification:
        """Check the end of the chain, which only the head can tell, and report."""
        last = self._last
        if head is None:
            if self._entries:
                self._breaks.append(Break.at(last.seq, "cabeca_ausente"))
        elif head.seq > last.seq:
            self._breaks.append(Break(last.seq + 1, "ausente", head.seq))
        elif head.seq < last.seq:
            self._breaks.append(Break(head.seq + 1, "inserida", last.seq))
        elif head.digest != last.digest:
            self._breaks.append(Break.at(head.seq, "cabeca_diverge"))
        return Verification(self._entries, head, tuple(self._breaks))


def verify(entries: Iterable[Entry], head: Head | None) -> list[Break]:
    """Every place where a chain does not hold: altered, absent (at its end too), out of order, or put in."""
    verifier = Verifier()
    for entry in entries:
        verifier.read(entry)
    return list(verifier.finish(head).quebras)
