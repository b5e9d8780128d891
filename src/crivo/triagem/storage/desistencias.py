"""That projects withdrew: the day, who wrote it down and when, and, where it was taken back, by whom; why is under the project's key."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Final
from uuid import UUID

from sqlalchemy import Row

from crivo.kernel.sigilo import Chave
from crivo.kernel.storage.session import UnitOfWork
from crivo.triagem.desistencia.guardadas import Desistida
from crivo.triagem.storage.chaves import Dona, living

_COLUMNS: Final = """
    d.id, p.codigo, d.desistiu_em, d.chave, d.selado, d.registrada_por, d.registrada_em,
    d.desfeita_por, d.desfeita_em"""
_FROM: Final = "from desistencias d join projetos p on p.tenant_id = d.tenant_id and p.id = d.projeto_id"
_OF: Final = f"""
    select {_COLUMNS} {_FROM} where d.tenant_id = %s and p.edital_id = %s and p.retirado_em is null
    order by d.registrada_em desc, d.id desc"""
_FIND: Final = f"select {_COLUMNS} {_FROM} where d.tenant_id = %s and p.edital_id = %s and d.id = %s"
_IN_FORCE: Final = f"""
    select p.codigo, d.desistiu_em {_FROM}
    where d.tenant_id = %s and p.edital_id = %s and p.retirado_em is null and d.desfeita_em is null order by p.codigo"""
_OF_KEYS: Final = f"select {_COLUMNS}, d.projeto_id {_FROM} where d.tenant_id = %s and d.chave = any(%s) order by d.registrada_em, d.id"
_KEEP: Final = """
    insert into desistencias (tenant_id, id, projeto_id, desistiu_em, chave, selado, registrada_por, registrada_em)
    values (%s, %s, %s, %s, %s, %s, %s, %s)"""
_UNDO: Final = "update desistencias set desfeita_por = %s, desfeita_em = %s where tenant_id = %s and id = %s and desfeita_em is null"


@dataclass(frozen=True, slots=True)
class Nova:
    """A withdrawal to be kept."""

    id: UUID
    projeto_id: UUID
    desistiu_em: date
    motivo: str
    por: UUID
    em: datetime


async def keep(uow: UnitOfWork, nova: Nova, dona: Dona) -> None:
    """Keep it, of a project that is locked and has none in force; the reason under this key, which is held."""
    sealed = dona.chave.seal(_named(nova.id), nova.motivo.encode())
    values = (uow.scope.tenant_id, nova.id, nova.projeto_id, nova.desistiu_em, dona.id, sealed, nova.por, nova.em)
    await uow.connection.exec_driver_sql(_KEEP, values)


async def undo(uow: UnitOfWork, desistencia_id: UUID, por: UUID, em: datetime) -> bool:
    """Take it back; False where somebody did so already."""
    done = await uow.connection.exec_driver_sql(_UNDO, (por, em, uow.scope.tenant_id, desistencia_id))
    return bool(done.rowcount)


async def of_edital(uow: UnitOfWork, edital_id: UUID) -> tuple[Desistida, ...]:
    """All of an edital's projects, the last first, those that were taken back too."""
    return await _opened(uow, (await uow.connection.exec_driver_sql(_OF, (uow.scope.tenant_id, edital_id))).all())


async def find(uow: UnitOfWork, edital_id: UUID, desistencia_id: UUID) -> Desistida | None:
    """One of an edital's."""
    rows = (await uow.connection.exec_driver_sql(_FIND, (uow.scope.tenant_id, edital_id, desistencia_id))).all()
    return next(iter(await _opened(uow, rows)), None)


async def in_force(uow: UnitOfWork, edital_id: UUID) -> Mapping[str, date]:
    """When the projects of an edital that withdrew did so, by code."""
    rows = await uow.connection.exec_driver_sql(_IN_FORCE, (uow.scope.tenant_id, edital_id))
    return {row.codigo: row.desistiu_em for row in rows}


async def of_keys(uow: UnitOfWork, chaves: Sequence[UUID]) -> Mapping[UUID, Sequence[Desistida]]:
    """Those whose reasons are sealed under these keys, by project."""
    rows = (await uow.connection.exec_driver_sql(_OF_KEYS, (uow.scope.tenant_id, list(chaves)))).all()
    found: dict[UUID, list[Desistida]] = {}
    for row, one in zip(rows, await _opened(uow, rows), strict=True):
        found.setdefault(row.projeto_id, []).append(one)
    return found


async def _opened(uow: UnitOfWork, rows: Sequence[Row[Any]]) -> tuple[Desistida, ...]:
    keys = await living(uow, (row.chave for row in rows))
    return tuple([_of(row, keys.get(row.chave)) for row in rows])


def _of(row: Row[Any], chave: Chave | None) -> Desistida:
    motivo = None if chave is None else chave.open(_named(row.id), bytes(row.selado)).decode()
    told = (row.registrada_por, row.registrada_em, row.desfeita_por, row.desfeita_em)
    return Desistida(row.id, row.codigo, row.desistiu_em, motivo, *told)


def _named(desistencia_id: UUID) -> str:
    return f"desistencias.selado|{desistencia_id}"
