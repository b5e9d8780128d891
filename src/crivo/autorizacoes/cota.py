"""How many decisions of a day are stored: counted in the transaction that stores them, and held to the organisation's quota."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Final

from crivo.kernel.clock import BRASILIA
from crivo.kernel.cotas import Valores
from crivo.kernel.storage.session import UnitOfWork

# One statement, so that a day's row is changed by one transaction at a time and the quota is read as it is then.
_TAKE: Final = """
    insert into decisoes_do_dia as d (tenant_id, dia, decisoes, aceitas)
    select %(tenant)s, %(dia)s, n.aceitas, n.aceitas from (select least(
        %(quantas)s::bigint, coalesce((select decisoes_por_dia from cotas where tenant_id = %(tenant)s), %(quantas)s)) as aceitas) n
    on conflict (tenant_id, dia) do update set (decisoes, aceitas) = (
        select d.decisoes + m.n, m.n from (select greatest(0, least(%(quantas)s::bigint,
            coalesce((select decisoes_por_dia from cotas where tenant_id = %(tenant)s) - d.decisoes, %(quantas)s))) as n) m)
    returning decisoes, aceitas, (select decisoes_por_dia from cotas where tenant_id = %(tenant)s) as limite"""
_TODAY: Final = "select coalesce(sum(decisoes), 0) from decisoes_do_dia where tenant_id = %s and dia = %s"
_ROOM: Final = """
    select l.decisoes_por_dia as limite, coalesce(d.decisoes, 0) as decisoes
    from cotas l left join decisoes_do_dia d on d.tenant_id = l.tenant_id and d.dia = %s
    where l.tenant_id = %s and l.decisoes_por_dia is not null"""
_MONTH: Final = "select coalesce(sum(decisoes), 0) from decisoes_do_dia where tenant_id = %s and dia >= %s"


@dataclass(frozen=True, slots=True)
class Tomadas:
    """What came of asking to store decisions: how many may be, how many the day has with them, and the quota, None where there is none."""

    aceitas: int
    no_dia: int
    limite: int | None


async def take(uow: UnitOfWork, dia: date, quantas: int) -> Tomadas:
    """Count decisions about to be stored, as many as the quota of the day has room for. One round trip; others wait until this ends."""
    values = {"tenant": uow.scope.tenant_id, "dia": dia, "quantas": quantas}
    row = (await uow.connection.exec_driver_sql(_TAKE, values)).one()
    return Tomadas(row.aceitas, row.decisoes, row.limite)


async def is_full(uow: UnitOfWork, dia: date) -> Tomadas | None:
    """What the day has, where there is a quota and nothing is left of it; to spare whoever asks what would be for nothing."""
    row = (await uow.connection.exec_driver_sql(_ROOM, (dia, uow.scope.tenant_id))).one_or_none()
    return None if row is None or row.decisoes < row.limite else Tomadas(0, row.decisoes, row.limite)


async def measure(uow: UnitOfWork, em: datetime) -> Valores:
    """What the organisation used of its quota of decisions today."""
    found = await uow.connection.exec_driver_sql(_TODAY, (uow.scope.tenant_id, em.astimezone(BRASILIA).date()))
    return {"decisoes_por_dia": Decimal(found.scalar_one())}


async def count_of_month(uow: UnitOfWork, em: datetime) -> int:
    """Decisions stored since the month began, in Brasília."""
    first = em.astimezone(BRASILIA).date().replace(day=1)
    return int((await uow.connection.exec_driver_sql(_MONTH, (uow.scope.tenant_id, first))).scalar_one())
