"""The kernel's tests of storage run twice: on the embedded server, and on a PostgreSQL reached by its address."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator

import psycopg
import pytest

from crivo.kernel.storage.migrating import migrate
from crivo.kernel.storage.urls import libpq_url
from postgres_aqui import by_address, served

Tamper = Callable[..., None]


Urls = tuple[str, str]  # where the schema's owner connects, and where the program does


@pytest.fixture(scope="session")
def server_by_address() -> Iterator[str]:
    """The URL of a role that owns an empty database and may create roles, and is no superuser.

    Of the server at CRIVO_TEST_DATABASE_URL, or of a fresh one by the programs in CRIVO_TEST_POSTGRES_BIN, or of the newest installed.
    """
    given = os.environ.get("CRIVO_TEST_DATABASE_URL", "")
    if given:
        yield given
        return
    binaries = by_address()
    if binaries is None:
        pytest.skip("no PostgreSQL by address: set CRIVO_TEST_DATABASE_URL or CRIVO_TEST_POSTGRES_BIN, or install PostgreSQL 15 or newer")
    with served(binaries) as url:
        yield url


@pytest.fixture(params=["embutido", "por_endereco"])
def urls(request: pytest.FixtureRequest, embedded_urls: Urls) -> Urls:
    """Each server in turn."""
    if request.param == "embutido":
        return embedded_urls
    address: str = request.getfixturevalue("server_by_address")
    migrate(address)
    return address, address


@pytest.fixture
def tamper(urls: Urls) -> Tamper:
    """Does to the audit table, as its owner and with its guard off, what nobody should: statements in one transaction."""

    def do(tenant_id: str, *statements: str) -> None:
        with psycopg.connect(libpq_url(urls[0])) as connection:
            connection.execute("select set_config('app.tenant_id', %s, true)", (tenant_id,))
            connection.execute("alter table auditoria disable trigger user")
            for statement in statements:
                connection.execute(statement.encode(), {"tenant": tenant_id})
            connection.execute("alter table auditoria enable trigger user")

    return do
