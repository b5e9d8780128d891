"""The codes with which applicants come in: each is made from the installation's key, and found again by a digest of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from sqlalchemy import Row

from crivo.kernel.storage.session import UnitOfWork
from crivo.triagem.recursos.codigos import code_of, resumo_of

_KIND: Final = "recurso"
_LAST: Final = """
    select p.id, p.codigo, coalesce(max(c.geracao), 0) as geracao from projetos p
    left join recurso_codigos c on c.tenant_id = p.tenant_id and c.projeto_id = p.id
    where p.tenant_id = %(tenant)s and p.edital_id = %(edital)s and p.retirado_em is null
        and (%(projeto)s::uuid is null or p.id = %(projeto)s) group by p.id, p.codigo, p.ordem order by p.ordem"""
_ADD: Final = """
    insert into recurso_codigos (tenant_id, projeto_id, geracao, resumo, feito_em) values (%s, %s, %s, %s, %s) on conflict do nothing"""
_FIND: Final = """
    select p.id, p.codigo, p.edital_id from recurso_codigos c
    join projetos p on p.tenant_id = c.tenant_id and p.id = c.projeto_id
    where c.tenant_id = %s and c.resumo = %s and p.retirado_em is null and not exists (
        select from recurso_codigos n where n.tenant_id = c.tenant_id and n.projeto_id = c.projeto_id and n.geracao > c.geracao)"""


@dataclass(frozen=True, slots=True)
class DoCodigo:
    """The project that a code is of."""

    projeto_id: UUID
    codigo: str
    edital_id: UUID


async def ensure(uow: UnitOfWork, edital_id: UUID, em: datetime, projeto: UUID | None = None) -> int:
    """Make a code for each project in force that has none, or for one alone; how many."""
    rows = await _last(uow, edital_id, projeto)
    fresh = [row.id for row in rows if not row.geracao]
    await _add(uow, [(one, 1) for one in fresh], em)
    return len(fresh)


async def codes_of(uow: UnitOfWork, edital_id: UUID, projeto: UUID | None = None) -> Mapping[str, str]:
    """The code in force of each project that has one, in their order; or of one alone."""
    rows = await _last(uow, edital_id, projeto)
    return {row.codigo: _code(uow, row.id, row.geracao) for row in rows if row.geracao}


async def renew(uow: UnitOfWork, edital_id: UUID, projeto_id: UUID, em: datetime) -> str:
    """Another code for a project; the one that it had opens nothing any more."""
    geracao = next(row.geracao for row in await _last(uow, edital_id, projeto_id)) + 1
    await _add(uow, [(projeto_id, geracao)], em)
    return _code(uow, projeto_id, geracao)


async def find(uow: UnitOfWork, code: str) -> DoCodigo | None:
    """The project in force whose code it is; None where it is nobody's, or no longer."""
    row = (await uow.connection.exec_driver_sql(_FIND, (uow.scope.tenant_id, resumo_of(code)))).one_or_none()
    return None if row is None else DoCodigo(row.id, row.codigo, row.edital_id)


async def _last(uow: UnitOfWork, edital_id: UUID, projeto: UUID | None) -> Sequence[Row[Any]]:
    values = {"tenant": uow.scope.tenant_id, "edital": edital_id, "projeto": projeto}
    return (await uow.connection.exec_driver_sql(_LAST, values)).all()


async def _add(uow: UnitOfWork, novos: Sequence[tuple[UUID, int]], em: datetime) -> None:
    rows = [(uow.scope.tenant_id, of, geracao, resumo_of(_code(uow, of, geracao)), em) for of, geracao in novos]
    if rows:
        await uow.connection.exec_driver_sql(_ADD, rows)


def _code(uow: UnitOfWork, projeto_id: UUID, geracao: int) -> str:
    digest = uow.cofre.index(uow.scope.tenant_id, _KIND, f"{projeto_id}|{geracao}")
    if digest is None:
        raise TypeError("a digest of something is never nothing")
    return code_of(digest)
