"""A database that two organisations work in, its copies, and the places that they come back to."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit
from uuid import uuid4

import psycopg

from chaves_de_teste import cofre_de_teste
from crivo.kernel.audit import NewEntry, append, verify_tenant
from crivo.kernel.copia.copiar import Copia, Pedida, make_copy
from crivo.kernel.copia.pasta import ParteDaPasta
from crivo.kernel.copia.restaurar import Restaurada, Volta, bring_back
from crivo.kernel.storage.migrating import migrate
from crivo.kernel.storage.session import Database
from crivo.kernel.storage.urls import libpq_url
from crivo.kernel.sujeitos import CONSOLE
from crivo.kernel.tenancy import Scope

EM: Final = datetime(2026, 3, 10, 12, tzinfo=UTC)
ENTRIES: Final = {"local": 40, "outra": 25}
KEY: Final = bytes(range(32))


class Servidor:
    """A server on which the owner of the tests has databases made."""

    def __init__(self, owner: str) -> None:
        self._owner = owner
        self._creator = owner.replace("crivo_dono", "postgres") if "127.0.0.1" in owner else owner
        self.made: list[str] = []

    def do(self, *statements: str) -> None:
        with psycopg.connect(libpq_url(self._creator), autocommit=True) as admin:
            for statement in statements:
                admin.execute(statement.encode())

    def url(self, name: str) -> str:
        return urlsplit(self._owner)._replace(path=f"/{name}").geturl()

    def make(self, name: str, like: str = "template1") -> str:
        role = "crivo_dono" if "crivo_dono" in self._owner else "current_user"
        self.do(f"create database {name} template {like}", f"alter database {name} owner to {role}")
        return self.url(name)

    def has(self, name: str) -> bool:
        with psycopg.connect(libpq_url(self._creator)) as admin:
            return admin.execute("select 1 from pg_database where datname = %s", (name,)).fetchone() is not None


def fill(url: str) -> None:
    """Two organisations with chains of their own, and a job in the queue."""
    migrate(url)
    with psycopg.connect(libpq_url(url)) as connection:
        connection.execute("select set_config('app.tenant_id', 'outra', true)")
        connection.execute("insert into tenants (id, nome, criado_em) values ('outra', 'Outra', now())")
        connection.execute("insert into procrastinate_jobs (queue_name, task_name, args) values ('q', 't', '{}')")
    asyncio.run(_fill(url))


async def _fill(url: str) -> None:
    database = Database(url, cofre=cofre_de_teste())
    try:
        for tenant_id, many in ENTRIES.items():
            async with database.unit_of_work(Scope(tenant_id, "teste", CONSOLE)) as uow:
                await append(uow, EM, [NewEntry("chave_criada", f"chave:{one}", {"n": one, "é": "ã"}) for one in range(many)])
    finally:
        await database.close()


def holds(url: str) -> bool:
    """Whether the chains of both organisations are there, whole."""
    return asyncio.run(_holds(url))


async def _holds(url: str) -> bool:
    database, good = Database(url, cofre=cofre_de_teste()), []
    try:
        for tenant_id, many in ENTRIES.items():
            async with database.unit_of_work(Scope(tenant_id, "teste", CONSOLE)) as uow:
                found = await verify_tenant(uow)
                good.append(found.entradas == many and not found.quebras)
    finally:
        await database.close()
    return all(good)


def nothing(_: str, __: int) -> None:
    """Told of progress, and does nothing of it."""


def copied(
    url: str,
    path: Path,
    folder: Path,
    key: bytes | None = None,
    partes: Sequence[ParteDaPasta] = (),
    chaves: Mapping[str, str] | None = None,
) -> Copia:
    """A copy of a database, and of what is given of a folder."""
    folder.mkdir(exist_ok=True)
    pedida = Pedida(str(uuid4()), EM, "cli:teste", "0", folder, partes, dict(chaves or {}), key)
    return make_copy(url, path, pedida, nothing)


def brought_back(path: Path, url: str, folder: Path, key: bytes | None = None, chaves: Mapping[str, bytes] | None = None) -> Restaurada:
    """A copy in a place."""
    volta = Volta(path, folder, EM, "cli:teste", key, "", dict(chaves or {}))
    return bring_back(volta, lambda: url, nothing, lambda _: None)
