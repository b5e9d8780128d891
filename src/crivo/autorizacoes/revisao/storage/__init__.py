"""Reviews and claims in the database."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final
from uuid import UUID

import msgspec
from sqlalchemy import Row

from crivo.autorizacoes.contracts import DecisaoFinal, Mensagens
from crivo.autorizacoes.revisao.contracts import Reserva, Revisao
from crivo.kernel.sigilo import Chave
from crivo.kernel.storage.session import UnitOfWork

_REVIEWS: Final = (
    "select id, autorizacao_id, decisao_anterior, decisao_final, quantidade_aprovada, motivo, mensagens, revisor, decidida_em "
    "from autorizacao_revisoes where tenant_id = %s and autorizacao_id = %s order by decidida_em desc, id desc"
)
MOTIVO, MENSAGENS = "autorizacao_revisoes.motivo", "autorizacao_revisoes.mensagens"
_APAGADO: Final = "(apagado a pedido)"
_STANDING: Final = (
    "select distinct on (autorizacao_id) autorizacao_id, decisao_final from autorizacao_revisoes "
    "where tenant_id = %s and autorizacao_id = any(%s) order by autorizacao_id, decidida_em desc, id desc"
)
_ADD: Final = (
    "insert into autorizacao_revisoes (tenant_id, id, autorizacao_id, decisao_anterior, decisao_final, quantidade_aprovada, motivo, "
    "mensagens, revisor, decidida_em) values (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s)"
)
_IN_THE_CLEAR: Final = (
    "select id, autorizacao_id, motivo, mensagens from autorizacao_revisoes "
    "where tenant_id = %s and autorizacao_id = any(%s) and not starts_with(motivo, 'cs1:')"
)
_SEAL: Final = "update autorizacao_revisoes set motivo = %s, mensagens = %s where tenant_id = %s and id = %s"
# Claims of one person come one after another, so that they are counted.
_TURN: Final = "select pg_advisory_xact_lock(hashtextextended('crivo.reservas:' || %s || ':' || %s, 0))"
_HELD: Final = "select count(*) from autorizacao_reservas where tenant_id = %s and revisor = %s and ate > %s"
# A claim that ran out is anybody's.
_CLAIM: Final = """
    insert into autorizacao_reservas (tenant_id, autorizacao_id, revisor, ate) values (%s, %s, %s, %s)
    on conflict (tenant_id, autorizacao_id) do update set revisor = excluded.revisor, ate = excluded.ate
    where autorizacao_reservas.ate <= %s
    returning revisor"""
_HOLDER: Final = "select autorizacao_id, revisor, ate from autorizacao_reservas where tenant_id = %s and autorizacao_id = %s and ate > %s"
_RELEASE: Final = "delete from autorizacao_reservas where tenant_id = %s and autorizacao_id = %s and revisor = %s and ate > %s"


async def reviews_of(uow: UnitOfWork, autorizacao_id: UUID) -> tuple[Revisao, ...]:
    """The reviews of a decision, the newest first, as anybody is told of them; of an erased one, without reasons and messages."""
    rows = (await uow.connection.exec_driver_sql(_REVIEWS, (uow.scope.tenant_id, autorizacao_id))).all()
    keys = await uow.cofre.keys(uow, [autorizacao_id]) if rows else {}
    return tuple([_revisao(row, keys) for row in rows])


async def standing(uow: UnitOfWork, autorizacao_ids: Sequence[UUID]) -> dict[UUID, DecisaoFinal]:
    """What people decided last over these decisions; those that nobody reviewed are left out."""
    rows = await uow.connection.exec_driver_sql(_STANDING, (uow.scope.tenant_id, list(autorizacao_ids)))
    return {row.autorizacao_id: row.decisao_final for row in rows}


async def add(uow: UnitOfWork, revisao: Revisao) -> None:
    """Keep a review; its words under the key of what it decides over."""
    motivo, mensagens = revisao.motivo, msgspec.json.encode(revisao.mensagens).decode()
    chave = (await uow.cofre.keys(uow, [revisao.autorizacao_id])).get(revisao.autorizacao_id)
    if chave is not None:
        motivo, mensagens = chave.seal_text(_named(MOTIVO, revisao.id), motivo), _sealed_json(chave, revisao.id, mensagens)
    values = (revisao.id, revisao.autorizacao_id, revisao.decisao_anterior, revisao.decisao_final, revisao.quantidade_aprovada)
    more = (motivo, mensagens, revisao.revisor, revisao.decidida_em)
    await uow.connection.exec_driver_sql(_ADD, (uow.scope.tenant_id, *values, *more))


async def seal_again(uow: UnitOfWork, autorizacao_ids: Sequence[UUID]) -> None:
    """Seal the words of reviews that stand in the clear, under the keys that their decisions have by now."""
    rows = (await uow.connection.exec_driver_sql(_IN_THE_CLEAR, (uow.scope.tenant_id, list(autorizacao_ids)))).all()
    keys = await uow.cofre.keys(uow, [row.autorizacao_id for row in rows]) if rows else {}
    for row in rows:
        chave = keys.get(row.autorizacao_id)
        if chave is not None:
            mensagens = _sealed_json(chave, row.id, msgspec.json.encode(row.mensagens).decode())
            motivo = chave.seal_text(_named(MOTIVO, row.id), row.motivo)
            await uow.connection.exec_driver_sql(_SEAL, (motivo, mensagens, uow.scope.tenant_id, row.id))


async def count_held(uow: UnitOfWork, now: datetime) -> int:
    """How many decisions the scope's actor has in hand; until the unit of work ends, they claim no other in another one."""
    await uow.connection.exec_driver_sql(_TURN, (uow.scope.tenant_id, uow.scope.ator))
    return int((await uow.connection.exec_driver_sql(_HELD, (uow.scope.tenant_id, uow.scope.ator, now))).scalar_one())


async def claim(uow: UnitOfWork, autorizacao_id: UUID, ate: datetime, now: datetime) -> bool:
    """Claim a decision for the scope's actor until a moment; False where somebody has it, the actor too."""
    asked = (uow.scope.tenant_id, autorizacao_id, uow.scope.ator, ate, now)
    return (await uow.connection.exec_driver_sql(_CLAIM, asked)).one_or_none() is not None


async def holder(uow: UnitOfWork, autorizacao_id: UUID, now: datetime) -> Reserva | None:
    """Who has a decision in hand, or None."""
    row = (await uow.connection.exec_driver_sql(_HOLDER, (uow.scope.tenant_id, autorizacao_id, now))).one_or_none()
    return None if row is None else Reserva(row.autorizacao_id, row.revisor, row.ate)


async def release(uow: UnitOfWork, autorizacao_id: UUID, revisor: str, now: datetime) -> bool:
    """Let go of what somebody has in hand; False where they do not have it."""
    asked = (uow.scope.tenant_id, autorizacao_id, revisor, now)
    return (await uow.connection.exec_driver_sql(_RELEASE, asked)).rowcount > 0


def _named(nome: str, revisao_id: UUID) -> str:
    return f"{nome}|{revisao_id}"


def _sealed_json(chave: Chave, revisao_id: UUID, mensagens: str) -> str:
    return msgspec.json.encode(chave.seal_text(_named(MENSAGENS, revisao_id), mensagens)).decode()


def _words(row: Row[Any], keys: Mapping[UUID, Chave | None]) -> tuple[str, Mensagens]:
    """Reason and messages as they were written; what was stored before there were keys is as it stands."""
    if row.autorizacao_id not in keys:
        return row.motivo, msgspec.convert(row.mensagens, Mensagens)
    chave = keys[row.autorizacao_id]
    if chave is None:
        return _APAGADO, Mensagens(_APAGADO, _APAGADO)
    mensagens = row.mensagens
    if isinstance(mensagens, str):
        mensagens = msgspec.json.decode(chave.open_text(_named(MENSAGENS, row.id), mensagens))
    return chave.open_text(_named(MOTIVO, row.id), row.motivo), msgspec.convert(mensagens, Mensagens)


def _revisao(row: Row[Any], keys: Mapping[UUID, Chave | None]) -> Revisao:
    motivo, mensagens = _words(row, keys)
    quantidade = None if row.quantidade_aprovada is None else float(row.quantidade_aprovada)
    before: DecisaoFinal = row.decisao_anterior
    after: DecisaoFinal = row.decisao_final
    return Revisao(
        id=row.id,
        autorizacao_id=row.autorizacao_id,
        decisao_anterior=before,
        decisao_final=after,
        quantidade_aprovada=int(quantidade) if quantidade is not None and quantidade.is_integer() else quantidade,
        motivo=motivo,
        mensagens=mensagens,
        revisor=row.revisor,
        decidida_em=row.decidida_em.astimezone(UTC),
    ).encoberta
