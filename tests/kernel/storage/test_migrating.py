"""The schema reaches its version once, however many processes start at the same time."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit
from uuid import uuid4

import psycopg
import pytest
from alembic.config import Config
from alembic.script import ScriptDirectory

from crivo.kernel.storage import migrating
from crivo.kernel.storage.errors import BancoIndisponivel, MigracaoImpossivel
from crivo.kernel.storage.migrating import HEAD, migrate
from crivo.kernel.storage.urls import libpq_url


@pytest.fixture
def empty_database(urls: tuple[str, str]) -> Iterator[str]:
    """The URL of a new database on the same server."""
    name = f"vazio_{uuid4().hex[:8]}"
    owner = urls[0]
    creator = owner.replace("crivo_dono", "postgres") if "127.0.0.1" in owner else owner
    with psycopg.connect(libpq_url(creator), autocommit=True) as admin:
        admin.execute(f"create database {name}".encode())
        if "crivo_dono" in owner:
            admin.execute(f"alter database {name} owner to crivo_dono".encode())
    yield urlsplit(owner)._replace(path=f"/{name}").geturl()
    with psycopg.connect(libpq_url(creator), autocommit=True) as admin:
        admin.execute(f"drop database {name} with (force)".encode())


def test_the_first_migration_does_something_and_the_second_nothing(empty_database: str) -> None:
    assert migrate(empty_database) is True
    assert migrate(empty_database) is False


def test_an_empty_database_gets_the_tenant_of_the_installation(empty_database: str) -> None:
    migrate(empty_database)
    with psycopg.connect(libpq_url(empty_database)) as connection:
        connection.execute("select set_config('app.tenant_id', 'local', true)")
        assert connection.execute("select id from tenants").fetchall() == [("local",)]


def test_two_processes_may_migrate_at_once(empty_database: str) -> None:
    program = "import sys; from crivo.kernel.storage.migrating import migrate; print(migrate(sys.argv[1]))"
    at_once = [
        subprocess.Popen([sys.executable, "-c", program, empty_database], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for _ in range(3)
    ]
    told = [process.communicate(timeout=60) for process in at_once]
    assert sorted(said.strip() for said, _ in told) == ["False", "False", "True"], told


def test_the_version_checked_first_is_the_last_revision() -> None:
    config = Config()
    config.set_main_option("script_location", str(Path(migrating.__file__).with_name("migrations")))
    config.set_main_option("path_separator", "os")
    assert ScriptDirectory.from_config(config).get_current_head() == HEAD


def test_a_check_that_finds_nothing_to_do_does_not_import_alembic(urls: tuple[str, str]) -> None:
    program = "import sys; from crivo.kernel.storage.migrating import migrate; print(migrate(sys.argv[1]), 'alembic' in sys.modules)"
    said = subprocess.run([sys.executable, "-c", program, urls[0]], capture_output=True, text=True, check=True).stdout
    assert said.split() == ["False", "False"]


def test_a_database_of_a_newer_program_is_left_alone(empty_database: str) -> None:
    migrate(empty_database)
    with psycopg.connect(libpq_url(empty_database)) as connection:
        connection.execute("update alembic_version set version_num = '9999'")
    with pytest.raises(MigracaoImpossivel, match="mais novo"):
        migrate(empty_database)


def test_a_role_that_may_not_create_is_told_what_it_needs(empty_database: str, server_by_address: str) -> None:
    role = f"fraco_{uuid4().hex[:8]}"
    with psycopg.connect(libpq_url(server_by_address), autocommit=True) as admin:
        admin.execute(f"create role {role} login".encode())
    with pytest.raises(MigracaoImpossivel, match="criar tabelas"):
        migrate(urlsplit(server_by_address.replace("crivo_dono", role))._replace(path="/postgres").geturl())


def test_a_database_that_is_away_cannot_be_migrated() -> None:
    with pytest.raises(BancoIndisponivel):
        migrate("postgresql://ninguem@/nada?host=%2Ftmp%2Fnenhum-soquete-aqui")
