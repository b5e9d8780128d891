"""What the queue knows of each decision that waits: written with the decision, read for all of them at once.

What it is about (the beneficiário's number, the procedure) is sealed under the decision's own key, and opened where words are searched for
or a line is shown.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import Any, Final
from uuid import UUID

import msgspec

from crivo.autorizacoes.contracts import DecisaoFinal
from crivo.autorizacoes.fichas import ASSUNTO, Dizeres
from crivo.autorizacoes.revisao.calendarios import Calendarios
from crivo.autorizacoes.revisao.contracts import NaFila, PorHora, Reserva
from crivo.autorizacoes.revisao.prazos import prazo_ou_nenhum
from crivo.autorizacoes.revisao.storage.espera import ESPERA
from crivo.autorizacoes.revisao.storage.substituidas import replaced
from crivo.kernel.storage.session import UnitOfWork

# One text for all: ten thousand rows of their own would take longer to be received than to be found.
_FILA: Final = f"""
    select coalesce(json_agg(json_build_array(
        a.id, a.pedido_id, a.administradora_id, a.decisao_final, extract(epoch from a.recebida_em), a.urgente,
        f.tipo, f.plano_id, f.regra_id, coalesce(f.motivos, '{{}}'), r.revisor, extract(epoch from r.ate),
        d.responsavel, extract(epoch from d.desde))), '[]')::text
    from autorizacoes a
    left join autorizacao_fichas f on f.tenant_id = a.tenant_id and f.autorizacao_id = a.id
    left join autorizacao_reservas r on r.tenant_id = a.tenant_id and r.autorizacao_id = a.id and r.ate > %s
    left join autorizacao_responsaveis d on d.tenant_id = a.tenant_id and d.autorizacao_id = a.id and d.responsavel is not null
    where a.tenant_id = %s and {ESPERA}"""
# Hours of the clock are whole in each of Brazil's: a sum by the hour is a sum by the day, wherever that begins.
_POR_HORA: Final = f"""
    select date_trunc('hour', a.recebida_em) as hora, a.urgente, f.tipo, a.administradora_id, d.responsavel, count(*) as quantas
    from autorizacoes a
    left join autorizacao_fichas f on f.tenant_id = a.tenant_id and f.autorizacao_id = a.id
    left join autorizacao_responsaveis d on d.tenant_id = a.tenant_id and d.autorizacao_id = a.id and d.responsavel is not null
    where a.tenant_id = %s and a.id <> all(%s::uuid[]) and {ESPERA} group by 1, 2, 3, 4, 5"""
_SEM_FICHA: Final = f"""
    select a.id from autorizacoes a
    join chaves_de_pessoas c on c.tenant_id = a.tenant_id and c.id = a.id and c.destruida_em is null
    where a.tenant_id = %s and {ESPERA}
      and not exists (select 1 from autorizacao_fichas f where f.tenant_id = a.tenant_id and f.autorizacao_id = a.id)
    order by a.id limit %s"""
_ASSUNTOS: Final = """
    select f.autorizacao_id::text as id, k.embrulhada, f.assunto from autorizacao_fichas f
    join chaves_de_pessoas k on k.tenant_id = f.tenant_id and k.id = f.autorizacao_id and k.destruida_em is null
    where f.tenant_id = %s and f.autorizacao_id = any(%s)"""
_TODOS: Final = f"""
    select f.autorizacao_id::text as id, c.embrulhada, f.assunto from autorizacoes a
    join autorizacao_fichas f on f.tenant_id = a.tenant_id and f.autorizacao_id = a.id
    join chaves_de_pessoas c on c.tenant_id = a.tenant_id and c.id = a.id and c.destruida_em is null
    where a.tenant_id = %s and {ESPERA}"""
_AMONG: Final = f"""
    select a.id, a.urgente, f.tipo from autorizacoes a
    left join autorizacao_fichas f on f.tenant_id = a.tenant_id and f.autorizacao_id = a.id
    where a.tenant_id = %s and a.id = any(%s) and {ESPERA}"""


class _Linha(msgspec.Struct, frozen=True, array_like=True, gc=False):
    id: UUID
    pedido_id: str | None
    administradora_id: str | None
    decisao_final: DecisaoFinal
    recebida: float
    urgente: bool
    tipo: str | None
    plano_id: str | None
    regra_id: str | None
    motivos: tuple[str, ...]
    revisor: str | None
    ate: float | None
    responsavel: str | None
    desde: float | None


_DECODE: Final = msgspec.json.Decoder(list[_Linha]).decode
_DIZERES: Final = msgspec.msgpack.Decoder(Dizeres).decode


async def without_ficha(uow: UnitOfWork, limite: int) -> list[UUID]:
    """Decisions that wait and were stored before there were fichas, the oldest first."""
    return list((await uow.connection.exec_driver_sql(_SEM_FICHA, (uow.scope.tenant_id, limite))).scalars())


async def read_fila(uow: UnitOfWork, now: datetime, calendarios: Calendarios) -> list[NaFila]:
    """All decisions that wait for a person, in the order of the queue; those that a later message replaced wait no more."""
    fora = await replaced(uow)
    async with _once_through(uow):
        told = (await uow.connection.exec_driver_sql(_FILA, (now, uow.scope.tenant_id))).scalar_one()
    return sorted([_na_fila(one, calendarios) for one in _DECODE(told) if one.id not in fora], key=lambda one: one.vez)


async def by_hour(uow: UnitOfWork) -> list[PorHora]:
    """How many wait, by all that a deadline is counted from and by whose they are."""
    fora = list(await replaced(uow))
    async with _once_through(uow):
        rows = (await uow.connection.exec_driver_sql(_POR_HORA, (uow.scope.tenant_id, fora))).all()
    return [PorHora(row.hora, row.urgente, row.tipo, row.administradora_id, row.responsavel or "", row.quantas) for row in rows]


async def dizeres_of(uow: UnitOfWork, ids: Sequence[UUID]) -> dict[UUID, Dizeres]:
    """What these decisions are about; erased ones, and those without a ficha, are left out."""
    return _opened(uow, (await uow.connection.exec_driver_sql(_ASSUNTOS, (uow.scope.tenant_id, list(ids)))).all())


async def dizeres_of_fila(uow: UnitOfWork) -> dict[UUID, Dizeres]:
    """What all are about that wait for a person."""
    async with _once_through(uow):
        return _opened(uow, (await uow.connection.exec_driver_sql(_TODOS, (uow.scope.tenant_id,))).all())


def _opened(uow: UnitOfWork, rows: Sequence[Any]) -> dict[UUID, Dizeres]:
    kept = [(one, embrulhada, assunto) for one, embrulhada, assunto in rows]
    opened = uow.cofre.open_each(uow.scope.tenant_id, ASSUNTO, kept)
    return {UUID(one): _DIZERES(plain) for (one, _, _), plain in zip(kept, opened, strict=True)}


async def waiting_among(uow: UnitOfWork, ids: Sequence[UUID]) -> dict[UUID, tuple[bool, str | None]]:
    """Of these decisions those that wait for a person: whether each is urgent, and of which kind its attendance is."""
    rows = (await uow.connection.exec_driver_sql(_AMONG, (uow.scope.tenant_id, list(ids)))).all()
    fora = await replaced(uow) if rows else frozenset()
    return {row.id: (row.urgente, row.tipo) for row in rows if row.id not in fora}


@asynccontextmanager
async def _once_through(uow: UnitOfWork) -> AsyncIterator[None]:
    """Statements that go through all that waits, each table once: what has just come is in no statistics yet, and the server would go
    through a table again for each decision.
    """
    await uow.connection.exec_driver_sql("set local enable_nestloop = off")
    yield
    await uow.connection.exec_driver_sql("set local enable_nestloop = on")


def _na_fila(one: _Linha, calendarios: Calendarios) -> NaFila:
    recebida = datetime.fromtimestamp(one.recebida, UTC)
    prazo = prazo_ou_nenhum(recebida, urgente=one.urgente, tipo=one.tipo, calendario=calendarios.de(one.administradora_id))
    return NaFila(
        id=one.id,
        pedido_id=one.pedido_id,
        administradora_id=one.administradora_id,
        decisao_final=one.decisao_final,
        recebida_em=recebida,
        urgente=one.urgente,
        tipo=one.tipo,
        plano_id=one.plano_id,
        regra_id=one.regra_id,
        motivos=one.motivos,
        prazo=prazo,
        reserva=None if one.revisor is None or one.ate is None else Reserva(one.id, one.revisor, datetime.fromtimestamp(one.ate, UTC)),
        responsavel=one.responsavel or "",
        desde=None if one.desde is None else datetime.fromtimestamp(one.desde, UTC),
    )
