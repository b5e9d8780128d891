"""Draws of who judges as they were made, by the act that gave what was drawn: kept whole, so that they can be made again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final
from uuid import UUID

import msgspec
from sqlalchemy import Row

from crivo.kernel.storage.session import UnitOfWork
from crivo.triagem.distribuicao.guardados import SorteioGuardado
from crivo.triagem.distribuicao.sorteio import Entrada
from crivo.triagem.storage.editais import to_json

_ADD: Final = """
    insert into sorteios (tenant_id, ato_id, alvo, por_projeto, semente, entrada, entrada_resumo, pares_resumo)
    values (%s, %s, %s, %s, %s, %s, %s, %s)"""
_LAST: Final = """
    select s.ato_id, s.alvo, s.por_projeto, s.entrada, s.entrada_resumo, s.pares_resumo from sorteios s
    join atribuicao_atos t on t.tenant_id = s.tenant_id and t.id = s.ato_id
    where s.tenant_id = %(tenant)s and t.edital_id = %(edital)s and s.alvo = any(%(alvos)s)
        and (%(ato)s::uuid is null or s.ato_id = %(ato)s::uuid)
    order by t.feito_em desc, t.id desc limit 1"""
_SEMENTES: Final = "select ato_id, semente from sorteios where tenant_id = %s and ato_id = any(%s)"
_WANTED: Final = """
    select s.por_projeto from sorteios s join atribuicao_atos t on t.tenant_id = s.tenant_id and t.id = s.ato_id
    where s.tenant_id = %s and t.edital_id = %s and s.alvo = 'edital'
        and exists (select from atribuicoes a where a.tenant_id = t.tenant_id and a.ato_id = t.id)
    order by t.feito_em desc, t.id desc limit 1"""
_TAKEN: Final = """
    select distinct p.codigo, t.avaliador_id from atribuicoes_tiradas t join projetos p on p.tenant_id = t.tenant_id and p.id = t.projeto_id
    where t.tenant_id = %s and p.edital_id = %s and p.retirado_em is null"""
_PROJETOS: Final = """
    select p.id, p.codigo, p.categoria from projetos p left join habilitacao_decisoes d on d.tenant_id = p.tenant_id and d.projeto_id = p.id
    where p.tenant_id = %s and p.edital_id = %s and p.retirado_em is null and coalesce(d.decisao, '') <> 'inabilitado'
        and not (p.chave is not null and p.conteudo is null) order by p.ordem, p.codigo"""
_ENTRADA: Final = msgspec.json.Decoder(Entrada)


async def keep(uow: UnitOfWork, sorteio: SorteioGuardado) -> None:
    """Keep a draw beside its act, which is there already."""
    values = (
        uow.scope.tenant_id,
        sorteio.ato_id,
        sorteio.alvo,
        sorteio.por_projeto,
        sorteio.entrada.semente,
        to_json(sorteio.entrada),
        sorteio.entrada_resumo,
        sorteio.pares_resumo,
    )
    await uow.connection.exec_driver_sql(_ADD, values)


async def find(uow: UnitOfWork, edital_id: UUID, ato_id: UUID | None, alvos: Sequence[str] = ("edital", "outra")) -> SorteioGuardado | None:
    """A draw of an edital by its act; without one, the last."""
    values = {"tenant": uow.scope.tenant_id, "edital": edital_id, "ato": ato_id, "alvos": list(alvos)}
    row = (await uow.connection.exec_driver_sql(_LAST, values)).one_or_none()
    return None if row is None else _sorteio(row)


async def sementes_of(uow: UnitOfWork, atos: Sequence[UUID]) -> Mapping[UUID, str]:
    """The sementes of those of these acts that were draws."""
    rows = await uow.connection.exec_driver_sql(_SEMENTES, (uow.scope.tenant_id, list(atos)))
    return {row.ato_id: row.semente for row in rows}


async def wanted_of(uow: UnitOfWork, edital_id: UUID) -> int | None:
    """How many people a project was to have by the last draw for the whole edital of which anything is given still; None before one."""
    found: int | None = (await uow.connection.exec_driver_sql(_WANTED, (uow.scope.tenant_id, edital_id))).scalar_one_or_none()
    return found


async def taken_of(uow: UnitOfWork, edital_id: UUID) -> list[tuple[str, UUID]]:
    """From whom which projects in force were taken once, by the project's code."""
    rows = await uow.connection.exec_driver_sql(_TAKEN, (uow.scope.tenant_id, edital_id))
    return [(row.codigo, row.avaliador_id) for row in rows]


async def drawable_of(uow: UnitOfWork, edital_id: UUID) -> dict[str, tuple[UUID, str]]:
    """The projects that may be drawn, in their order: neither withdrawn, erased, nor left out by a person; id and categoria by code."""
    rows = await uow.connection.exec_driver_sql(_PROJETOS, (uow.scope.tenant_id, edital_id))
    return {row.codigo: (row.id, row.categoria) for row in rows}


def _sorteio(row: Row[Any]) -> SorteioGuardado:
    return SorteioGuardado(row.ato_id, row.alvo, row.por_projeto, _ENTRADA.decode(row.entrada), row.entrada_resumo, row.pares_resumo)
