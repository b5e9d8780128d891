"""Databases of their own to copy from and to come back to, on the server of each round."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final
from urllib.parse import urlsplit
from uuid import uuid4

import psycopg
import pytest

from copiadas import fill
from crivo.kernel.storage.urls import libpq_url

_FILLED: Final = f"copia_cheia_{uuid4().hex[:8]}"


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


@pytest.fixture
def servidor(urls: tuple[str, str]) -> Iterator[Servidor]:
    """The server of the round; what was made on it is gone afterwards."""
    made = Servidor(urls[0])
    yield made
    made.do(*(f"drop database if exists {name} with (force)" for name in made.made))


@pytest.fixture
def new_database(servidor: Servidor) -> Callable[[], str]:
    """Makes an empty database, and tells where its owner connects."""

    def make() -> str:
        servidor.made.append(f"copia_{uuid4().hex[:8]}")
        return servidor.make(servidor.made[-1])

    return make


@pytest.fixture
def source(servidor: Servidor) -> str:
    """A database in which two organisations have chains and the queue has a job: one of a server's own, like the first that was filled."""
    if not servidor.has(_FILLED):
        fill(servidor.make(_FILLED))
    servidor.made.append(f"copia_{uuid4().hex[:8]}")
    return servidor.make(servidor.made[-1], _FILLED)
