"""What people decided of the habilitação of projects, beside what was suggested."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from sqlalchemy import Row

from crivo.kernel.storage.session import UnitOfWork
from crivo.triagem.achados import HabilitacaoSugerida
from crivo.triagem.edital import Value


class DecisaoHabilitacao(Value, frozen=True):
    """A person's decision on one project; `sugestao` is what was suggested when they decided, None where nothing was."""

    projeto_id: str
    decisao: HabilitacaoSugerida
    sugestao: HabilitacaoSugerida | None
    motivo: str
    decidido_por: UUID
    decidido_em: datetime


_KEEP: Final = """
    insert into habilitacao_decisoes (tenant_id, projeto_id, decisao, sugestao, motivo, decidido_por, decidido_em)
    values (%s, %s, %s, %s, %s, %s, %s)
    on conflict (tenant_id, projeto_id) do update set decisao = excluded.decisao, sugestao = excluded.sugestao,
        motivo = excluded.motivo, decidido_por = excluded.decidido_por, decidido_em = excluded.decidido_em"""
_OF: Final = """
    select p.codigo, d.decisao, d.sugestao, d.motivo, d.decidido_por, d.decidido_em
    from habilitacao_decisoes d join projetos p on p.tenant_id = d.tenant_id and p.id = d.projeto_id
    where d.tenant_id = %s and p.edital_id = %s and p.retirado_em is null"""


async def keep(
    uow: UnitOfWork,
    projeto_id: UUID,
    decisao: HabilitacaoSugerida,
    sugestao: HabilitacaoSugerida | None,
    motivo: str,
    por: UUID,
    em: datetime,
) -> None:
    """Keep a decision, in the place of the one that was there."""
    await uow.connection.exec_driver_sql(_KEEP, (uow.scope.tenant_id, projeto_id, decisao, sugestao, motivo, por, em))


async def decisions_of(uow: UnitOfWork, edital_id: UUID) -> Mapping[str, DecisaoHabilitacao]:
    """The decisions of an edital by the project's code."""
    rows = await uow.connection.exec_driver_sql(_OF, (uow.scope.tenant_id, edital_id))
    return {row.codigo: _decisao(row) for row in rows}


def _decisao(row: Row[Any]) -> DecisaoHabilitacao:
    return DecisaoHabilitacao(row.codigo, row.decisao, row.sugestao, row.motivo, row.decidido_por, row.decidido_em)
