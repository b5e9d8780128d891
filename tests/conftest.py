"""A real PostgreSQL for every test that asks for one, and a tenant of its own, so that no test cleans up after itself."""

from __future__ import annotations

import gc
import itertools
import logging
import os
import signal
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urlsplit

import psycopg
import pytest

from chaves_de_teste import cofre_de_teste
from crivo.kernel.storage.cluster import DATABASE
from crivo.kernel.storage.embedded import EmbeddedPostgres
from crivo.kernel.storage.migrating import HEAD, migrate
from crivo.kernel.storage.session import Database
from crivo.kernel.storage.urls import libpq_url
from crivo.kernel.sujeitos import CONSOLE
from crivo.kernel.tenancy import Scope

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as a shell leaves it to what runs in its background: programs under test inherit it
    signal.signal(signal.SIGINT, signal.default_int_handler)
if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:  # as nohup leaves it
    signal.signal(signal.SIGHUP, signal.SIG_DFL)

_MOULD = "molde"  # the migrated database, which nobody works in and others are copied from
Urls = tuple[str, str]  # where the schema's owner connects, and where the program does


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """What collecting makes lives to the end: the collector of garbage passes over it neither meanwhile nor at every test."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.fixture(scope="session")
def embedded_urls() -> Iterator[Urls]:
    """One embedded server for the whole run (one for each worker of pytest-xdist), migrated.

    Its folder is not one of pytest's: another run that begins closes those to the server's own account, and the server dies of it.
    """
    with TemporaryDirectory(prefix="crivo-pg-", ignore_cleanup_errors=True) as folder:
        embedded = EmbeddedPostgres(Path(folder), settings={"fsync": "off"})
        embedded.start()
        try:
            migrate(embedded.admin_url)
            with psycopg.connect(libpq_url(embedded.admin_url), dbname="postgres", autocommit=True) as connection:
                connection.execute(f"create database {_MOULD} template {DATABASE}")  # while nobody is connected: later it is refused
            yield embedded.admin_url, embedded.runtime_url
        finally:
            embedded.release()


@pytest.fixture(scope="module")
def own_urls(embedded_urls: Urls, tenant_ids: Callable[[], str]) -> Iterator[Urls]:
    """A database with the tenants of one module alone, on the embedded server: for whoever asks all tenants that there are."""
    name = tenant_ids().replace("-", "_")
    with psycopg.connect(libpq_url(embedded_urls[0]), dbname="postgres", autocommit=True) as connection:
        connection.execute(f"create database {name} template {_MOULD}")
        owner, program = (urlsplit(url)._replace(path=f"/{name}").geturl() for url in embedded_urls)
        yield owner, program
        connection.execute(f"drop database {name} with (force)")


@pytest.fixture
def urls(embedded_urls: Urls) -> Urls:
    """The server that the test runs against; the kernel's own tests are run against a second one too."""
    return embedded_urls


@pytest.fixture
def moved_schema(urls: Urls) -> Callable[[str], AbstractContextManager[None]]:
    """Says, for as long as a block lasts, that another version of the program brought the schema elsewhere."""

    @contextmanager
    def moved(version: str) -> Iterator[None]:
        with psycopg.connect(libpq_url(urls[0]), autocommit=True) as connection:
            connection.execute("update alembic_version set version_num = %s", (version,))
            try:
                yield
            finally:
                connection.execute("update alembic_version set version_num = %s", (HEAD,))

    return moved


@pytest.fixture
async def database(urls: Urls) -> AsyncIterator[Database]:
    """The program's way into the server."""
    opened = Database(urls[1], cofre=cofre_de_teste())
    try:
        yield opened
    finally:
        await opened.close()


@pytest.fixture
def new_tenant(urls: Urls, make_tenant: Callable[[str], Scope]) -> Callable[[], Scope]:
    """Makes a tenant that nobody used before, and returns a scope in it."""
    return lambda: make_tenant(urls[0])


@pytest.fixture
def scope(new_tenant: Callable[[], Scope]) -> Scope:
    """A fresh tenant, and someone acting in it."""
    return new_tenant()


@pytest.fixture(scope="session")
def make_tenant(tenant_ids: Callable[[], str]) -> Callable[[str], Scope]:
    """Makes one where the schema's owner connects."""

    def make(admin_url: str) -> Scope:
        tenant_id = tenant_ids()
        with psycopg.connect(libpq_url(admin_url)) as connection:
            connection.execute("select set_config('app.tenant_id', %s, true)", (tenant_id,))
            connection.execute("insert into tenants (id, nome, criado_em) values (%s, 'De teste', now())", (tenant_id,))
        return Scope(tenant_id, "teste", CONSOLE)

    return make


@pytest.fixture(scope="session")
def tenant_ids() -> Callable[[], str]:
    """Tenant ids that no test of this run has used, nor an earlier run against the same server."""
    run, numbers = os.urandom(5).hex(), itertools.count(1)
    return lambda: f"t-{run}-{next(numbers)}"


@pytest.fixture(autouse=True)
def _logs_as_they_were() -> Iterator[None]:
    """Some tests listen to the log; none leaves it changed."""
    crivo = logging.getLogger("crivo")
    level, handlers, propagate = crivo.level, list(crivo.handlers), crivo.propagate
    yield
    crivo.setLevel(level)
    crivo.handlers[:] = handlers
    crivo.propagate = propagate
