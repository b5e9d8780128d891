"""The cases of an edital as an execução makes them: numbered for ever, and found again in the next one.

What set a case off is kept as keyed digests. A case holds no word of a project: its signs stand where the execução put them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from crivo.kernel.storage.session import UnitOfWork
from crivo.triagem.casos.achado import CasoAchado
from crivo.triagem.casos.agrupar import casos_of
from crivo.triagem.casos.reencontro import Marca, match_casos
from crivo.triagem.storage import sinais

# The screening that looked for signs last, and whether its cases are made.
_LAST: Final = """
    select id, casos_feitos from triagem_ia_execucoes
    where tenant_id = %s and edital_id = %s and status = 'concluida' and tipo in ('irregularidades', 'completa')
    order by concluida_em desc, id desc limit 1"""
_MADE: Final = "update triagem_ia_execucoes set casos_feitos = true where tenant_id = %s and id = %s"
_IN_TURN: Final = "select pg_advisory_xact_lock(hashtextextended('triagem_casos|' || %s::text, 0))"
_KNOWN: Final = "select id, numero, familia, chave, pistas from triagem_casos where tenant_id = %s and edital_id = %s order by numero"
_ADD: Final = """
    insert into triagem_casos (tenant_id, id, edital_id, numero, familia, chave, pistas, titulo, gravidade, tipos, projetos, execucao_id,
        ordens, presente, criado_em)
    values (%(tenant)s, %(id)s, %(edital)s, %(numero)s, %(familia)s, %(chave)s, %(pistas)s::bytea[], %(titulo)s, %(gravidade)s, %(tipos)s,
        %(projetos)s, %(execucao)s, %(ordens)s, true, %(em)s)"""
_FOUND_AGAIN: Final = """
    update triagem_casos set chave = %(chave)s, pistas = %(pistas)s::bytea[], titulo = %(titulo)s, gravidade = %(gravidade)s,
        tipos = %(tipos)s, projetos = %(projetos)s, execucao_id = %(execucao)s, ordens = %(ordens)s, presente = true
    where tenant_id = %(tenant)s and id = %(id)s"""
# The signs of an execução that is closed once more are others now.
_GONE: Final = """
    update triagem_casos set presente = false, ordens = case when execucao_id = %s then '{}' else ordens end
    where tenant_id = %s and id = any(%s)"""


async def renew(uow: UnitOfWork, edital_id: UUID, execucao_id: UUID, new_id: Callable[[], UUID], em: datetime) -> None:
    """Make the cases of an edital of what an execução found: those that were there keep their number and what people said of them."""
    tenant = uow.scope.tenant_id
    placed = await sinais.load_placed(uow, execucao_id)
    achados = await asyncio.to_thread(casos_of, [one for _, one in placed])
    marcas = [_marca(uow, one) for one in achados]
    await uow.connection.exec_driver_sql(_IN_TURN, (edital_id,))
    rows = (await uow.connection.exec_driver_sql(_KNOWN, (tenant, edital_id))).all()
    known = [(row.id, Marca(row.familia, bytes(row.chave), frozenset(map(bytes, row.pistas)))) for row in rows]
    same = match_casos(known, marcas)
    values = [
        {"tenant": tenant, "edital": edital_id, "execucao": execucao_id, "em": em, **_columns(one, marca)}
        | {"ordens": [placed[lugar][0] for lugar in one.lugares]}
        for one, marca in zip(achados, marcas, strict=True)
    ]
    last = max((row.numero for row in rows), default=0)
    new = [its | {"id": new_id()} for at, its in enumerate(values) if at not in same]
    gone = sorted({row.id for row in rows} - set(same.values()))
    if same:
        await uow.connection.exec_driver_sql(_FOUND_AGAIN, [values[at] | {"id": which} for at, which in same.items()])
    if gone:
        await uow.connection.exec_driver_sql(_GONE, (execucao_id, tenant, gone))
    if new:
        await uow.connection.exec_driver_sql(_ADD, [its | {"numero": last + at} for at, its in enumerate(new, 1)])
    await uow.connection.exec_driver_sql(_MADE, (tenant, execucao_id))


async def ensure(uow: UnitOfWork, edital_id: UUID, new_id: Callable[[], UUID], em: datetime) -> bool:
    """Make the cases of an edital that was screened before there were cases; False where no screening ever looked for signs."""
    last = (await uow.connection.exec_driver_sql(_LAST, (uow.scope.tenant_id, edital_id))).one_or_none()
    if last is not None and not last.casos_feitos:
        await renew(uow, edital_id, last.id, new_id, em)
    return last is not None


def _columns(one: CasoAchado, marca: Marca) -> dict[str, Any]:
    return {
        "familia": one.familia,
        "chave": marca.chave,
        "pistas": sorted(marca.pistas),
        "titulo": one.titulo,
        "gravidade": one.gravidade,
        "tipos": list(one.tipos),
        "projetos": list(one.projetos),
    }


def _marca(uow: UnitOfWork, one: CasoAchado) -> Marca:
    return Marca(one.familia, _digest(uow, one.causa), frozenset({_digest(uow, pista) for pista in one.pistas}))


def _digest(uow: UnitOfWork, causa: str) -> bytes:
    return uow.cofre.index(uow.scope.tenant_id, "caso", causa) or b""
