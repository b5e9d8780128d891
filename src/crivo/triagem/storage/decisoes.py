"""What people decided of the habilitação of projects, beside what was suggested."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from sqlalchemy import Row

from crivo.kernel.storage.session import UnitOfWork
from crivo.triagem.achados import HabilitacaoSugerida
from crivo.triagem.guardados import DecisaoHabilitacao

_SET_ASIDE: Final = """
    insert into habilitacao_decisoes_anteriores (tenant_id, id, projeto_id, decisao, sugestao, motivo, decidido_por, decidido_em)
    select tenant_id, %s, projeto_id, decisao, sugestao, motivo, decidido_por, decidido_em
    from habilitacao_decisoes where tenant_id = %s and projeto_id = %s for update"""
_KEEP: Final = """
    insert into habilitacao_decisoes (tenant_id, projeto_id, decisao, sugestao, motivo, decidido_por, decidido_em)
    values (%s, %s, %s, %s, %s, %s, %s) on conflict do nothing"""
_REPLACE: Final = """
    update habilitacao_decisoes set decisao = %s, sugestao = %s, motivo = %s, decidido_por = %s, decidido_em = %s
    where tenant_id = %s and projeto_id = %s"""
_OF: Final = """
    select p.codigo, d.decisao, d.sugestao, d.motivo, d.decidido_por, d.decidido_em
    from habilitacao_decisoes d join projetos p on p.tenant_id = d.tenant_id and p.id = d.projeto_id
    where d.tenant_id = %s and p.edital_id = %s and p.retirado_em is null"""
_BEFORE: Final = """
    select p.codigo, d.decisao, d.sugestao, d.motivo, d.decidido_por, d.decidido_em
    from habilitacao_decisoes_anteriores d join projetos p on p.tenant_id = d.tenant_id and p.id = d.projeto_id
    where d.tenant_id = %s and p.edital_id = %s and p.retirado_em is null"""
_COUNT: Final = """
    select count(*) from habilitacao_decisoes d join projetos p on p.tenant_id = d.tenant_id and p.id = d.projeto_id
    where d.tenant_id = %s and p.edital_id = %s and p.retirado_em is null"""


async def keep(
    uow: UnitOfWork,
    anterior_id: UUID,
    projeto_id: UUID,
    decisao: HabilitacaoSugerida,
    sugestao: HabilitacaoSugerida | None,
    motivo: str,
    por: UUID,
    em: datetime,
) -> None:
    """Keep a decision; the one that was there is set aside whole, under `anterior_id`."""
    of, decided = (uow.scope.tenant_id, projeto_id), (decisao, sugestao, motivo, por, em)
    if (await uow.connection.exec_driver_sql(_KEEP, (*of, *decided))).rowcount:
        return
    await uow.connection.exec_driver_sql(_SET_ASIDE, (anterior_id, *of))
    await uow.connection.exec_driver_sql(_REPLACE, (*decided, *of))


async def decisions_of(uow: UnitOfWork, edital_id: UUID, projetos: Sequence[UUID] | None = None) -> Mapping[str, DecisaoHabilitacao]:
    """The decisions of an edital by the project's code; of some of its projects alone where they are named."""
    only, which = ("", ()) if projetos is None else ("and p.id = any(%s)", (list(projetos),))
    given = (uow.scope.tenant_id, edital_id, *which)
    earlier: dict[str, list[DecisaoHabilitacao]] = {}
    for row in await uow.connection.exec_driver_sql(f"{_BEFORE} {only} order by d.decidido_em desc, d.id desc", given):
        earlier.setdefault(row.codigo, []).append(_decisao(row))
    rows = await uow.connection.exec_driver_sql(f"{_OF} {only}", given)
    return {row.codigo: _decisao(row, tuple(earlier.get(row.codigo, ()))) for row in rows}


async def count_decisions(uow: UnitOfWork, edital_id: UUID) -> int:
    """How many projects of an edital a person decided on."""
    return int((await uow.connection.exec_driver_sql(_COUNT, (uow.scope.tenant_id, edital_id))).scalar_one())


def _decisao(row: Row[Any], anteriores: tuple[DecisaoHabilitacao, ...] = ()) -> DecisaoHabilitacao:
    return DecisaoHabilitacao(row.codigo, row.decisao, row.sugestao, row.motivo, row.decidido_por, row.decidido_em, anteriores)
