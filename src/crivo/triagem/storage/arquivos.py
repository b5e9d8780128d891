"""Files by the digest of their content, what was read in them, and the vectors of texts: each made once and found again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Final
from uuid import UUID

import msgspec

from crivo.kernel.storage.session import Database, UnitOfWork
from crivo.kernel.tenancy import Scope
from crivo.triagem.documentos.lido import DocumentoLido

_READER: Final = msgspec.msgpack.Decoder(DocumentoLido)
_WRITER: Final = msgspec.msgpack.Encoder()
# One import of a tenant at a time: what one is about to refer to, another could take for an orphan.
_LOCK: Final = "select pg_advisory_xact_lock(hashtextextended('crivo.importacao:' || %s, 0))"
_ORPHANS: Final = (
    "delete from arquivos a where a.tenant_id = %(tenant)s and not exists "
    "(select from projeto_documentos d where d.tenant_id = a.tenant_id and d.sha256 = a.sha256)"
)
_ORPHANS_READ: Final = (
    "delete from documentos_lidos l where l.tenant_id = %(tenant)s and not exists "
    "(select from arquivos a where a.tenant_id = l.tenant_id and a.sha256 = l.sha256)"
)


async def lock_import(uow: UnitOfWork) -> None:
    """Wait until no other import of the tenant is under way, and keep others waiting until the unit of work ends."""
    await uow.connection.exec_driver_sql(_LOCK, (uow.scope.tenant_id,))


async def keep(uow: UnitOfWork, sha256: bytes, conteudo: bytes) -> bool:
    """Store a file's content; whether it is new."""
    done = await uow.connection.exec_driver_sql(
        "insert into arquivos (tenant_id, sha256, conteudo) values (%s, %s, %s) on conflict do nothing",
        (uow.scope.tenant_id, sha256, conteudo),
    )
    return done.rowcount == 1


async def content(uow: UnitOfWork, sha256: bytes) -> bytes:
    """The content of a stored file."""
    found = await uow.connection.exec_driver_sql(
        "select conteudo from arquivos where tenant_id = %s and sha256 = %s", (uow.scope.tenant_id, sha256)
    )
    return bytes(found.scalar_one())


async def drop_orphans(uow: UnitOfWork) -> None:
    """Forget the files that no project refers to any more, and what was read in them."""
    for statement in (_ORPHANS, _ORPHANS_READ):
        await uow.connection.exec_driver_sql(statement, {"tenant": uow.scope.tenant_id})


async def drop_read_orphans(uow: UnitOfWork) -> None:
    """Forget what was read in files that are no more."""
    await uow.connection.exec_driver_sql(_ORPHANS_READ, {"tenant": uow.scope.tenant_id})


async def find_lidos(uow: UnitOfWork, versao: str, digests: Iterable[bytes], *, any_version: bool = False) -> dict[bytes, DocumentoLido]:
    """What a version of the reader read in files, by digest; `arquivo` and `requisito` are whose it was first read for.

    With `any_version`, what the last of the others read stands in for what this one did not.
    """
    rows = await uow.connection.exec_driver_sql(
        "select distinct on (sha256) sha256, lido from documentos_lidos where tenant_id = %(tenant)s and sha256 = any(%(digests)s) "
        "and (%(any)s or versao = %(versao)s) order by sha256, versao = %(versao)s desc, created_at desc",
        {"tenant": uow.scope.tenant_id, "digests": list(digests), "any": any_version, "versao": versao},
    )
    return {bytes(row.sha256): _READER.decode(row.lido) for row in rows}


async def find_read(uow: UnitOfWork, digests: Iterable[bytes]) -> set[bytes]:
    """Those files, by digest, in which any version of the reader read."""
    rows = await uow.connection.exec_driver_sql(
        "select distinct sha256 from documentos_lidos where tenant_id = %s and sha256 = any(%s)", (uow.scope.tenant_id, list(digests))
    )
    return {bytes(digest) for digest in rows.scalars()}


async def keep_lido(uow: UnitOfWork, versao: str, sha256: bytes, lido: DocumentoLido, em: datetime) -> None:
    """Keep what was read in a file."""
    await uow.connection.exec_driver_sql(
        "insert into documentos_lidos (tenant_id, sha256, versao, lido, paginas, created_at) values (%s, %s, %s, %s, %s, %s) "
        "on conflict do nothing",
        (uow.scope.tenant_id, sha256, versao, _WRITER.encode(lido), lido.total_paginas, em),
    )


async def count_lidos(uow: UnitOfWork, versao: str, edital_id: UUID) -> tuple[int, int, int]:
    """Of an edital in force: its files (each content once), those that are read already, and the pages read in them."""
    found = await uow.connection.exec_driver_sql(
        "select count(*) as arquivos, count(l.sha256) as lidos, coalesce(sum(l.paginas), 0) as paginas from "
        "(select distinct d.tenant_id, d.sha256 from projeto_documentos d "
        "join projetos p on p.tenant_id = d.tenant_id and p.id = d.projeto_id "
        "where p.tenant_id = %s and p.edital_id = %s and p.retirado_em is null) d "
        "left join documentos_lidos l on l.tenant_id = d.tenant_id and l.sha256 = d.sha256 and l.versao = %s",
        (uow.scope.tenant_id, edital_id, versao),
    )
    row = found.one()
    return row.arquivos, row.lidos, row.paginas


class TenantVectors:
    """The vectors of one tenant, by the embedder's name and the SHA-256 of their text."""

    def __init__(self, database: Database, scope: Scope) -> None:
        self._database = database
        self._scope = scope

    async def find(self, embedder: str, digests: Sequence[bytes]) -> Mapping[bytes, bytes]:
        """Those that are kept, by digest."""
        async with self._database.unit_of_work(self._scope) as uow:
            rows = await uow.connection.exec_driver_sql(
                "select sha256, vetor from vetores where tenant_id = %s and embedder = %s and sha256 = any(%s)",
                (self._scope.tenant_id, embedder, list(digests)),
            )
            return {bytes(row.sha256): bytes(row.vetor) for row in rows}

    async def keep(self, embedder: str, vetores: Mapping[bytes, bytes]) -> None:
        """Keep these; one that is kept already stays as it is."""
        rows = [(self._scope.tenant_id, embedder, digest, vetor) for digest, vetor in vetores.items()]
        if rows:
            async with self._database.unit_of_work(self._scope) as uow:
                await uow.connection.exec_driver_sql(
                    "insert into vetores (tenant_id, embedder, sha256, vetor) values (%s, %s, %s, %s) on conflict do nothing", rows
                )
