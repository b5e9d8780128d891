"""Test cases of a stored política in the database, and why one was published in spite of what was found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from uuid import UUID

import msgspec
from sqlalchemy import text

from crivo.autorizacoes.politicas.casos.caso import Caso
from crivo.kernel.storage.session import UnitOfWork


@dataclass(frozen=True, slots=True)
class Ressalva:
    """Why a version was published with so many errors and cases that failed."""

    motivo: str
    erros: int
    casos_falhos: int
    publicada_em: datetime
    publicada_por: str


async def list_casos(uow: UnitOfWork, politica_id: UUID) -> list[Caso]:
    """The cases of a política, by name."""
    statement = text(
        "select nome, pedido, esperado, com_publicadas, recebido_em from politica_casos "
        "where tenant_id = :tenant and politica_id = :politica order by nome"
    )
    rows = await uow.connection.execute(statement, {"tenant": uow.scope.tenant_id, "politica": politica_id})
    return [
        Caso(
            nome=row.nome,
            pedido=row.pedido,
            esperado=row.esperado,
            com_publicadas=row.com_publicadas,
            recebido_em=row.recebido_em.isoformat() if row.recebido_em else None,
        )
        for row in rows
    ]


async def put_casos(uow: UnitOfWork, politica_id: UUID, casos: Sequence[Caso], em: datetime) -> None:
    """Keep cases, each in the place of one of the same name."""
    statement = text(
        "insert into politica_casos (tenant_id, politica_id, nome, pedido, esperado, com_publicadas, recebido_em, gravado_em, gravado_por) "
        "values (:tenant, :politica, :nome, cast(:pedido as jsonb), cast(:esperado as jsonb), :com_publicadas, :recebido_em, :em, :por) "
        "on conflict (tenant_id, politica_id, nome) do update set pedido = excluded.pedido, esperado = excluded.esperado, "
        "com_publicadas = excluded.com_publicadas, recebido_em = excluded.recebido_em, gravado_em = excluded.gravado_em, "
        "gravado_por = excluded.gravado_por"
    )
    rows = [
        {
            "tenant": uow.scope.tenant_id,
            "politica": politica_id,
            "nome": caso.nome,
            "pedido": msgspec.json.encode(caso.pedido).decode(),
            "esperado": msgspec.json.encode(caso.esperado).decode(),
            "com_publicadas": caso.com_publicadas,
            "recebido_em": date.fromisoformat(caso.recebido_em) if caso.recebido_em else None,
            "em": em,
            "por": uow.scope.ator,
        }
        for caso in casos
    ]
    if rows:
        await uow.connection.execute(statement, rows)


async def delete_caso(uow: UnitOfWork, politica_id: UUID, nome: str) -> bool:
    """Take a case away; whether it was there."""
    statement = text("delete from politica_casos where tenant_id = :tenant and politica_id = :politica and nome = :nome")
    gone = await uow.connection.execute(statement, {"tenant": uow.scope.tenant_id, "politica": politica_id, "nome": nome})
    return bool(gone.rowcount)


async def insert_ressalva(uow: UnitOfWork, politica_id: UUID, ressalva: Ressalva) -> None:
    """Keep why a version is published in spite of what was found."""
    statement = text(
        "insert into politica_ressalvas (tenant_id, politica_id, motivo, erros, casos_falhos, publicada_em, publicada_por) "
        "values (:tenant, :politica, :motivo, :erros, :casos_falhos, :em, :por)"
    )
    values = {
        "tenant": uow.scope.tenant_id,
        "politica": politica_id,
        "motivo": ressalva.motivo,
        "erros": ressalva.erros,
        "casos_falhos": ressalva.casos_falhos,
        "em": ressalva.publicada_em,
        "por": ressalva.publicada_por,
    }
    await uow.connection.execute(statement, values)


async def find_ressalva(uow: UnitOfWork, politica_id: UUID) -> Ressalva | None:
    """Why a version was published in spite of what was found; None where nothing was."""
    statement = text(
        "select motivo, erros, casos_falhos, publicada_em, publicada_por from politica_ressalvas "
        "where tenant_id = :tenant and politica_id = :politica"
    )
    row = (await uow.connection.execute(statement, {"tenant": uow.scope.tenant_id, "politica": politica_id})).one_or_none()
    return None if row is None else Ressalva(*row)
