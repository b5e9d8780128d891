"""The keys of projects. A key is about one person for ever: a project that comes to be another's gets another key.

What was found of a project names the key that it was sealed under, and stays readable, or is erased, with that one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeVar
from uuid import UUID

from msgspec.json import Decoder
from sqlalchemy import Row

from crivo.kernel.sigilo import Chave
from crivo.kernel.storage.session import UnitOfWork

Aberto = TypeVar("Aberto")
CONTEUDO: Final = "projetos.conteudo"
NOMES: Final = "projetos.nomes"
RESULTADO: Final = "triagem_ia_resultados.selado"
NOTA: Final = "triagem_ia_notas.selado"
SINAL: Final = "triagem_ia_irregularidades.selado"
TEXTO: Final = "avaliacoes.texto"
ARQUIVO: Final = "arquivos.conteudo"
LIDO: Final = "documentos_lidos.lido"

# Beside `from projetos p`: the key that the project is sealed under now, where it has one.
WITH_KEY: Final = "left join chaves_de_pessoas k on k.tenant_id = p.tenant_id and k.id = p.chave"
KEY: Final = "p.chave, k.embrulhada"
_HOLD: Final = "select 1 from projetos where tenant_id = %s and id = %s for share"
_HOLD_ALL: Final = "select 1 from projetos where tenant_id = %s and edital_id = %s order by id for share"
_HOLD_SOME: Final = """
    select 1 from projetos p join editais e on e.tenant_id = p.tenant_id and e.id = p.edital_id
    where p.tenant_id = %s and ((p.edital_id = %s and p.codigo = any(%s)) or e.codigo || '/' || p.codigo = any(%s))
    order by p.id for share of p"""
_OF: Final = f"select {KEY} from projetos p {WITH_KEY} where p.tenant_id = %s and p.id = %s"
_OF_EDITAL: Final = f"select p.codigo, {KEY} from projetos p {WITH_KEY} where p.tenant_id = %s and p.edital_id = %s"
_OF_NAMED: Final = f"""
    select e.codigo || '/' || p.codigo as codigo, {KEY} from projetos p {WITH_KEY}
    join editais e on e.tenant_id = p.tenant_id and e.id = p.edital_id
    where p.tenant_id = %s and e.codigo || '/' || p.codigo = any(%s)"""
_OF_SOME: Final = f"""
    select case when p.edital_id = %s then p.codigo else e.codigo || '/' || p.codigo end as codigo, {KEY} from projetos p {WITH_KEY}
    join editais e on e.tenant_id = p.tenant_id and e.id = p.edital_id
    where p.tenant_id = %s and ((p.edital_id = %s and p.codigo = any(%s)) or e.codigo || '/' || p.codigo = any(%s))"""


@dataclass(frozen=True, slots=True)
class Dona:
    """A key that is there still, and its id."""

    id: UUID
    chave: Chave


@dataclass(frozen=True, slots=True)
class Posse:
    """How a project is kept: under a key; in the clear, as before there were keys (`dona` is None); or erased."""

    dona: Dona | None
    apagado: bool


def posse_of(uow: UnitOfWork, row: Row[Any]) -> Posse:
    """As a row with `KEY` tells."""
    if row.chave is None:
        return Posse(None, apagado=False)
    chave = uow.cofre.unwrap(uow.scope.tenant_id, row.chave, row.embrulhada)
    return Posse(None if chave is None else Dona(row.chave, chave), apagado=chave is None)


def opened(
    uow: UnitOfWork, row: Row[Any], nome: str, decoder: Decoder[Aberto], in_the_clear: Callable[[Row[Any]], Aberto]
) -> Aberto | None:
    """What a row with `KEY` and `selado` says: under its key, or in the clear where nothing of it is sealed; None of an erased project."""
    if row.selado is None:
        return in_the_clear(row)
    dona = posse_of(uow, row).dona
    return None if dona is None else decoder.decode(dona.chave.open(nome, bytes(row.selado)))


async def hold(uow: UnitOfWork, projeto_id: UUID) -> Posse:
    """How a project is kept, for as long as the unit of work lasts: who erases waits for its end."""
    await uow.connection.exec_driver_sql(_HOLD, (uow.scope.tenant_id, projeto_id))
    return posse_of(uow, (await uow.connection.exec_driver_sql(_OF, (uow.scope.tenant_id, projeto_id))).one())


async def hold_all(uow: UnitOfWork, edital_id: UUID, passados: Iterable[str] = ()) -> Mapping[str, Posse]:
    """The same of every project of an edital, withdrawn ones too, by code; and of those of others by `edital/projeto`."""
    tenant = uow.scope.tenant_id
    await uow.connection.exec_driver_sql(_HOLD_ALL, (tenant, edital_id))
    named = sorted(set(passados))
    rows: list[Row[Any]] = list(await uow.connection.exec_driver_sql(_OF_NAMED, (tenant, named))) if named else []
    rows += await uow.connection.exec_driver_sql(_OF_EDITAL, (tenant, edital_id))
    return {row.codigo: posse_of(uow, row) for row in rows}


async def hold_some(uow: UnitOfWork, edital_id: UUID, codigos: Sequence[str]) -> Mapping[str, Posse]:
    """The same of some projects of an edital, withdrawn ones too; those of others are named `edital/projeto`."""
    tenant, named = uow.scope.tenant_id, list(codigos)
    await uow.connection.exec_driver_sql(_HOLD_SOME, (tenant, edital_id, named, named))
    rows = await uow.connection.exec_driver_sql(_OF_SOME, (edital_id, tenant, edital_id, named, named))
    return {row.codigo: posse_of(uow, row) for row in rows}


async def living(uow: UnitOfWork, ids: Iterable[UUID]) -> Mapping[UUID, Chave]:
    """Of these keys, those that are there still."""
    asked = sorted(set(ids))
    found = await uow.cofre.keys(uow, asked) if asked else {}
    return {one: chave for one, chave in found.items() if chave is not None}


def open_in(keys: Mapping[UUID, Chave], named: Sequence[UUID]) -> list[Chave] | None:
    """All of the keys that something names; None where one of them was destroyed."""
    found = [keys[one] for one in named if one in keys]
    return found if len(found) == len(named) else None
