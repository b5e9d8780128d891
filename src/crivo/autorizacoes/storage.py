"""Decisions in the database: one row holds the pedido as it came, the RF6 document and the trail, all as bytes."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any
from uuid import UUID

from sqlalchemy import Row, text

from crivo.autorizacoes.contracts import DecisaoFinal
from crivo.kernel.storage.session import UnitOfWork

_COLUMNS = (
    "id, pedido_id, administradora_id, decisao_final, recebida_em, data_recebimento, catalogo_versao, pedido, decisao, trilha, digest, "
    "urgente"
)
_SUMMARY = "id, pedido_id, administradora_id, decisao_final, recebida_em"


@dataclass(frozen=True, slots=True)
class Autorizacao:
    """A stored decision; `catalogo_versao` pins the políticas it was made under, `digest` its bytes."""

    id: UUID
    pedido_id: str | None
    administradora_id: str | None
    decisao_final: DecisaoFinal
    recebida_em: datetime
    data_recebimento: date
    catalogo_versao: int
    pedido: bytes
    decisao: bytes
    trilha: bytes
    digest: bytes
    urgente: bool = False


@dataclass(frozen=True, slots=True)
class Resumo:
    """A stored decision as a line of a list."""

    id: UUID
    pedido_id: str | None
    administradora_id: str | None
    decisao_final: DecisaoFinal
    recebida_em: datetime


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


async def insert_many(uow: UnitOfWork, autorizacoes: Sequence[Autorizacao]) -> None:
    """Store decisions in one round trip."""
    statement = text(
        f"insert into autorizacoes (tenant_id, {_COLUMNS}) values (:tenant, :id, :pedido_id, :administradora_id, :decisao_final, "
        ":recebida_em, :data_recebimento, :catalogo_versao, :pedido, :decisao, :trilha, :digest, :urgente)"
    )
    rows = [{"tenant": uow.scope.tenant_id, **{name: getattr(item, name) for name in _COLUMNS.split(", ")}} for item in autorizacoes]
    await uow.connection.execute(statement, rows)


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


async def find_by_keys(uow: UnitOfWork, chaves: Sequence[str]) -> dict[str, tuple[bytes, Autorizacao]]:
    """What was stored under idempotency keys: body digest and decision, by key."""
    columns = ", ".join(f"a.{name}" for name in _COLUMNS.split(", "))
    statement = text(
        f"select i.chave, i.corpo_digest, {columns} from idempotencia i "
        "join autorizacoes a on a.tenant_id = i.tenant_id and a.id = i.autorizacao_id "
        "where i.tenant_id = :tenant and i.chave = any(cast(:chaves as text[]))"
    )
    rows = await uow.connection.execute(statement, {"tenant": uow.scope.tenant_id, "chaves": list(chaves)})
    return {row.chave: (bytes(row.corpo_digest), _autorizacao(list(row)[2:])) for row in rows}


async def find(uow: UnitOfWork, autorizacao_id: UUID) -> Autorizacao | None:
    """The decision of that id, or None."""
    statement = text(f"select {_COLUMNS} from autorizacoes where tenant_id = :tenant and id = :id")
    row = (await uow.connection.execute(statement, {"tenant": uow.scope.tenant_id, "id": autorizacao_id})).one_or_none()
    return None if row is None else _autorizacao(row)


async def find_latest(uow: UnitOfWork, pedido_id: str) -> Autorizacao | None:
    """The latest decision of a pedido by the administradora's own number, or None."""
    statement = text(f"select {_COLUMNS} from autorizacoes where tenant_id = :tenant and pedido_id = :pedido_id order by id desc limit 1")
    row = (await uow.connection.execute(statement, {"tenant": uow.scope.tenant_id, "pedido_id": pedido_id})).one_or_none()
    return None if row is None else _autorizacao(row)


async def list_page(
    uow: UnitOfWork, *, status: DecisaoFinal | None, desde: datetime | None, numero: str | None, antes_de: UUID | None, limite: int
) -> list[Resumo]:
    """Decisions from the newest back; ids grow with time, so `antes_de` continues a list where it ended.

    `numero` is any part of the pedido's number, in any case of its letters.
    """
    filters = ["tenant_id = :tenant"]
    values: dict[str, Any] = {"tenant": uow.scope.tenant_id, "limite": limite}
    for condition, name, value in (
        ("decisao_final = :status", "status", status),
        ("recebida_em >= :desde", "desde", desde),
        ("strpos(lower(pedido_id), lower(:numero)) > 0", "numero", numero),
        ("id < :antes_de", "antes_de", antes_de),
    ):
        if value is not None:
            filters.append(condition)
            values[name] = value
    statement = text(f"select {_SUMMARY} from autorizacoes where {' and '.join(filters)} order by id desc limit :limite")
    return [Resumo(*row) for row in await uow.connection.execute(statement, values)]


def _autorizacao(row: Row[Any] | Sequence[Any]) -> Autorizacao:
    values: list[Any] = [bytes(value) if isinstance(value, memoryview) else value for value in row]
    return Autorizacao(*values)
