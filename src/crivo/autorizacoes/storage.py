"""Decisions in the database: one row holds the pedido as it came, the RF6 document and the trail, sealed under the record's own key.

Digests are over the bytes that stand in the row: destroying the key changes none of them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from sqlalchemy import Row, text

from crivo.autorizacoes.contracts import DecisaoFinal
from crivo.autorizacoes.guardadas import Apagada, Autorizacao, Ordem, Resumo
from crivo.kernel.concorrencia import aside
from crivo.kernel.sigilo import Chave as ChaveDoRegistro
from crivo.kernel.sigilo import Identidade
from crivo.kernel.storage.session import UnitOfWork

PEDIDO, DECISAO, TRILHA = "autorizacoes.pedido", "autorizacoes.decisao", "autorizacoes.trilha"
PARAMETROS: Final = "autorizacoes.parametros"
_COLUMNS = (
    "id, pedido_id, administradora_id, decisao_final, recebida_em, data_recebimento, catalogo_versao, pedido, decisao, trilha, digest, "
    "urgente"
)
_SUMMARY = "id, pedido_id, administradora_id, decisao_final, recebida_em"
# With its key, where it has one: what was stored before there were keys has none.
_FIELDS = f"{', '.join(f'a.{name}' for name in _COLUMNS.split(', '))}, k.embrulhada, k.destruida_em"
_FROM = "from autorizacoes a left join chaves_de_pessoas k on k.tenant_id = a.tenant_id and k.id = a.id"
_READ = f"select {_FIELDS} {_FROM}"


@dataclass(frozen=True, slots=True)
class Chave:
    """An idempotency key and the digest of the body it came with."""

    chave: str
    corpo_digest: bytes


def digest_of(pedido: bytes, decisao: bytes, trilha: bytes) -> bytes:
    """SHA-256 over the three texts, each preceded by its length."""
    hashed = hashlib.sha256()
    for part in (pedido, decisao, trilha):
        hashed.update(len(part).to_bytes(8, "big"))
        hashed.update(part)
    return hashed.digest()


# Ids go as binary, which costs a tenth of their text.
_KEEP_PARAMETROS: Final = """
    insert into autorizacao_parametros (tenant_id, id, selados)
    select %(tenant)s, p.id, p.selados from unnest(%(ids)b::uuid[], %(selados)b::bytea[]) as p (id, selados) on conflict do nothing"""


async def insert_many(
    uow: UnitOfWork, novas: Sequence[tuple[Autorizacao, Identidade, bytes]]
) -> tuple[list[Autorizacao], dict[UUID, ChaveDoRegistro]]:
    """Store decisions, each sealed under a key of its own that is found by whom it is about; them, with the digest of what is stored, and
    the key of each, for what else is to be sealed under it.

    With each goes what it rests on, packed, for simulations: under the same key. Three round trips, however many decisions.
    """
    guardadas, rows, chaves = await _sealed(uow, [(one, titular) for one, titular, _ in novas])
    await keep_parametros(uow, [(one.id, chaves[one.id], parametros) for one, _, parametros in novas])
    statement = text(
        f"insert into autorizacoes (tenant_id, {_COLUMNS}) values (:tenant, :id, :pedido_id, :administradora_id, :decisao_final, "
        ":recebida_em, :data_recebimento, :catalogo_versao, :pedido, :decisao, :trilha, :digest, :urgente)"
    )
    await uow.connection.execute(statement, rows)
    return guardadas, chaves


async def keep_parametros(uow: UnitOfWork, parametros: Sequence[tuple[UUID, ChaveDoRegistro, bytes]]) -> None:
    """Keep what decisions rest on, each under its record's key; what is kept already stays as it is."""
    selados = [key.seal(PARAMETROS, packed) for _, key, packed in parametros]
    values = {"tenant": uow.scope.tenant_id, "ids": [one for one, _, _ in parametros], "selados": selados}
    await uow.connection.exec_driver_sql(_KEEP_PARAMETROS, values)


async def seal_again(uow: UnitOfWork, antigas: Sequence[tuple[Autorizacao, Identidade]]) -> list[Autorizacao]:
    """Seal decisions that stand in the clear, in their own rows; them, with the digest of what is stored now."""
    guardadas, rows, _ = await _sealed(uow, antigas)
    statement = text(
        "update autorizacoes set pedido = :pedido, decisao = :decisao, trilha = :trilha, digest = :digest "
        "where tenant_id = :tenant and id = :id"
    )
    await uow.connection.execute(statement, rows)
    return guardadas


async def _sealed(
    uow: UnitOfWork, autorizacoes: Sequence[tuple[Autorizacao, Identidade]]
) -> tuple[list[Autorizacao], list[dict[str, Any]], dict[UUID, ChaveDoRegistro]]:
    """Decisions under keys of their own, which are kept: with the digests of what is to be stored, the rows of it, and the keys."""
    keys = [uow.cofre.new(uow.scope.tenant_id, one.id, titular, one.recebida_em) for one, titular in autorizacoes]
    await uow.cofre.keep(uow, "autorizacoes", keys)
    chaves = {key.id: key.chave for key in keys}
    size = sum(len(one.pedido) + len(one.trilha) for one, _ in autorizacoes)
    guardadas, rows = await aside(size, _rows_of, uow.scope.tenant_id, [one for one, _ in autorizacoes], chaves)
    return guardadas, rows, chaves


def _rows_of(
    tenant_id: str, autorizacoes: Sequence[Autorizacao], chaves: Mapping[UUID, ChaveDoRegistro]
) -> tuple[list[Autorizacao], list[dict[str, Any]]]:
    guardadas, rows = [], []
    for one in autorizacoes:
        seal = chaves[one.id].seal
        stored = {"pedido": seal(PEDIDO, one.pedido), "decisao": seal(DECISAO, one.decisao), "trilha": seal(TRILHA, one.trilha)}
        guardadas.append(replace(one, digest=digest_of(**stored)))
        row = {name: getattr(guardadas[-1], name) for name in _COLUMNS.split(", ")}
        rows.append({**row, **stored, "tenant": tenant_id})
    return guardadas, rows


async def claim_keys(uow: UnitOfWork, chaves: Mapping[str, tuple[bytes, UUID]], em: datetime) -> set[str]:
    """Claim idempotency keys for decisions about to be stored, by key: body digest and decision; the keys that were free.

    A key that another transaction is claiming is waited for. Keys are claimed in one order, so that two batches never
    wait for each other.
    """
    statement = text(
        "insert into idempotencia (tenant_id, chave, corpo_digest, autorizacao_id, criada_em) "
        "select :tenant, c.chave, c.corpo_digest, c.autorizacao_id, :em "
        "from unnest(cast(:chaves as text[]), cast(:digests as bytea[]), cast(:ids as uuid[])) as c (chave, corpo_digest, autorizacao_id) "
        "order by c.chave on conflict do nothing returning chave"
    )
    values = {
        "tenant": uow.scope.tenant_id,
        "em": em,
        "chaves": list(chaves),
        "digests": [corpo for corpo, _ in chaves.values()],
        "ids": [autorizacao_id for _, autorizacao_id in chaves.values()],
    }
    return {row.chave for row in await uow.connection.execute(statement, values)}


async def find_by_keys(uow: UnitOfWork, chaves: Sequence[str]) -> dict[str, tuple[bytes, Autorizacao | Apagada]]:
    """What was stored under idempotency keys: body digest and decision, by key."""
    statement = text(
        f"select i.chave, i.corpo_digest, {_FIELDS} {_FROM} join idempotencia i on i.tenant_id = a.tenant_id and i.autorizacao_id = a.id "
        "where i.tenant_id = :tenant and i.chave = any(cast(:chaves as text[]))"
    )
    rows = await uow.connection.execute(statement, {"tenant": uow.scope.tenant_id, "chaves": list(chaves)})
    return {row.chave: (bytes(row.corpo_digest), _opened(uow, row)) for row in rows}


async def find(uow: UnitOfWork, autorizacao_id: UUID) -> Autorizacao | Apagada | None:
    """The decision of that id, or None."""
    statement = text(f"{_READ} where a.tenant_id = :tenant and a.id = :id")
    row = (await uow.connection.execute(statement, {"tenant": uow.scope.tenant_id, "id": autorizacao_id})).one_or_none()
    return None if row is None else _opened(uow, row)


async def find_many(uow: UnitOfWork, ids: Sequence[UUID]) -> list[Autorizacao | Apagada]:
    """The decisions of these ids; those that there are not are left out."""
    statement = text(f"{_READ} where a.tenant_id = :tenant and a.id = any(:ids)")
    return [_opened(uow, row) for row in await uow.connection.execute(statement, {"tenant": uow.scope.tenant_id, "ids": list(ids)})]


async def find_approvals(uow: UnitOfWork, ids: Sequence[UUID], revistas: Sequence[UUID]) -> list[tuple[UUID, str | None, bytes]]:
    """Of those of these decisions that approve something, or were reviewed: id, the pedido's number and trail, the oldest first.

    Erased ones are left out, and so is what else stands in a decision: a person may have many, of a megabyte each.
    """
    statement = text(
        "select a.id, a.pedido_id, a.trilha, k.embrulhada from autorizacoes a "
        "left join chaves_de_pessoas k on k.tenant_id = a.tenant_id and k.id = a.id "
        "where a.tenant_id = :tenant and a.id = any(:ids) and k.destruida_em is null "
        "and (a.decisao_final in ('APROVADO', 'APROVADO_PARCIAL') or a.id = any(:revistas)) order by a.id"
    )
    values = {"tenant": uow.scope.tenant_id, "ids": list(ids), "revistas": list(revistas)}
    rows = (await uow.connection.execute(statement, values)).all()
    return await aside(sum(len(row.trilha) for row in rows), _trails_of, uow, rows)


def _trails_of(uow: UnitOfWork, rows: Sequence[Row[Any]]) -> list[tuple[UUID, str | None, bytes]]:
    found = []
    for row in rows:
        chave = uow.cofre.unwrap(uow.scope.tenant_id, row.id, row.embrulhada)
        stored = bytes(row.trilha)
        found.append((row.id, row.pedido_id, stored if chave is None else chave.open(TRILHA, stored)))
    return found


async def find_latest(uow: UnitOfWork, pedido_id: str) -> Autorizacao | Apagada | None:
    """The latest decision of a pedido by the administradora's own number, or None."""
    statement = text(f"{_READ} where a.tenant_id = :tenant and a.pedido_id = :pedido_id order by a.id desc limit 1")
    row = (await uow.connection.execute(statement, {"tenant": uow.scope.tenant_id, "pedido_id": pedido_id})).one_or_none()
    return None if row is None else _opened(uow, row)


async def find_by_numbers(uow: UnitOfWork, numeros: Sequence[str]) -> list[Autorizacao]:
    """The decisions of pedidos with these numbers, as the administradora gave them, the oldest first; erased ones are left out."""
    statement = text(f"{_READ} where a.tenant_id = :tenant and a.pedido_id = any(cast(:numeros as text[])) order by a.id")
    rows = await uow.connection.execute(statement, {"tenant": uow.scope.tenant_id, "numeros": list(numeros)})
    return [one for one in (_opened(uow, row) for row in rows) if isinstance(one, Autorizacao)]


async def count_of_number(uow: UnitOfWork, pedido_id: str) -> int:
    """How many decisions there are of pedidos of that number, of whatever administradora."""
    statement = text("select count(*) from autorizacoes a where a.tenant_id = :tenant and a.pedido_id = :pedido_id")
    return int((await uow.connection.execute(statement, {"tenant": uow.scope.tenant_id, "pedido_id": pedido_id})).scalar_one())


async def list_page(
    uow: UnitOfWork,
    *,
    status: DecisaoFinal | None,
    desde: datetime | None,
    numero: str | None,
    pedido_id: str | None = None,
    antes_de: UUID | None,
    limite: int,
) -> list[Resumo]:
    """Decisions from the newest back; ids grow with time, so `antes_de` continues a list where it ended.

    `numero` is any part of the pedido's number, in any case of its letters; `pedido_id` is all of it, as it came.
    """
    filters = ["tenant_id = :tenant"]
    values: dict[str, Any] = {"tenant": uow.scope.tenant_id, "limite": limite}
    for condition, name, value in (
        ("decisao_final = :status", "status", status),
        ("recebida_em >= :desde", "desde", desde),
        ("strpos(lower(pedido_id), lower(:numero)) > 0", "numero", numero),
        ("pedido_id = :pedido_id", "pedido_id", pedido_id),
        ("id < :antes_de", "antes_de", antes_de),
    ):
        if value is not None:
            filters.append(condition)
            values[name] = value
    statement = text(f"select {_SUMMARY} from autorizacoes where {' and '.join(filters)} order by id desc limit :limite")
    return [Resumo(*row) for row in await uow.connection.execute(statement, values)]


_ORDERS: Final[Mapping[Ordem, str]] = {
    "-recebida": "id desc",
    "recebida": "id",
    "pedido": "lower(pedido_id) nulls last, id desc",
    "-pedido": "lower(pedido_id) desc nulls last, id desc",
    "decisao": "decisao_final, id desc",
    "-decisao": "decisao_final desc, id desc",
}


async def list_sheet(
    uow: UnitOfWork, *, status: DecisaoFinal | None, desde: datetime | None, busca: str, ordem: Ordem, pagina: int, tamanho: int
) -> tuple[list[Resumo], int, int]:
    """A page of the decisions asked for, how many there are, and its number, from 1: the last one where there are fewer.

    `busca` is any part of the pedido's number or of the administradora's code, in any case of its letters.
    """
    filters = ["tenant_id = :tenant"]
    values: dict[str, Any] = {"tenant": uow.scope.tenant_id}
    for condition, name, value in (
        ("decisao_final = :status", "status", status),
        ("recebida_em >= :desde", "desde", desde),
        ("strpos(lower(concat_ws(' ', pedido_id, administradora_id)), lower(:busca)) > 0", "busca", busca or None),
    ):
        if value is not None:
            filters.append(condition)
            values[name] = value
    where = " and ".join(filters)
    total = int((await uow.connection.execute(text(f"select count(*) from autorizacoes where {where}"), values)).scalar_one())
    at = min(pagina, max(1, -(-total // tamanho)))
    statement = text(f"select {_SUMMARY} from autorizacoes where {where} order by {_ORDERS[ordem]} limit :limite offset :antes")
    rows = await uow.connection.execute(statement, {**values, "limite": tamanho, "antes": (at - 1) * tamanho})
    return [Resumo(*row) for row in rows], total, at


async def numbers_of(uow: UnitOfWork, ids: Sequence[UUID]) -> dict[UUID, str]:
    """The pedido's number of each of these decisions; those that there are not, or that came without one, are left out."""
    statement = text("select id, pedido_id from autorizacoes where tenant_id = :tenant and id = any(:ids) and pedido_id is not null")
    rows = await uow.connection.execute(statement, {"tenant": uow.scope.tenant_id, "ids": list(ids)})
    return {row.id: row.pedido_id for row in rows}


def _opened(uow: UnitOfWork, row: Row[Any]) -> Autorizacao | Apagada:
    """The decision that a row of `_READ` holds, as it was before it was sealed. Raises DadosViolados."""
    if row.destruida_em is not None:
        return Apagada(Resumo(row.id, row.pedido_id, row.administradora_id, row.decisao_final, row.recebida_em))
    stored = bytes(row.pedido), bytes(row.decisao), bytes(row.trilha)
    chave = uow.cofre.unwrap(uow.scope.tenant_id, row.id, row.embrulhada)
    names = (PEDIDO, DECISAO, TRILHA)
    pedido, decisao, trilha = stored if chave is None else (chave.open(name, one) for name, one in zip(names, stored, strict=True))
    return Autorizacao(
        id=row.id,
        pedido_id=row.pedido_id,
        administradora_id=row.administradora_id,
        decisao_final=row.decisao_final,
        recebida_em=row.recebida_em,
        data_recebimento=row.data_recebimento,
        catalogo_versao=row.catalogo_versao,
        pedido=pedido,
        decisao=decisao,
        trilha=trilha,
        digest=bytes(row.digest),
        urgente=row.urgente,
        integra=digest_of(*stored) == bytes(row.digest),
    )
