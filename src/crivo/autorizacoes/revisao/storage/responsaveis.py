"""Whose decisions are that wait, in the database: given where the owner is still the one that was seen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final
from uuid import UUID

from crivo.autorizacoes.revisao.storage.espera import ESPERA
from crivo.kernel.storage.session import UnitOfWork

_OWNER: Final = "select responsavel from autorizacao_responsaveis where tenant_id = %s and autorizacao_id = %s"
# In one order, so that two who share out the same ones do not wait for each other; whoever comes second finds what stands by then.
_GIVE: Final = f"""
    insert into autorizacao_responsaveis as d (tenant_id, autorizacao_id, responsavel, antes, lote, por, desde)
    select a.tenant_id, a.id, nullif(%(quem)s, ''), nullif(w.visto, ''), %(lote)s, %(por)s, %(em)s
    from unnest(%(ids)s::uuid[], %(vistos)s::text[]) as w (id, visto)
    join autorizacoes a on a.tenant_id = %(tenant)s and a.id = w.id and {ESPERA}
    left join autorizacao_responsaveis o on o.tenant_id = a.tenant_id and o.autorizacao_id = a.id
    where coalesce(o.responsavel, '') = w.visto and w.visto <> %(quem)s
    order by a.id
    on conflict (tenant_id, autorizacao_id) do update
        set responsavel = excluded.responsavel, antes = excluded.antes, lote = excluded.lote, por = excluded.por, desde = excluded.desde
        where d.responsavel is not distinct from excluded.antes
    returning autorizacao_id"""
_WAITING: Final = f"select count(*) from autorizacoes a where a.tenant_id = %s and a.id = any(%s) and {ESPERA}"
_UNDO: Final = f"""
    update autorizacao_responsaveis d set responsavel = d.antes, antes = d.responsavel, lote = %(novo)s, desde = %(em)s
    from autorizacoes a
    where d.tenant_id = %(tenant)s and d.lote = %(lote)s and d.por = %(por)s and a.tenant_id = d.tenant_id and a.id = d.autorizacao_id
      and {ESPERA}
    returning d.autorizacao_id"""
_FORGET: Final = "delete from autorizacao_responsaveis where tenant_id = %s and autorizacao_id = %s"


async def owner_of(uow: UnitOfWork, autorizacao_id: UUID) -> str:
    """Whose a decision is; empty where it is nobody's."""
    found: str | None = (await uow.connection.exec_driver_sql(_OWNER, (uow.scope.tenant_id, autorizacao_id))).scalar_one_or_none()
    return found or ""


async def forget_owner(uow: UnitOfWork, autorizacao_id: UUID) -> None:
    """A decision that waits no more is nobody's."""
    await uow.connection.exec_driver_sql(_FORGET, (uow.scope.tenant_id, autorizacao_id))


async def give(uow: UnitOfWork, vistos: Mapping[UUID, str], quem: str, lote: UUID, now: datetime) -> list[UUID]:
    """Make decisions somebody's that have the owner still that was seen; those that are."""
    values = {"tenant": uow.scope.tenant_id, "ids": list(vistos), "vistos": list(vistos.values()), "quem": quem}
    rows = await uow.connection.exec_driver_sql(_GIVE, {**values, "lote": lote, "por": uow.scope.ator, "em": now})
    return list(rows.scalars())


async def undo(uow: UnitOfWork, lote: UUID, novo: UUID, now: datetime) -> list[UUID]:
    """Give back what the scope's actor did in one act, as far as nothing else happened to it; those that were, now of the act `novo`."""
    values = {"tenant": uow.scope.tenant_id, "lote": lote, "novo": novo, "por": uow.scope.ator, "em": now}
    return list((await uow.connection.exec_driver_sql(_UNDO, values)).scalars())


async def count_waiting(uow: UnitOfWork, ids: Sequence[UUID]) -> int:
    """How many of these decisions wait for a person."""
    return int((await uow.connection.exec_driver_sql(_WAITING, (uow.scope.tenant_id, list(ids)))).scalar_one())
