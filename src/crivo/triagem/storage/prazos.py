"""Later days that people were given for their notas, and why: the reason stands under the key of their account."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Any, Final
from uuid import UUID

from sqlalchemy import Row

from crivo.kernel.storage.session import UnitOfWork
from crivo.triagem.distribuicao.guardados import PrazoReaberto

_COLUMNS: Final = """
    select z.id, e.codigo as edital, z.avaliador_id, z.ate, z.motivo, z.feito_por, z.feito_em, z.desfeito_por, z.desfeito_em, k.embrulhada
    from avaliacao_prazos z join editais e on e.tenant_id = z.tenant_id and e.id = z.edital_id
    left join chaves_de_pessoas k on k.tenant_id = z.tenant_id and k.id = z.avaliador_id where z.tenant_id = %(tenant)s"""
_OF_EDITAL: Final = f"{_COLUMNS} and z.edital_id = %(edital)s order by z.feito_em desc, z.id desc"
_OF_PEOPLE: Final = f"{_COLUMNS} and z.avaliador_id = any(%(pessoas)s) order by z.feito_em, z.id"
_ADD: Final = """
    insert into avaliacao_prazos (tenant_id, id, edital_id, avaliador_id, ate, motivo, feito_por, feito_em)
    values (%s, %s, %s, %s, %s, %s, %s, %s)"""
_UNDO: Final = """
    update avaliacao_prazos set desfeito_por = %s, desfeito_em = %s
    where tenant_id = %s and edital_id = %s and id = %s and desfeito_em is null returning avaliador_id"""
_IN_FORCE: Final = """
    select avaliador_id, max(ate) as ate from avaliacao_prazos where tenant_id = %s and edital_id = %s and desfeito_em is null group by 1"""
_BLANK: Final = "update avaliacao_prazos set motivo = '' where tenant_id = %s and avaliador_id = any(%s) and motivo <> ''"


async def add(uow: UnitOfWork, edital_id: UUID, prazo: PrazoReaberto) -> None:
    """Keep one. Of an account that was erased at this very moment the reason is not kept."""
    chave = (await uow.cofre.keys(uow, [prazo.avaliador])).get(prazo.avaliador)
    motivo = "" if chave is None else chave.seal_text(_named(prazo.id), prazo.motivo or "")
    values = (prazo.id, edital_id, prazo.avaliador, prazo.ate, motivo, prazo.por, prazo.em)
    await uow.connection.exec_driver_sql(_ADD, (uow.scope.tenant_id, *values))


async def undo(uow: UnitOfWork, edital_id: UUID, prazo_id: UUID, por: UUID, em: datetime) -> UUID | None:
    """It is given no more: whose it was; None where the edital has no such day in force."""
    found = await uow.connection.exec_driver_sql(_UNDO, (por, em, uow.scope.tenant_id, edital_id, prazo_id))
    who: UUID | None = found.scalar_one_or_none()
    return who


async def in_force(uow: UnitOfWork, edital_id: UUID) -> Mapping[UUID, date]:
    """The latest day that each person of an edital was given."""
    rows = await uow.connection.exec_driver_sql(_IN_FORCE, (uow.scope.tenant_id, edital_id))
    return {row.avaliador_id: row.ate for row in rows}


async def of_edital(uow: UnitOfWork, edital_id: UUID) -> tuple[PrazoReaberto, ...]:
    """All of an edital, those undone too, the newest first."""
    rows = await uow.connection.exec_driver_sql(_OF_EDITAL, {"tenant": uow.scope.tenant_id, "edital": edital_id})
    return tuple([_prazo(uow, row) for row in rows])


async def of_people(uow: UnitOfWork, pessoas: Sequence[UUID]) -> tuple[PrazoReaberto, ...]:
    """What is held of these people, over all editais."""
    rows = await uow.connection.exec_driver_sql(_OF_PEOPLE, {"tenant": uow.scope.tenant_id, "pessoas": list(pessoas)})
    return tuple([_prazo(uow, row) for row in rows])


async def clear(uow: UnitOfWork, pessoas: Sequence[UUID]) -> None:
    """Clear why; which day was given stays."""
    await uow.connection.exec_driver_sql(_BLANK, (uow.scope.tenant_id, list(pessoas)))


def _prazo(uow: UnitOfWork, row: Row[Any]) -> PrazoReaberto:
    chave = uow.cofre.unwrap(uow.scope.tenant_id, row.avaliador_id, row.embrulhada) if row.motivo else None
    motivo = None if chave is None else chave.open_text(_named(row.id), row.motivo)
    return PrazoReaberto(
        row.id, row.edital, row.avaliador_id, row.ate, motivo, row.feito_por, row.feito_em, row.desfeito_por, row.desfeito_em
    )


def _named(prazo_id: UUID) -> str:
    return f"avaliacao_prazos.motivo|{prazo_id}"
