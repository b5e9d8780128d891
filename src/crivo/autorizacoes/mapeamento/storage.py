"""Mappings in the database: drafts, published ones and closed ones, each in force between two versions of the tenant's catalogue."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import Row, text

from crivo.autorizacoes.mapeamento.documento import from_document
from crivo.autorizacoes.mapeamento.entrada import MapeamentoPublicado
from crivo.autorizacoes.mapeamento.guardado import FormatoGuardado
from crivo.kernel.storage.session import UnitOfWork

_COLUMNS = (
    "id, nome, administradora_id, versao, status, digest, criado_em, criado_por, publicado_em, publicado_na, encerrado_em, encerrado_na"
)


async def published_at(uow: UnitOfWork, versao: int) -> tuple[MapeamentoPublicado, ...]:
    """The mappings in force at a catalogue version, in the order of their publication."""
    statement = text(
        "select id, versao, conteudo from formatos where tenant_id = :tenant and publicado_na <= :versao "
        "and (encerrado_na is null or encerrado_na > :versao) order by publicado_na, id"
    )
    rows = await uow.connection.execute(statement, {"tenant": uow.scope.tenant_id, "versao": versao})
    return tuple([MapeamentoPublicado(str(row.id), row.versao, from_document(bytes(row.conteudo))) for row in rows])


async def list_all(uow: UnitOfWork) -> list[FormatoGuardado]:
    """Every mapping of the tenant, by name, the newest version first."""
    statement = text(f"select {_COLUMNS} from formatos where tenant_id = :tenant order by nome, versao desc")
    return [_formato(row) for row in await uow.connection.execute(statement, {"tenant": uow.scope.tenant_id})]


async def find(uow: UnitOfWork, formato_id: UUID, *, lock: bool = False) -> FormatoGuardado | None:
    """The mapping of that id, or None; `lock` keeps others from changing it until the transaction ends."""
    statement = text(f"select {_COLUMNS} from formatos where tenant_id = :tenant and id = :id{' for update' if lock else ''}")
    row = (await uow.connection.execute(statement, {"tenant": uow.scope.tenant_id, "id": formato_id})).one_or_none()
    return None if row is None else _formato(row)


async def versions_of(uow: UnitOfWork, nome: str) -> list[FormatoGuardado]:
    """The versions of a name, the newest first."""
    statement = text(f"select {_COLUMNS} from formatos where tenant_id = :tenant and nome = :nome order by versao desc")
    rows = await uow.connection.execute(statement, {"tenant": uow.scope.tenant_id, "nome": nome})
    return [_formato(row) for row in rows]


async def content(uow: UnitOfWork, formato_id: UUID) -> bytes:
    """The canonical JSON document of a mapping that exists."""
    statement = text("select conteudo from formatos where tenant_id = :tenant and id = :id")
    return bytes((await uow.connection.execute(statement, {"tenant": uow.scope.tenant_id, "id": formato_id})).scalar_one())


async def insert(uow: UnitOfWork, formato: FormatoGuardado, conteudo: bytes) -> None:
    """Store a new draft."""
    statement = text(
        "insert into formatos (tenant_id, id, nome, administradora_id, versao, status, conteudo, digest, criado_em, criado_por) "
        "values (:tenant, :id, :nome, :administradora_id, :versao, 'rascunho', :conteudo, :digest, :criado_em, :criado_por)"
    )
    await uow.connection.execute(statement, _values(uow, formato, conteudo))


async def replace_draft(uow: UnitOfWork, formato: FormatoGuardado, conteudo: bytes) -> None:
    """Put another text in the place of a draft of the same name."""
    statement = text(
        "update formatos set administradora_id = :administradora_id, conteudo = :conteudo, digest = :digest, criado_em = :criado_em, "
        "criado_por = :criado_por where tenant_id = :tenant and id = :id and status = 'rascunho'"
    )
    await uow.connection.execute(statement, _values(uow, formato, conteudo))


async def mark_published(uow: UnitOfWork, formato_id: UUID, versao: int, em: datetime) -> None:
    """A draft reads what comes from a catalogue version on."""
    statement = text(
        "update formatos set status = 'publicado', publicado_em = :em, publicado_na = :versao where tenant_id = :tenant and id = :id"
    )
    await uow.connection.execute(statement, {"tenant": uow.scope.tenant_id, "id": formato_id, "versao": versao, "em": em})


async def mark_closed(uow: UnitOfWork, formato_id: UUID, versao: int, em: datetime) -> None:
    """A published mapping reads nothing more from a catalogue version on; what it read before is read again by it."""
    statement = text(
        "update formatos set status = 'encerrado', encerrado_em = :em, encerrado_na = :versao where tenant_id = :tenant and id = :id"
    )
    await uow.connection.execute(statement, {"tenant": uow.scope.tenant_id, "id": formato_id, "versao": versao, "em": em})


def _values(uow: UnitOfWork, formato: FormatoGuardado, conteudo: bytes) -> dict[str, Any]:
    return {
        "tenant": uow.scope.tenant_id,
        "id": formato.id,
        "nome": formato.nome,
        "administradora_id": formato.administradora_id,
        "versao": formato.versao,
        "conteudo": conteudo,
        "digest": formato.digest,
        "criado_em": formato.criado_em,
        "criado_por": formato.criado_por,
    }


def _formato(row: Row[Any] | Sequence[Any]) -> FormatoGuardado:
    values = list(row)
    values[5] = bytes(values[5])
    return FormatoGuardado(*values)
