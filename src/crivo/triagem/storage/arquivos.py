"""Files by the digest of their content, what was read in them, and the vectors of texts: each made once and found again.

A file has a key of its own, kept under that of each project which has the file: it opens for any of them, and for nobody once all of
them are erased.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from hashlib import sha256 as hash_of
from typing import Final
from uuid import UUID

import msgspec

from crivo.kernel.sigilo import Partilhada, is_sealed
from crivo.kernel.storage.session import Database, UnitOfWork
from crivo.kernel.tenancy import Scope
from crivo.triagem.documentos.lido import DocumentoLido
from crivo.triagem.storage.chaves import ARQUIVO, LIDO, Dona

_READER: Final = msgspec.msgpack.Decoder(DocumentoLido)
_WRITER: Final = msgspec.msgpack.Encoder()
_VETOR: Final = "vetores.vetor"
# One import of a tenant at a time: what one is about to refer to, another could take for an orphan.
_LOCK: Final = "select pg_advisory_xact_lock(hashtextextended('crivo.importacao:' || %s, 0))"
_THERE: Final = "select sha256 from arquivos where tenant_id = %s and sha256 = any(%s)"
_STORE: Final = "insert into arquivos (tenant_id, sha256, conteudo) values (%s, %s, %s)"
_ORPHANS: Final = (
    # Keys of projects that have the file no more: another project that has it must not be read by theirs.
    """
    delete from chaves_de_arquivos c where c.tenant_id = %(tenant)s and not exists (
        select from projeto_documentos d join projetos p on p.tenant_id = d.tenant_id and p.id = d.projeto_id
        where d.tenant_id = c.tenant_id and d.sha256 = c.sha256 and p.chave = c.chave)""",
    (
        "delete from arquivos a where a.tenant_id = %(tenant)s and not exists "
        "(select from projeto_documentos d where d.tenant_id = a.tenant_id and d.sha256 = a.sha256)"
    ),
)
_ORPHANS_READ: Final = (
    "delete from documentos_lidos l where l.tenant_id = %(tenant)s and not exists "
    "(select from arquivos a where a.tenant_id = l.tenant_id and a.sha256 = l.sha256)"
)
_OPENERS: Final = """
    select distinct on (c.sha256) c.sha256, c.chave, c.embrulhada, k.embrulhada as dona
    from chaves_de_arquivos c join chaves_de_pessoas k on k.tenant_id = c.tenant_id and k.id = c.chave and k.embrulhada is not null
    where c.tenant_id = %s and c.sha256 = any(%s) order by c.sha256, c.chave"""
_IN_THE_CLEAR: Final = r"""
    select 1 from arquivos where tenant_id = %s and sha256 = %s and substring(conteudo for 4) <> '\x00637331'::bytea"""
_BEGINNING: Final = "select substring(conteudo for 16) from arquivos where tenant_id = %s and sha256 = %s"
_OF_EDITAL: Final = """
    select distinct d.sha256 from projeto_documentos d join projetos p on p.tenant_id = d.tenant_id and p.id = d.projeto_id
    where p.tenant_id = %s and p.edital_id = %s"""
_SHARE: Final = """
    insert into chaves_de_arquivos (tenant_id, sha256, chave, embrulhada) values (%s, %s, %s, %s)
    on conflict (tenant_id, sha256, chave) do nothing"""


async def lock_import(uow: UnitOfWork) -> None:
    """Wait until no other import of the tenant is under way, and keep others waiting until the unit of work ends."""
    await uow.connection.exec_driver_sql(_LOCK, (uow.scope.tenant_id,))


async def keep(uow: UnitOfWork, contents: Mapping[bytes, bytes]) -> tuple[dict[bytes, Partilhada], int]:
    """Store the contents of files sealed, by digest; their keys, by which `share` lets projects open them, and how many are new.

    Under `lock_import`: of what somebody else stored meanwhile the key would be another one.
    """
    tenant_id, digests = uow.scope.tenant_id, list(contents)
    there = {bytes(one) for one in (await uow.connection.exec_driver_sql(_THERE, (tenant_id, digests))).scalars()}
    found = {sha256: _new(uow, sha256) for sha256 in digests if sha256 not in there}
    rows = [(tenant_id, sha256, nova.chave.seal(ARQUIVO, contents[sha256])) for sha256, nova in found.items()]
    if rows:
        await uow.connection.exec_driver_sql(_STORE, rows)
    if there:
        known = await openers(uow, there)
        found |= {sha256: known.get(sha256) or await seal_again(uow, sha256, contents[sha256]) for sha256 in sorted(there)}
    return found, len(rows)


async def seal_again(uow: UnitOfWork, sha256: bytes, conteudo: bytes) -> Partilhada:
    """Seal a stored file that stands in the clear, or that nobody is left to open; its key."""
    nova, which = _new(uow, sha256), (uow.scope.tenant_id, sha256)
    await uow.connection.exec_driver_sql(
        "update arquivos set conteudo = %s where tenant_id = %s and sha256 = %s", (nova.chave.seal(ARQUIVO, conteudo), *which)
    )
    rows = await uow.connection.exec_driver_sql("select versao, lido from documentos_lidos where tenant_id = %s and sha256 = %s", which)
    for row in rows.all():
        of_version = "where tenant_id = %s and sha256 = %s and versao = %s"
        if is_sealed(bytes(row.lido)):
            await uow.connection.exec_driver_sql(f"delete from documentos_lidos {of_version}", (*which, row.versao))
        else:
            sealed = nova.chave.seal(LIDO, bytes(row.lido))
            await uow.connection.exec_driver_sql(f"update documentos_lidos set lido = %s {of_version}", (sealed, *which, row.versao))
    return nova


async def share(uow: UnitOfWork, shared: Iterable[tuple[Dona, Mapping[bytes, Partilhada]]]) -> None:
    """Let projects open files: each the ones beside it."""
    tenant_id = uow.scope.tenant_id
    rows = [(tenant_id, sha256, dona.id, file.under(dona.chave)) for dona, files in shared for sha256, file in files.items()]
    if rows:
        await uow.connection.exec_driver_sql(_SHARE, rows)


async def openers(uow: UnitOfWork, digests: Iterable[bytes]) -> dict[bytes, Partilhada]:
    """The keys of those of these files that some project can open still, by digest."""
    tenant_id, found = uow.scope.tenant_id, {}
    for row in await uow.connection.exec_driver_sql(_OPENERS, (tenant_id, list(digests))):
        dona = uow.cofre.unwrap(tenant_id, row.chave, row.dona)
        if dona is not None:
            sha256 = bytes(row.sha256)
            found[sha256] = Partilhada.opened(_place(uow, sha256), dona, bytes(row.embrulhada))
    return found


async def openers_of(uow: UnitOfWork, edital_id: UUID) -> dict[bytes, Partilhada]:
    """The keys of the files that the projects of an edital have."""
    rows = await uow.connection.exec_driver_sql(_OF_EDITAL, (uow.scope.tenant_id, edital_id))
    return await openers(uow, [bytes(digest) for digest in rows.scalars()])


async def content(uow: UnitOfWork, sha256: bytes) -> bytes | None:
    """The content of a stored file; None where it was erased since."""
    found = await uow.connection.exec_driver_sql(
        "select conteudo from arquivos where tenant_id = %s and sha256 = %s", (uow.scope.tenant_id, sha256)
    )
    stored = found.scalar_one_or_none()
    if stored is None or not is_sealed(bytes(stored)):
        return None if stored is None else bytes(stored)
    file = (await openers(uow, [sha256])).get(sha256)
    return None if file is None else file.chave.open(ARQUIVO, bytes(stored))


async def can_open(uow: UnitOfWork, sha256: bytes) -> bool:
    """Whether `content` would give the file, which is not read for it."""
    stored = await uow.connection.exec_driver_sql(_BEGINNING, (uow.scope.tenant_id, sha256))
    beginning = stored.scalar_one_or_none()
    if beginning is None or not is_sealed(bytes(beginning)):
        return beginning is not None
    return sha256 in await openers(uow, [sha256])


async def drop_orphans(uow: UnitOfWork) -> None:
    """Forget the files that no project refers to any more, what was read in them, and by what projects that have them no more read them."""
    for statement in (*_ORPHANS, _ORPHANS_READ):
        await uow.connection.exec_driver_sql(statement, {"tenant": uow.scope.tenant_id})


async def drop_read_orphans(uow: UnitOfWork) -> None:
    """Forget what was read in files that are no more."""
    await uow.connection.exec_driver_sql(_ORPHANS_READ, {"tenant": uow.scope.tenant_id})


async def find_lidos(uow: UnitOfWork, versao: str, digests: Iterable[bytes], *, any_version: bool = False) -> dict[bytes, DocumentoLido]:
    """What a version of the reader read in files, by digest; `arquivo` and `requisito` are whose it was first read for.

    With `any_version`, what the last of the others read stands in for what this one did not.
    """
    asked = list(digests)
    rows = await uow.connection.exec_driver_sql(
        "select distinct on (sha256) sha256, lido from documentos_lidos where tenant_id = %(tenant)s and sha256 = any(%(digests)s) "
        "and (%(any)s or versao = %(versao)s) order by sha256, versao = %(versao)s desc, created_at desc",
        {"tenant": uow.scope.tenant_id, "digests": asked, "any": any_version, "versao": versao},
    )
    kept = {bytes(row.sha256): bytes(row.lido) for row in rows}
    files = await openers(uow, [digest for digest, lido in kept.items() if is_sealed(lido)]) if kept else {}
    return {
        digest: _READER.decode(files[digest].chave.open(LIDO, lido) if digest in files else lido)
        for digest, lido in kept.items()
        if digest in files or not is_sealed(lido)
    }


async def find_read(uow: UnitOfWork, digests: Iterable[bytes]) -> set[bytes]:
    """Those files, by digest, in which any version of the reader read."""
    rows = await uow.connection.exec_driver_sql(
        "select distinct sha256 from documentos_lidos where tenant_id = %s and sha256 = any(%s)", (uow.scope.tenant_id, list(digests))
    )
    return {bytes(digest) for digest in rows.scalars()}


async def keep_lido(uow: UnitOfWork, versao: str, sha256: bytes, lido: DocumentoLido, em: datetime) -> None:
    """Keep what was read in a file under the file's key; nothing of one that was erased while it was being read."""
    file, read = (await openers(uow, [sha256])).get(sha256), _WRITER.encode(lido)
    if file is None:
        found = await uow.connection.exec_driver_sql(_IN_THE_CLEAR, (uow.scope.tenant_id, sha256))
        if found.first() is None:
            return
    await uow.connection.exec_driver_sql(
        "insert into documentos_lidos (tenant_id, sha256, versao, lido, paginas, created_at) values (%s, %s, %s, %s, %s, %s) "
        "on conflict do nothing",
        (uow.scope.tenant_id, sha256, versao, file.chave.seal(LIDO, read) if file else read, lido.total_paginas, em),
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
    """The vectors of one tenant, by the embedder's name and the SHA-256 of their text.

    A row is found by a digest of that digest, and opens by the digest itself, which only whoever has the text has.
    """

    def __init__(self, database: Database, scope: Scope) -> None:
        self._database = database
        self._scope = scope

    async def find(self, embedder: str, digests: Sequence[bytes]) -> Mapping[bytes, bytes]:
        """Those that are kept, by digest."""
        asked = {hash_of(digest).digest(): digest for digest in digests}
        async with self._database.unit_of_work(self._scope) as uow:
            rows = await uow.connection.exec_driver_sql(
                "select sha256, vetor from vetores where tenant_id = %s and embedder = %s and sha256 = any(%s)",
                (self._scope.tenant_id, embedder, list(asked)),
            )
            found = {asked[bytes(row.sha256)]: bytes(row.vetor) for row in rows}
            return {digest: uow.cofre.of_content(self._scope.tenant_id, digest).open(_VETOR, vetor) for digest, vetor in found.items()}

    async def keep(self, embedder: str, vetores: Mapping[bytes, bytes]) -> None:
        """Keep these; one that is kept already stays as it is."""
        tenant_id = self._scope.tenant_id
        async with self._database.unit_of_work(self._scope) as uow:
            rows = [
                (tenant_id, embedder, hash_of(digest).digest(), uow.cofre.of_content(tenant_id, digest).seal(_VETOR, vetor))
                for digest, vetor in vetores.items()
            ]
            if rows:
                await uow.connection.exec_driver_sql(
                    "insert into vetores (tenant_id, embedder, sha256, vetor) values (%s, %s, %s, %s) on conflict do nothing", rows
                )


def _new(uow: UnitOfWork, sha256: bytes) -> Partilhada:
    return Partilhada.new(_place(uow, sha256))


def _place(uow: UnitOfWork, sha256: bytes) -> str:
    return f"{uow.scope.tenant_id}|arquivo|{sha256.hex()}"
