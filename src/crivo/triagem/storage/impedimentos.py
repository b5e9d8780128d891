"""Who must not judge which project, and why: the reason, and the notas that counted until then, under the project's key."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final
from uuid import UUID

import msgspec
from sqlalchemy import Row

from crivo.kernel.sigilo import DadosApagados
from crivo.kernel.storage.session import UnitOfWork
from crivo.triagem.distribuicao.guardados import Impedimento, NotaQueHavia
from crivo.triagem.storage.chaves import hold, posse_of
from crivo.triagem.storage.editais import to_json

# A text names the key that it is under before it is sealed, as the texts of notas do.
SEALED: Final = "i.dito ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12} cs1:'"
KEY_OF_DITO: Final = f"case when {SEALED} then left(i.dito, 36)::uuid end"
_KEY_CHARS: Final = 37
_COLUMNS: Final = f"""
    select i.id, i.projeto_id, p.codigo, i.avaliador_id, i.dito, i.tirada_id, i.registrado_por, i.registrado_em, i.desfeito_por,
        i.desfeito_em, {KEY_OF_DITO} as chave, k.embrulhada
    from impedimentos i join projetos p on p.tenant_id = i.tenant_id and p.id = i.projeto_id
    left join chaves_de_pessoas k on k.tenant_id = i.tenant_id and k.id = ({KEY_OF_DITO})
    where i.tenant_id = %(tenant)s"""
_OF_EDITAL: Final = f"{_COLUMNS} and p.edital_id = %(edital)s and p.retirado_em is null order by i.registrado_em desc, i.id desc"
_OF_PERSON: Final = f"{_COLUMNS} and i.avaliador_id = any(%(pessoas)s) order by i.registrado_em, i.id"
_ONE: Final = f"{_COLUMNS} and p.edital_id = %(edital)s and i.id = %(id)s"
_ADD: Final = """
    insert into impedimentos (tenant_id, id, projeto_id, avaliador_id, dito, tirada_id, registrado_por, registrado_em)
    values (%s, %s, %s, %s, %s, %s, %s, %s)"""
_UNDO: Final = """
    update impedimentos set desfeito_por = %s, desfeito_em = %s where tenant_id = %s and id = %s and desfeito_em is null"""
_IN_FORCE: Final = """
    select p.codigo, i.avaliador_id from impedimentos i join projetos p on p.tenant_id = i.tenant_id and p.id = i.projeto_id
    where i.tenant_id = %s and p.edital_id = %s and i.desfeito_em is null and p.retirado_em is null"""


class _Dito(msgspec.Struct, frozen=True):
    motivo: str = ""
    notas: tuple[NotaQueHavia, ...] = ()


async def add(uow: UnitOfWork, impedimento: Impedimento, tirada_id: UUID | None) -> None:
    """Keep one; the project was held before. Raises DadosApagados where it was erased."""
    posse = await hold(uow, impedimento.projeto)
    if posse.apagado:
        raise DadosApagados
    dito = to_json(_Dito(impedimento.motivo or "", impedimento.notas))
    if posse.dona is not None:
        dito = f"{posse.dona.id} {posse.dona.chave.seal_text(_named(impedimento.id), dito)}"
    values = (impedimento.projeto, impedimento.avaliador, dito, tirada_id, impedimento.por, impedimento.em)
    await uow.connection.exec_driver_sql(_ADD, (uow.scope.tenant_id, impedimento.id, *values))


async def undo(uow: UnitOfWork, impedimento_id: UUID, por: UUID, em: datetime) -> bool:
    """From now on it keeps nobody from anything; whether it did."""
    done = await uow.connection.exec_driver_sql(_UNDO, (por, em, uow.scope.tenant_id, impedimento_id))
    return done.rowcount > 0


async def of_edital(uow: UnitOfWork, edital_id: UUID) -> tuple[Impedimento, ...]:
    """All of an edital's projects in force, those undone too, the newest first."""
    return await _those(uow, _OF_EDITAL, edital=edital_id)


async def of_people(uow: UnitOfWork, pessoas: Sequence[UUID]) -> tuple[Impedimento, ...]:
    """What is held of these people, over all editais."""
    return await _those(uow, _OF_PERSON, pessoas=list(pessoas))


async def find(uow: UnitOfWork, edital_id: UUID, impedimento_id: UUID) -> Impedimento | None:
    """One of an edital, of a withdrawn project too."""
    found = await _those(uow, _ONE, edital=edital_id, id=impedimento_id)
    return found[0] if found else None


async def in_force(uow: UnitOfWork, edital_id: UUID) -> frozenset[tuple[str, UUID]]:
    """Which projects whom must not be given, by the project's code."""
    rows = await uow.connection.exec_driver_sql(_IN_FORCE, (uow.scope.tenant_id, edital_id))
    return frozenset((row.codigo, row.avaliador_id) for row in rows)


async def _those(uow: UnitOfWork, statement: str, **values: object) -> tuple[Impedimento, ...]:
    rows = (await uow.connection.exec_driver_sql(statement, {"tenant": uow.scope.tenant_id, **values})).all()
    return tuple([_impedimento(uow, row) for row in rows])


def _impedimento(uow: UnitOfWork, row: Row[Any]) -> Impedimento:
    dito = _opened(uow, row)
    return Impedimento(
        row.id,
        row.codigo,
        row.projeto_id,
        row.avaliador_id,
        None if dito is None else dito.motivo,
        () if dito is None else dito.notas,
        row.tirada_id is not None,
        row.registrado_por,
        row.registrado_em,
        row.desfeito_por,
        row.desfeito_em,
    )


def _opened(uow: UnitOfWork, row: Row[Any]) -> _Dito | None:
    """None of an erased project."""
    posse = posse_of(uow, row)
    if posse.apagado or not row.dito:
        return None
    text = row.dito if posse.dona is None else posse.dona.chave.open_text(_named(row.id), row.dito[_KEY_CHARS:])
    return msgspec.json.decode(text, type=_Dito)


def _named(impedimento_id: UUID) -> str:
    return f"impedimentos.dito|{impedimento_id}"
