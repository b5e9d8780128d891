"""The chain in the database: added to inside the unit of work of what it tells, read back without holding it in memory."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from msgspec import structs
from sqlalchemy import Row, text

from crivo.kernel.atos import NewEntry
from crivo.kernel.audit.chain import GENESIS, Entry, Head, Verification, Verifier, seal
from crivo.kernel.storage.session import UnitOfWork
from crivo.kernel.sujeitos import ProgramaDePessoa

CHAVE: Final = "chave"  # of an entry's particulars: the key that acted for the actor
_PAGE: Final = 2_000
_LOCK_HEAD: Final = "select seq, digest from auditoria_cabecas where tenant_id = %s for update"
_FIRST_HEAD: Final = "insert into auditoria_cabecas (tenant_id, seq, digest) values (%s, 0, %s) on conflict do nothing"
_WRITE: Final = """
    with escritas as (
        insert into auditoria (tenant_id, seq, em, ator, acao, alvo, dados, digest_anterior, digest)
        select %(tenant)s, n.seq, %(em)s, %(ator)s, n.acao, n.alvo, n.dados, n.digest_anterior, n.digest
        from unnest(
            %(seqs)s::bigint[], %(acoes)s::text[], %(alvos)s::text[], %(dados)s::text[], %(anteriores)b::bytea[], %(digests)b::bytea[]
        ) as n (seq, acao, alvo, dados, digest_anterior, digest)
    )
    update auditoria_cabecas set seq = %(seq)s, digest = %(digest)s where tenant_id = %(tenant)s"""
# One statement, so one snapshot: entries that are added meanwhile change neither the rows nor the head that they are held against.
_READ: Final = """
    select a.tenant_id, a.seq, a.em, a.ator, a.acao, a.alvo, a.dados, a.digest_anterior, a.digest,
           (select c.seq from auditoria_cabecas c) as cabeca_seq, (select c.digest from auditoria_cabecas c) as cabeca_digest
    from (select 1) uma left join auditoria a on true
    order by a.tenant_id, a.seq"""


async def append(uow: UnitOfWork, em: datetime, entries: Sequence[NewEntry]) -> None:
    """Add entries to the tenant's chain, all at the instant `em`, by the scope's actor.

    Each names the key, where one acts for a person. Two round trips, however many entries. It holds the tenant's head until the unit of
    work ends: call it last, and batch.
    """
    if not entries:
        return
    tenant_id, ator = uow.scope.tenant_id, uow.scope.ator
    sealed = seal(await _locked_head(uow), tenant_id, em, ator, [_by_key(uow, entry) for entry in entries])
    values = {
        "tenant": tenant_id,
        "em": em,
        "ator": ator,
        "seqs": [entry.seq for entry in sealed],
        "acoes": [entry.acao for entry in sealed],
        "alvos": [entry.alvo for entry in sealed],
        "dados": [entry.dados for entry in sealed],
        "anteriores": [entry.digest_anterior for entry in sealed],
        "digests": [entry.digest for entry in sealed],
        "seq": sealed[-1].seq,
        "digest": sealed[-1].digest,
    }
    await uow.connection.exec_driver_sql(_WRITE, values)


def _by_key(uow: UnitOfWork, entry: NewEntry) -> NewEntry:
    """An entry as it is told of whoever acts: what a key did for a person is not told as that person's own act."""
    match uow.scope.sujeito:
        case ProgramaDePessoa(chave=chave) if chave:
            return structs.replace(entry, dados={**entry.dados, CHAVE: chave})
        case _:
            return entry


async def verify_tenant(uow: UnitOfWork) -> Verification:
    """Read the tenant's whole chain and say where it does not hold; in constant memory, while others go on adding to it."""
    verifier = Verifier()
    head: Head | None = None
    async with uow.connection.stream(text(_READ), execution_options={"yield_per": _PAGE}) as rows:
        async for row in rows:
            head = Head(row.cabeca_seq, bytes(row.cabeca_digest)) if row.cabeca_seq is not None else None
            if row.seq is not None:
                verifier.read(entry_of(row))
    return verifier.finish(head)


async def _locked_head(uow: UnitOfWork) -> Head:
    tenant_id = uow.scope.tenant_id
    row = (await uow.connection.exec_driver_sql(_LOCK_HEAD, (tenant_id,))).one_or_none()
    if row is None:  # the tenant's first entry; where two write it at once, the second waits here
        await uow.connection.exec_driver_sql(_FIRST_HEAD, (tenant_id, GENESIS))
        row = (await uow.connection.exec_driver_sql(_LOCK_HEAD, (tenant_id,))).one()
    return Head(row.seq, bytes(row.digest))


def entry_of(row: Row[tuple[object, ...]]) -> Entry:
    """The entry that a row of `auditoria` holds."""
    return Entry(
        tenant_id=row.tenant_id,
        seq=row.seq,
        em=row.em,
        ator=row.ator,
        acao=row.acao,
        alvo=row.alvo,
        dados=row.dados,
        digest_anterior=bytes(row.digest_anterior),
        digest=bytes(row.digest),
    )
