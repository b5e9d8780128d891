"""The rows of lotes: each is there before anything is sent, so that nothing is sent twice, and counts as spent until it ends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any, Final, Literal
from uuid import UUID

import msgspec
from sqlalchemy import Row

from crivo.kernel.storage.session import UnitOfWork

Estado = Literal["por_enviar", "enviando", "enviado", "recolhido", "vencido", "cancelado", "recusado"]
_COLUMNS: Final = (
    "id, origem, sobre, modelo, estado, enviando_desde, provedor_id, enviado_em, perguntas, respondidas, recolhidas, custo_previsto, "
    "created_at, encerrado_em"
)

_SELECT: Final = f"select {_COLUMNS} from modelo_lotes where tenant_id = %s"  # noqa: S608 - constants alone


@dataclass(frozen=True, slots=True)
class Lote:
    """A row of `modelo_lotes`. `origem` is what it is paid for and `sobre` the ids of what its questions are about.

    Of `perguntas` that were sent, `respondidas` are by the service's word, and of `recolhidas` the answers are kept; `custo_previsto` in
    dollars counts as spent until `encerrado_em`.
    """

    id: UUID
    origem: str
    sobre: tuple[str, ...]
    modelo: str
    estado: Estado
    enviando_desde: datetime | None
    provedor_id: str | None
    enviado_em: datetime | None
    perguntas: int
    respondidas: int
    recolhidas: int
    custo_previsto: Decimal
    created_at: datetime
    encerrado_em: datetime | None


async def insert(uow: UnitOfWork, lote_id: UUID, origem: str, sobre: Sequence[str], modelo: str, em: datetime) -> None:
    """Note that a lote is to be sent."""
    await uow.connection.exec_driver_sql(
        "insert into modelo_lotes (tenant_id, id, origem, sobre, modelo, created_at) values (%s, %s, %s, %s::jsonb, %s, %s)",
        (uow.scope.tenant_id, lote_id, origem, msgspec.json.encode(list(sobre)).decode(), modelo, em),
    )


async def find(uow: UnitOfWork, lote_id: UUID, *, lock: bool = False) -> Lote | None:
    """The lote of that id, or None; locked, nobody else changes it until the unit of work ends."""
    found = await uow.connection.exec_driver_sql(
        f"{_SELECT} and id = %s{' for update' if lock else ''}",
        (uow.scope.tenant_id, lote_id),
    )
    row = found.one_or_none()
    return None if row is None else _lote(row)


async def of_origem(uow: UnitOfWork, origem: str) -> tuple[Lote, ...]:
    """The lotes that are paid for by one origem, the oldest first."""
    rows = await uow.connection.exec_driver_sql(f"{_SELECT} and origem = %s order by created_at, id", (uow.scope.tenant_id, origem))
    return tuple(_lote(row) for row in rows)


async def claim(uow: UnitOfWork, lote_id: UUID, perguntas: int, custo: Decimal, em: datetime) -> None:
    """Note that so many questions are on their way, and what they may cost."""
    await uow.connection.exec_driver_sql(
        "update modelo_lotes set estado = 'enviando', enviando_desde = %s, perguntas = %s, custo_previsto = %s "
        "where tenant_id = %s and id = %s",
        (em, perguntas, custo, uow.scope.tenant_id, lote_id),
    )


async def unclaim(uow: UnitOfWork, lote_id: UUID) -> None:
    """Note that nothing was sent after all."""
    await uow.connection.exec_driver_sql(
        "update modelo_lotes set estado = 'por_enviar', enviando_desde = null, custo_previsto = 0 "
        "where tenant_id = %s and id = %s and estado = 'enviando'",
        (uow.scope.tenant_id, lote_id),
    )


async def mark_sent(uow: UnitOfWork, lote_id: UUID, provedor_id: str, em: datetime) -> None:
    """Note the service's own name of a lote that it has taken."""
    await uow.connection.exec_driver_sql(
        "update modelo_lotes set estado = 'enviado', provedor_id = %s, enviado_em = coalesce(enviado_em, %s) "
        "where tenant_id = %s and id = %s and encerrado_em is null",
        (provedor_id, em, uow.scope.tenant_id, lote_id),
    )


async def note_answered(uow: UnitOfWork, lote_id: UUID, respondidas: int) -> None:
    """Note how many questions the service has answered."""
    await uow.connection.exec_driver_sql(
        "update modelo_lotes set respondidas = %s where tenant_id = %s and id = %s and respondidas <> %s",
        (respondidas, uow.scope.tenant_id, lote_id, respondidas),
    )


async def close(uow: UnitOfWork, lote_id: UUID, estado: Estado, recolhidas: int, em: datetime) -> None:
    """Note how a lote ended; what it cost is in the ledger by now."""
    await uow.connection.exec_driver_sql(
        "update modelo_lotes set estado = %s, recolhidas = %s, encerrado_em = %s where tenant_id = %s and id = %s and encerrado_em is null",
        (estado, recolhidas, em, uow.scope.tenant_id, lote_id),
    )


def _lote(row: Row[Any]) -> Lote:
    values = row._asdict()
    return Lote(**{**values, "sobre": tuple(values["sobre"]), "custo_previsto": Decimal(values["custo_previsto"])})
