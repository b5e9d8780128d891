"""Rounds in which everybody judges the same projects first: one at a time in an edital, until all sent them or somebody opens the rest."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from sqlalchemy import Row

from crivo.kernel.storage.session import UnitOfWork
from crivo.triagem.distribuicao.guardados import Calibracao

# Somebody was given one of the projects of a round and has not sent every nota of it.
UNSENT: Final = """
    select from atribuicoes u
    join projetos up on up.tenant_id = u.tenant_id and up.id = u.projeto_id and up.retirado_em is null
    join criterios uc on uc.tenant_id = u.tenant_id and uc.edital_id = up.edital_id and uc.retirado_em is null
    where u.tenant_id = b.tenant_id and u.projeto_id = any(b.projetos) and not exists (
        select from avaliacoes uv where uv.tenant_id = u.tenant_id and uv.projeto_id = u.projeto_id and uv.avaliador_id = u.avaliador_id
            and uv.criterio_id = uc.id and uv.enviada_em is not null)"""
# Beside `atribuicoes a` and `projetos p`: the project waits for a round, as its person was given a project of it. Whoever came in since
# waits for nothing.
WAITS: Final = f"""exists (
    select from calibracoes b where b.tenant_id = p.tenant_id and b.edital_id = p.edital_id and b.aberta_em is null
        and b.desfeita_em is null and p.id <> all(b.projetos)
        and exists (select from atribuicoes m where m.tenant_id = a.tenant_id and m.avaliador_id = a.avaliador_id
            and m.projeto_id = any(b.projetos))
        and exists ({UNSENT}))"""
_ADD: Final = """
    insert into calibracoes (tenant_id, id, edital_id, ato_id, projetos, feita_por, feita_em, motivo)
    values (%s, %s, %s, %s, %s, %s, %s, '')"""
_OF: Final = """
    select b.id, b.ato_id, b.projetos, array(select p.codigo from projetos p where p.tenant_id = b.tenant_id and p.id = any(b.projetos)
            and p.retirado_em is null order by p.ordem, p.codigo) as codigos,
        b.feita_por, b.feita_em, b.aberta_por, b.aberta_em, b.motivo, b.desfeita_por, b.desfeita_em
    from calibracoes b where b.tenant_id = %s and b.edital_id = %s and b.desfeita_em is null order by b.feita_em desc, b.id desc limit 1"""
_LOCK: Final = "select pg_advisory_xact_lock(hashtextextended('calibracoes|' || %s::text, 0))"
_OPEN: Final = """
    update calibracoes set aberta_por = %s, aberta_em = %s, motivo = %s
    where tenant_id = %s and id = %s and aberta_em is null and desfeita_em is null"""
_CLOSE: Final = """
    update calibracoes set aberta_por = null, aberta_em = null, motivo = '' where tenant_id = %s and id = %s and aberta_por is not null"""
_UNDO: Final = """
    update calibracoes set desfeita_por = %s, desfeita_em = %s where tenant_id = %s and id = %s and desfeita_em is null"""
_OPEN_ALL_SENT: Final = f"""
    update calibracoes b set aberta_em = %(em)s where b.tenant_id = %(tenant)s and b.edital_id = %(edital)s and b.aberta_em is null
        and b.desfeita_em is null
        and exists (select from atribuicoes t where t.tenant_id = b.tenant_id and t.projeto_id = any(b.projetos))
        and not exists ({UNSENT})"""
_UNDER_WAY: Final = "select 1 from calibracoes where tenant_id = %s and edital_id = %s and aberta_em is null and desfeita_em is null"
_WAITING: Final = f"""
    select e.codigo as edital, count(*) as fechados from atribuicoes a
    join projetos p on p.tenant_id = a.tenant_id and p.id = a.projeto_id and p.retirado_em is null
    join editais e on e.tenant_id = p.tenant_id and e.id = p.edital_id
    where a.tenant_id = %s and a.avaliador_id = %s and {WAITS} group by e.codigo"""
_WAITING_IN: Final = f"""
    select p.codigo, a.avaliador_id from atribuicoes a
    join projetos p on p.tenant_id = a.tenant_id and p.id = a.projeto_id and p.retirado_em is null
    where a.tenant_id = %s and p.edital_id = %s and {WAITS}"""
_OF_ACT: Final = "select 1 from calibracoes where tenant_id = %s and ato_id = %s and desfeita_em is null"
_IS_WAITING: Final = f"""
    select 1 from atribuicoes a join projetos p on p.tenant_id = a.tenant_id and p.id = a.projeto_id
    where a.tenant_id = %s and a.avaliador_id = %s and a.projeto_id = %s and {WAITS}"""


async def lock(uow: UnitOfWork, edital_id: UUID) -> None:
    """Nobody else begins, opens or ends a round of the edital until the unit of work ends."""
    await uow.connection.exec_driver_sql(_LOCK, (edital_id,))


async def add(uow: UnitOfWork, calibracao: Calibracao, edital_id: UUID, projetos: Sequence[UUID]) -> None:
    """Begin a round; there is none under way."""
    values = (calibracao.id, edital_id, calibracao.ato_id, list(projetos), calibracao.por, calibracao.em)
    await uow.connection.exec_driver_sql(_ADD, (uow.scope.tenant_id, *values))


async def last_of(uow: UnitOfWork, edital_id: UUID) -> Calibracao | None:
    """The last round of an edital that was not undone."""
    row = (await uow.connection.exec_driver_sql(_OF, (uow.scope.tenant_id, edital_id))).one_or_none()
    return None if row is None else _calibracao(row)


async def open_rest(uow: UnitOfWork, calibracao_id: UUID, por: UUID, em: datetime, motivo: str) -> bool:
    """Somebody opens the rest; whether it was closed."""
    return (await uow.connection.exec_driver_sql(_OPEN, (por, em, motivo, uow.scope.tenant_id, calibracao_id))).rowcount > 0


async def close_rest(uow: UnitOfWork, calibracao_id: UUID) -> bool:
    """What somebody opened is closed again; whether somebody had."""
    return (await uow.connection.exec_driver_sql(_CLOSE, (uow.scope.tenant_id, calibracao_id))).rowcount > 0


async def undo(uow: UnitOfWork, calibracao_id: UUID, por: UUID, em: datetime) -> None:
    """The round is as if it had not been begun."""
    await uow.connection.exec_driver_sql(_UNDO, (por, em, uow.scope.tenant_id, calibracao_id))


async def open_where_all_sent(uow: UnitOfWork, edital_id: UUID, em: datetime) -> bool:
    """The rest is open from now on where nobody is left who owes a nota of the round; whether that was so just now."""
    if (await uow.connection.exec_driver_sql(_UNDER_WAY, (uow.scope.tenant_id, edital_id))).one_or_none() is None:
        return False
    await lock(uow, edital_id)  # of two who send the last notas at once the second sees those of the first
    done = await uow.connection.exec_driver_sql(_OPEN_ALL_SENT, {"tenant": uow.scope.tenant_id, "edital": edital_id, "em": em})
    return done.rowcount > 0


async def is_of_act(uow: UnitOfWork, ato_id: UUID) -> bool:
    """Whether an act gave the projects of a round that was not undone."""
    found = await uow.connection.exec_driver_sql(_OF_ACT, (uow.scope.tenant_id, ato_id))
    return found.one_or_none() is not None


async def waiting_in(uow: UnitOfWork, edital_id: UUID) -> frozenset[tuple[str, UUID]]:
    """Which projects of an edital wait for a round, by code, and with whom."""
    rows = await uow.connection.exec_driver_sql(_WAITING_IN, (uow.scope.tenant_id, edital_id))
    return frozenset((row.codigo, row.avaliador_id) for row in rows)


async def waiting_of(uow: UnitOfWork, avaliador_id: UUID) -> dict[str, int]:
    """How many of somebody's projects wait for a round, by the edital's code."""
    rows = await uow.connection.exec_driver_sql(_WAITING, (uow.scope.tenant_id, avaliador_id))
    return {row.edital: row.fechados for row in rows}


async def is_waiting(uow: UnitOfWork, avaliador_id: UUID, projeto_id: UUID) -> bool:
    """Whether a project that somebody was given waits for a round."""
    found = await uow.connection.exec_driver_sql(_IS_WAITING, (uow.scope.tenant_id, avaliador_id, projeto_id))
    return found.one_or_none() is not None


def _calibracao(row: Row[Any]) -> Calibracao:
    return Calibracao(
        row.id,
        row.ato_id,
        tuple(row.codigos),
        tuple(row.projetos),
        row.feita_por,
        row.feita_em,
        row.aberta_por,
        row.aberta_em,
        row.motivo,
    )
