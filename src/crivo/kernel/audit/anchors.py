"""The end of a chain, noted outside of the database: whoever rewrites entries and the head cannot rewrite what was noted before.

A line tells the tenant, the entry, its digest and when it was noted, signed with the installation's own key. A copy of the file and of the
public key on another machine is what gives it force: here, whoever has the machine has the private key too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final, Literal

import msgspec

from crivo.kernel.audit.chain import Head
from crivo.kernel.sigilo.assinatura import Assinante, Publica
from crivo.kernel.storage.session import UnitOfWork

AnchorMotivo = Literal["ancora_ausente", "ancora_diverge", "assinatura_invalida", "ancora_ilegivel"]
_DOMAIN: Final = b"crivo.ancora.2"
_NOTARY: Final = "select set_config('app.ancoragem', 'todas', true)"
_HEADS: Final = "select tenant_id, seq, digest from auditoria_cabecas where seq > 0 order by tenant_id"
_ENTRY: Final = "select digest from auditoria where tenant_id = %s and seq = %s"


class Anchor(msgspec.Struct, frozen=True):
    """Where a tenant's chain ended at an instant: `digest` and `assinatura` are hex."""

    tenant: str
    seq: int
    digest: str
    em: datetime
    assinatura: str = ""

    def signed(self, key: Assinante) -> Anchor:
        """The same, signed with the key."""
        return msgspec.structs.replace(self, assinatura=key.sign(self._signed()).hex())

    def is_signed_by(self, key: Publica) -> bool:
        """Whether it was signed with that key's private half, and not touched since."""
        try:
            return key.verifies(self._signed(), bytes.fromhex(self.assinatura))
        except ValueError:
            return False

    def _signed(self) -> bytes:
        em = self.em.astimezone(UTC).isoformat(timespec="microseconds")
        return _DOMAIN + msgspec.json.encode((self.tenant, self.seq, self.digest, em))


@dataclass(frozen=True, slots=True)
class AnchorBreak:
    """A line of the anchors (from 1) that the chain does not bear out, and which entry it noted; None where that cannot be read."""

    linha: int
    motivo: AnchorMotivo
    seq: int | None


@dataclass(frozen=True, slots=True)
class AnchorsVerification:
    """How many lines of the tenant were held against the chain, and those that do not stand."""

    ancoras: int
    quebras: tuple[AnchorBreak, ...]


async def read_heads(uow: UnitOfWork) -> dict[str, Head]:
    """Where the chain of every tenant ends now, whichever is the scope's: ids, numbers and digests, of which nothing can be read back."""
    await uow.connection.exec_driver_sql(_NOTARY)
    rows = await uow.connection.exec_driver_sql(_HEADS)
    return {row.tenant_id: Head(row.seq, bytes(row.digest)) for row in rows}


async def verify_anchors(uow: UnitOfWork, lines: Iterable[bytes], key: Publica) -> AnchorsVerification:
    """Hold each line of the tenant against the entry that it noted; in constant memory. What is another tenant's is passed over."""
    held, breaks = 0, list[AnchorBreak]()
    for number, anchor in decode_lines(lines):
        if anchor is not None and anchor.tenant != uow.scope.tenant_id:
            continue
        held += 1
        if anchor is None:
            breaks.append(AnchorBreak(number, "ancora_ilegivel", None))
            continue
        if not anchor.is_signed_by(key):
            breaks.append(AnchorBreak(number, "assinatura_invalida", anchor.seq))
        found = (await uow.connection.exec_driver_sql(_ENTRY, (uow.scope.tenant_id, anchor.seq))).one_or_none()
        if found is None:
            breaks.append(AnchorBreak(number, "ancora_ausente", anchor.seq))
        elif bytes(found.digest).hex() != anchor.digest:
            breaks.append(AnchorBreak(number, "ancora_diverge", anchor.seq))
    return AnchorsVerification(held, tuple(breaks))


def decode_lines(lines: Iterable[bytes]) -> Iterator[tuple[int, Anchor | None]]:
    """Each line with its number, from 1; None where it is no anchor."""
    decoder = msgspec.json.Decoder(Anchor)
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            yield number, decoder.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError):
            yield number, None
