"""Published results: kept as they went out, never changed and never taken away."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final
from uuid import UUID

from sqlalchemy import Row

from crivo.kernel.storage.session import UnitOfWork
from crivo.triagem.publicacao.guardados import Publicada, Versao
from crivo.triagem.seladas import RESULTADOS_PUBLICADOS

_COLUMNS: Final = """e.codigo as edital, r.versao, r.fase, r.codigo, r.sha256, r.semente, r.motivo, r.recursos_ate,
    r.publicado_por, r.publicado_em"""
_FROM: Final = "resultados_publicados r join editais e on e.tenant_id = r.tenant_id and e.id = r.edital_id where r.tenant_id = %(tenant)s"
_ADD: Final = f"""
    insert into resultados_publicados (
        tenant_id, edital_id, versao, fase, codigo, sha256, escrito, semente, motivo, recursos_ate, publicado_por, publicado_em)
    values (%(tenant)s, %(edital)s, %(versao)s, %(fase)s, %(codigo)s, %(sha256)s, %(escrito)s, %(semente)s, %(motivo)s,
        %(recursos_ate)s, %(por)s, %(em)s)
    returning {", ".join(RESULTADOS_PUBLICADOS.columns)}"""


async def add(uow: UnitOfWork, edital_id: UUID, publicada: Publicada, escrito: bytes) -> dict[str, str]:
    """Keep a version; the edital is locked. Its seal comes back, by its row."""
    values = {
        "tenant": uow.scope.tenant_id,
        "edital": edital_id,
        "versao": publicada.versao,
        "fase": publicada.fase,
        "codigo": publicada.codigo,
        "sha256": publicada.sha256,
        "escrito": escrito,
        "semente": publicada.semente,
        "motivo": publicada.motivo,
        "recursos_ate": publicada.recursos_ate,
        "por": publicada.publicada_por,
        "em": publicada.publicada_em,
    }
    row = (await uow.connection.exec_driver_sql(_ADD, values)).one()
    return dict([RESULTADOS_PUBLICADOS.seal_of(row)])


async def versions_of(uow: UnitOfWork, edital_id: UUID) -> tuple[Publicada, ...]:
    """Every version of an edital, the newest first."""
    values = {"tenant": uow.scope.tenant_id, "edital": edital_id}
    rows = await uow.connection.exec_driver_sql(
        f"select {_COLUMNS} from {_FROM} and r.edital_id = %(edital)s order by r.versao desc", values
    )
    return tuple([_publicada(row) for row in rows])


async def semente_of(uow: UnitOfWork, edital_id: UUID) -> str | None:
    """What the published results of an edital were drawn with; None where none is published."""
    found = await uow.connection.exec_driver_sql(
        "select semente from resultados_publicados where tenant_id = %s and edital_id = %s order by versao limit 1",
        (uow.scope.tenant_id, edital_id),
    )
    semente: str | None = found.scalar_one_or_none()
    return semente


async def find(uow: UnitOfWork, edital_id: UUID, versao: int) -> Versao | None:
    """A version of an edital, whole."""
    return await _find(uow, "r.edital_id = %(edital)s and r.versao = %(versao)s", {"edital": edital_id, "versao": versao})


async def find_by_codigo(uow: UnitOfWork, codigo: str) -> Versao | None:
    """The version of a code, whole."""
    return await _find(uow, "r.codigo = %(codigo)s", {"codigo": codigo})


async def all_of_tenant(uow: UnitOfWork, limite: int) -> tuple[tuple[Publicada, str], ...]:
    """What a tenant published, each with the name of its edital, the newest first, at most so many."""
    rows = await uow.connection.exec_driver_sql(
        f"select {_COLUMNS}, e.nome from {_FROM} order by r.publicado_em desc, r.versao desc limit %(limite)s",
        {"tenant": uow.scope.tenant_id, "limite": limite},
    )
    return tuple([(_publicada(row), row.nome) for row in rows])


async def _find(uow: UnitOfWork, where: str, values: dict[str, object]) -> Versao | None:
    statement = f"select {_COLUMNS}, r.escrito from {_FROM} and {where}"
    row = (await uow.connection.exec_driver_sql(statement, {"tenant": uow.scope.tenant_id, **values})).one_or_none()
    return None if row is None else Versao(_publicada(row), bytes(row.escrito))


def _publicada(row: Row[Any]) -> Publicada:
    em: datetime = row.publicado_em
    return Publicada(
        row.edital,
        row.versao,
        row.fase,
        row.codigo,
        row.sha256,
        row.semente,
        row.motivo,
        row.recursos_ate,
        row.publicado_por,
        em,
    )
