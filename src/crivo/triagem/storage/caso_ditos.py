"""What people said of cases: only ever added to, in the order in which it was said, and sealed under the keys of the case's projects."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from uuid import UUID

import msgspec
from sqlalchemy import Row

from crivo.kernel.access import names_of_usuarios
from crivo.kernel.sigilo import Chave, DadosApagados, open_under_all, seal_under_all
from crivo.kernel.storage.session import UnitOfWork
from crivo.triagem.casos.guardados import Caso, Dito, SituacaoCaso, TipoDito
from crivo.triagem.storage.chaves import Posse, hold_some, living, open_in

_COLUMNS: Final = "d.id, d.caso_id, d.tipo, d.versao, d.situacao, d.dono, d.tipos, d.projetos, d.chaves, d.selado, d.por, d.em"
_OF: Final = f"select {_COLUMNS} from triagem_caso_ditos d where d.tenant_id = %s and d.caso_id = any(%s) order by d.em, d.id"
_ADD: Final = """
    insert into triagem_caso_ditos (tenant_id, id, caso_id, tipo, versao, situacao, dono, tipos, projetos, chaves, selado, por, em)
    values (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)"""


@dataclass(frozen=True, slots=True, kw_only=True)
class NovoDito:
    """Something to be added to what was said of a case; decisions, and what takes them back, have the `versao` that they make."""

    id: UUID
    tipo: TipoDito
    por: UUID
    em: datetime
    texto: str = ""
    versao: int | None = None
    situacao: SituacaoCaso | None = None
    dono: UUID | None = None


async def hold_keys(uow: UnitOfWork, edital_id: UUID, projetos: Sequence[str]) -> Mapping[UUID, Chave]:
    """The keys of the projects of a case that are left, held until the unit of work ends: whoever erases waits.

    Raises DadosApagados where none of its projects is left.
    """
    posses: Sequence[Posse] = list((await hold_some(uow, edital_id, projetos)).values())
    donas = {posse.dona.id: posse.dona.chave for posse in posses if posse.dona is not None}
    if not donas:
        raise DadosApagados
    return donas


async def add(uow: UnitOfWork, caso: Caso, novo: NovoDito, donas: Mapping[UUID, Chave]) -> None:
    """Add it, its text under all of these keys."""
    ids = sorted(donas)
    sealed = seal_under_all([donas[one] for one in ids], _named(novo.id), novo.texto.encode()) if novo.texto else None
    await uow.connection.exec_driver_sql(
        _ADD,
        (
            uow.scope.tenant_id,
            novo.id,
            caso.id,
            novo.tipo,
            novo.versao,
            novo.situacao,
            novo.dono,
            list(caso.tipos),
            list(caso.projetos),
            ids if sealed is not None else [],
            sealed,
            novo.por,
            novo.em,
        ),
    )


async def said_of(uow: UnitOfWork, casos: Sequence[Caso]) -> tuple[Caso, ...]:
    """The same cases, with all that was said of them."""
    if not casos:
        return ()
    rows = (await uow.connection.exec_driver_sql(_OF, (uow.scope.tenant_id, [one.id for one in casos]))).all()
    nomes = await names_of_usuarios(uow, {one for row in rows for one in (row.por, row.dono) if one is not None})
    keys = await living(uow, (one for row in rows for one in row.chaves))
    of: dict[UUID, list[Row[Any]]] = {}
    for row in rows:
        of.setdefault(row.caso_id, []).append(row)
    return tuple([_with(one, of[one.id], nomes, keys) if one.id in of else one for one in casos])


def _with(caso: Caso, rows: Sequence[Row[Any]], nomes: Mapping[UUID, str], keys: Mapping[UUID, Chave]) -> Caso:
    told = msgspec.structs.replace(caso, historia=tuple([_dito(row, nomes, keys) for row in rows]))
    return msgspec.structs.replace(told, dono_nome=nomes.get(told.dono, "")) if told.dono is not None else told


def _dito(row: Row[Any], nomes: Mapping[UUID, str], keys: Mapping[UUID, Chave]) -> Dito:
    texto: str | None = ""
    if row.selado is not None:
        having = open_in(keys, row.chaves)
        texto = None if having is None else open_under_all(having, _named(row.id), bytes(row.selado)).decode()
    return Dito(
        id=row.id,
        tipo=row.tipo,
        situacao=row.situacao,
        texto=texto,
        dono=row.dono,
        tipos=tuple(row.tipos),
        projetos=tuple(row.projetos),
        por=row.por,
        por_nome=nomes.get(row.por, ""),
        em=row.em,
    )


def _named(dito_id: UUID) -> str:
    return f"triagem_caso_ditos.selado|{dito_id}"
