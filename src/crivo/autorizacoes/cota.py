"""How many decisions of a day are stored, and the organisation's quota of them.

Without a quota nothing is counted as decisions are stored: their ids tell when they were made, so that whoever asks counts them by the
index. Under a quota they are counted in the transaction that stores them.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Final
from uuid import UUID

from crivo.kernel.clock import BRASILIA
from crivo.kernel.cotas import Valores
from crivo.kernel.storage.session import UnitOfWork

# In one round trip what every batch begins with: the version of the catalogue, and whether it is to be counted.
_BEGIN: Final = """
    select coalesce((select versao from catalogos where tenant_id = %(tenant)s), 0) as versao,
        exists (select from cotas where tenant_id = %(tenant)s and decisoes_por_dia is not null) as contada"""
# One statement, so that a day's row is changed by one transaction at a time and the quota is read as it is then.
_TAKE: Final = """
    update decisoes_do_dia d set (decisoes, aceitas) = (
        select d.decisoes + n.aceitas, n.aceitas
        from (select greatest(0, least(%(quantas)s::bigint, coalesce(l.limite - d.decisoes, %(quantas)s))) as aceitas) n)
    from (select c.decisoes_por_dia as limite, c.versao from cotas c where c.tenant_id = %(tenant)s) l
    where d.tenant_id = %(tenant)s and d.dia = %(dia)s and d.versao_das_cotas = l.versao
    returning d.aceitas, d.decisoes, l.limite"""
_ROW: Final = "insert into decisoes_do_dia (tenant_id, dia, decisoes) values (%s, %s, 0) on conflict do nothing"
_HOLD: Final = "select 1 from decisoes_do_dia where tenant_id = %s and dia = %s for update"
# Once for each change of the quotas, while whoever counts too waits.
_COUNT_AGAIN: Final = """
    update decisoes_do_dia
    set decisoes = (select count(*) from autorizacoes where tenant_id = %(tenant)s and id >= %(de)s and id < %(ate)s),
        versao_das_cotas = l.versao
    from (select versao from cotas where tenant_id = %(tenant)s) l
    where tenant_id = %(tenant)s and dia = %(dia)s and versao_das_cotas is distinct from l.versao"""
_QUOTA: Final = "select decisoes_por_dia from cotas where tenant_id = %s and decisoes_por_dia is not null"
_COUNT: Final = "select count(*) from autorizacoes where tenant_id = %s and id >= %s and id < %s"
_CLOSED: Final = "select dia, decisoes from decisoes_do_dia where tenant_id = %s and fechada and dia >= %s"
_CLOSE: Final = """
    insert into decisoes_do_dia (tenant_id, dia, decisoes, fechada) values (%s, %s, %s, true)
    on conflict (tenant_id, dia) do update set decisoes = excluded.decisoes, fechada = true"""


@dataclass(frozen=True, slots=True)
class Tomadas:
    """What came of asking to store decisions: how many may be, how many the day has with them, and the quota."""

    aceitas: int
    no_dia: int
    limite: int


async def begin(uow: UnitOfWork) -> tuple[int, bool]:
    """The version of the catalogue, and whether decisions that are stored now are to be counted."""
    row = (await uow.connection.exec_driver_sql(_BEGIN, {"tenant": uow.scope.tenant_id})).one()
    return row.versao, row.contada


async def take(uow: UnitOfWork, dia: date, quantas: int) -> Tomadas | None:
    """Count decisions about to be stored, as many as the quota of the day has room for; None where the quota is gone since.

    One round trip but for the first of a day. Others wait until this ends.
    """
    return await _take(uow, dia, quantas) or await _take_first(uow, dia, quantas)


async def _take(uow: UnitOfWork, dia: date, quantas: int) -> Tomadas | None:
    values = {"tenant": uow.scope.tenant_id, "dia": dia, "quantas": quantas}
    row = (await uow.connection.exec_driver_sql(_TAKE, values)).one_or_none()
    return None if row is None or row.limite is None else Tomadas(row.aceitas, row.decisoes, row.limite)


async def _take_first(uow: UnitOfWork, dia: date, quantas: int) -> Tomadas | None:
    tenant, (de, ate) = uow.scope.tenant_id, _ids_of(dia)
    await uow.connection.exec_driver_sql(_ROW, (tenant, dia))
    await uow.connection.exec_driver_sql(_HOLD, (tenant, dia))
    await uow.connection.exec_driver_sql(_COUNT_AGAIN, {"tenant": tenant, "dia": dia, "de": de, "ate": ate})
    return await _take(uow, dia, quantas)


async def is_full(uow: UnitOfWork, dia: date) -> Tomadas | None:
    """What the day has, where there is a quota and nothing is left of it; to spare whoever asks what would be for nothing."""
    limite = (await uow.connection.exec_driver_sql(_QUOTA, (uow.scope.tenant_id,))).scalar_one_or_none()
    if limite is None:
        return None
    stored = await _count(uow, dia)
    return Tomadas(0, stored, limite) if stored >= limite else None


async def measure(uow: UnitOfWork, em: datetime) -> Valores:
    """What the organisation used of its quota of decisions today."""
    return {"decisoes_por_dia": Decimal(await _count(uow, em.astimezone(BRASILIA).date()))}


async def count_of_month(uow: UnitOfWork, em: datetime) -> int:
    """Decisions stored since the month began, in Brasília; a day that is over is counted once and kept."""
    today = em.astimezone(BRASILIA).date()
    first = today.replace(day=1)
    rows = await uow.connection.exec_driver_sql(_CLOSED, (uow.scope.tenant_id, first))
    known = {row.dia: row.decisoes for row in rows}
    total = await _count(uow, today)
    for dia in (first + timedelta(days=n) for n in range((today - first).days)):
        if dia not in known:
            known[dia] = await _count(uow, dia)
            await uow.connection.exec_driver_sql(_CLOSE, (uow.scope.tenant_id, dia, known[dia]))
        total += known[dia]
    return total


async def _count(uow: UnitOfWork, dia: date) -> int:
    found = await uow.connection.exec_driver_sql(_COUNT, (uow.scope.tenant_id, *_ids_of(dia)))
    return int(found.scalar_one())


def _ids_of(dia: date) -> tuple[UUID, UUID]:
    """The least id of a day in Brasília, and that of the day after. Source: RFC 9562, 5.7: 48 bits of Unix milliseconds come first."""
    return _least_of(dia), _least_of(dia + timedelta(days=1))


def _least_of(dia: date) -> UUID:
    return UUID(int=int(datetime.combine(dia, time(), BRASILIA).timestamp() * 1000) << 80)
