"""The kernel's tests of storage run twice: on the embedded server, and on a PostgreSQL reached by its address."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import mkdtemp

import psycopg
import pytest

from crivo.kernel.storage.migrating import migrate
from crivo.kernel.storage.urls import libpq_url

Tamper = Callable[..., None]


Urls = tuple[str, str]  # where the schema's owner connects, and where the program does


@pytest.fixture(scope="session")
def server_by_address() -> Iterator[str]:
    """The URL of a role that owns an empty database and may create roles, and is no superuser."""
    given = os.environ.get("CRIVO_TEST_DATABASE_URL", "")
    if given:
        yield given
        return
    binaries = _installed_binaries()
    if binaries is None:
        pytest.skip("no PostgreSQL by address: set CRIVO_TEST_DATABASE_URL, or install PostgreSQL 15 or newer")
    folder = Path(mkdtemp(prefix="crivo-pg-"))
    account = pwd.getpwnam("nobody") if os.geteuid() == 0 else None  # PostgreSQL refuses to run as root
    if account is not None:
        os.chown(folder, account.pw_uid, account.pw_gid)
    data, port = folder / "data", _free_port()

    def run(program: str, *arguments: str) -> None:
        with (folder / "saida.log").open("ab") as output:
            subprocess.run(
                [str(binaries / program), *arguments],
                check=True,
                stdout=output,
                stderr=output,
                cwd="/",
                user=account.pw_uid if account else None,
                group=account.pw_gid if account else None,
                extra_groups=[] if account else None,
            )

    run("initdb", "--auth=trust", "--username=postgres", "--encoding=UTF8", "--locale=C", "-D", str(data))
    options = f"-c listen_addresses=127.0.0.1 -c port={port} -c fsync=off -k {folder}"
    run("pg_ctl", "-w", "-D", str(data), "-l", str(folder / "servidor.log"), "-o", options, "start")
    try:
        with psycopg.connect(f"postgresql://postgres@127.0.0.1:{port}/postgres", autocommit=True) as connection:
            connection.execute("create role crivo_dono login createrole")
            connection.execute("create database crivo owner crivo_dono")
        yield f"postgresql://crivo_dono@127.0.0.1:{port}/crivo"
    finally:
        run("pg_ctl", "-w", "-D", str(data), "-m", "immediate", "stop")
        shutil.rmtree(folder)


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


def _installed_binaries() -> Path | None:
    versions = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda found: int(found.parts[-3]))
    found = str(versions[-1]) if versions else shutil.which("initdb")
    return Path(found).resolve().parent if found else None


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
    return port
