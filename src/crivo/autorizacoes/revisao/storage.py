"""Reviews and claims in the database."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, Final
from uuid import UUID

import msgspec
from sqlalchemy import Row

from crivo.autorizacoes.contracts import DecisaoFinal, Mensagens
from crivo.autorizacoes.revisao.contracts import Reserva, Revisao
from crivo.kernel.storage.session import UnitOfWork

_REVIEWS: Final = (
    "select id, autorizacao_id, decisao_anterior, decisao_final, quantidade_aprovada, motivo, mensagens, revisor, decidida_em "
    "from autorizacao_revisoes where tenant_id = %s and autorizacao_id = %s order by decidida_em desc, id desc"
)
_STANDING: Final = (
    "select distinct on (autorizacao_id) autorizacao_id, decisao_final from autorizacao_revisoes "
    "where tenant_id = %s and autorizacao_id = any(%s) order by autorizacao_id, decidida_em desc, id desc"
)
_ADD: Final = (
    "insert into autorizacao_revisoes (tenant_id, id, autorizacao_id, decisao_anterior, decisao_final, quantidade_aprovada, motivo, "
    "mensagens, revisor, decidida_em) values (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s)"
)
# A claim that ran out is anybody's.
_CLAIM: Final = """
    insert into autorizacao_reservas (tenant_id, autorizacao_id, revisor, ate) values (%s, %s, %s, %s)
    on conflict (tenant_id, autorizacao_id) do update set revisor = excluded.revisor, ate = excluded.ate
    where autorizacao_reservas.revisor = excluded.revisor or autorizacao_reservas.ate <= %s
    returning revisor"""
_HOLDER: Final = "select autorizacao_id, revisor, ate from autorizacao_reservas where tenant_id = %s and autorizacao_id = %s and ate > %s"
_RELEASE: Final = "delete from autorizacao_reservas where tenant_id = %s and autorizacao_id = %s and revisor = %s"
_WAITING: Final = """
    select a.id, a.pedido_id, a.administradora_id, a.decisao_final, a.recebida_em, a.data_recebimento, a.urgente, r.revisor, r.ate
    from autorizacoes a
    left join autorizacao_reservas r on r.tenant_id = a.tenant_id and r.autorizacao_id = a.id and r.ate > %s
    where a.tenant_id = %s and a.urgente = %s and a.decisao_final in ('PENDENTE_AJUSTES', 'NEGADO')
      and not exists (select 1 from autorizacao_revisoes v where v.tenant_id = a.tenant_id and v.autorizacao_id = a.id)
    order by a.id limit %s"""
_WRITTEN: Final = "select id, decisao, trilha from autorizacoes where tenant_id = %s and id = any(%s)"
_COUNT: Final = """
    select count(*) from autorizacoes a
    where a.tenant_id = %s and a.decisao_final in ('PENDENTE_AJUSTES', 'NEGADO')
      and not exists (select 1 from autorizacao_revisoes v where v.tenant_id = a.tenant_id and v.autorizacao_id = a.id)"""


async def reviews_of(uow: UnitOfWork, autorizacao_id: UUID) -> tuple[Revisao, ...]:
    """The reviews of a decision, the newest first."""
    rows = await uow.connection.exec_driver_sql(_REVIEWS, (uow.scope.tenant_id, autorizacao_id))
    return tuple(_revisao(row) for row in rows)


async def standing(uow: UnitOfWork, autorizacao_ids: Sequence[UUID]) -> dict[UUID, DecisaoFinal]:
    """What people decided last over these decisions; those that nobody reviewed are left out."""
    rows = await uow.connection.exec_driver_sql(_STANDING, (uow.scope.tenant_id, list(autorizacao_ids)))
    return {row.autorizacao_id: row.decisao_final for row in rows}


async def add(uow: UnitOfWork, revisao: Revisao) -> None:
    """Keep a review."""
    values = (revisao.id, revisao.autorizacao_id, revisao.decisao_anterior, revisao.decisao_final, revisao.quantidade_aprovada)
    more = (revisao.motivo, msgspec.json.encode(revisao.mensagens).decode(), revisao.revisor, revisao.decidida_em)
    await uow.connection.exec_driver_sql(_ADD, (uow.scope.tenant_id, *values, *more))


async def claim(uow: UnitOfWork, autorizacao_id: UUID, ate: datetime, now: datetime) -> bool:
    """Claim a decision for the scope's actor until a moment; False where somebody else has it."""
    asked = (uow.scope.tenant_id, autorizacao_id, uow.scope.ator, ate, now)
    return (await uow.connection.exec_driver_sql(_CLAIM, asked)).one_or_none() is not None


async def holder(uow: UnitOfWork, autorizacao_id: UUID, now: datetime) -> Reserva | None:
    """Who has a decision in hand, or None."""
    row = (await uow.connection.exec_driver_sql(_HOLDER, (uow.scope.tenant_id, autorizacao_id, now))).one_or_none()
    return None if row is None else Reserva(row.autorizacao_id, row.revisor, row.ate)


async def release(uow: UnitOfWork, autorizacao_id: UUID) -> None:
    """Let go of what the scope's actor has in hand."""
    await uow.connection.exec_driver_sql(_RELEASE, (uow.scope.tenant_id, autorizacao_id, uow.scope.ator))


async def waiting(uow: UnitOfWork, now: datetime, limite: int, *, urgente: bool) -> Sequence[Row[Any]]:
    """The decisions that wait for a person, the oldest first."""
    return (await uow.connection.exec_driver_sql(_WAITING, (now, uow.scope.tenant_id, urgente, limite))).all()


async def written(uow: UnitOfWork, autorizacao_ids: Sequence[UUID]) -> Sequence[Row[Any]]:
    """The decisions and trails of these, as bytes."""
    return (await uow.connection.exec_driver_sql(_WRITTEN, (uow.scope.tenant_id, list(autorizacao_ids)))).all()


async def count_waiting(uow: UnitOfWork) -> int:
    """How many decisions wait for a person."""
    return int((await uow.connection.exec_driver_sql(_COUNT, (uow.scope.tenant_id,))).scalar_one())


def _revisao(row: Row[Any]) -> Revisao:
    quantidade = None if row.quantidade_aprovada is None else float(row.quantidade_aprovada)
    before: DecisaoFinal = row.decisao_anterior
    after: DecisaoFinal = row.decisao_final
    return Revisao(
        id=row.id,
        autorizacao_id=row.autorizacao_id,
        decisao_anterior=before,
        decisao_final=after,
        quantidade_aprovada=int(quantidade) if quantidade is not None and quantidade.is_integer() else quantidade,
        motivo=row.motivo,
        mensagens=msgspec.convert(row.mensagens, Mensagens),
        revisor=row.revisor,
        decidida_em=row.decidida_em.astimezone(UTC),
    )
