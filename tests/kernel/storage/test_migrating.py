"""The schema reaches its version once, however many processes start at the same time."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit
from uuid import uuid4

import psycopg
import pytest
from alembic.config import Config
from alembic.script import ScriptDirectory

from crivo.kernel.storage import migrating
from crivo.kernel.storage.errors import BancoIndisponivel, MigracaoImpossivel
from crivo.kernel.storage.migrating import HEAD, Wait, migrate
from crivo.kernel.storage.supported import require_supported, support_of
from crivo.kernel.storage.urls import libpq_url
from espera import wait_until
from instalacao_guardada import restore


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


_SOON: Final = Wait(other_seconds=0.3, table_seconds=0.2, tries=2, pause_seconds=0.1)


def _tables(admin_url: str) -> list[tuple[str, str]]:
    with psycopg.connect(libpq_url(admin_url)) as connection:
        found = "select table_name, column_name from information_schema.columns where table_schema = 'public' order by 1, 2"
        return [(row[0], row[1]) for row in connection.execute(found)]


@contextmanager
def _somebody_holds(admin_url: str, table: str) -> Iterator[psycopg.Connection]:
    with psycopg.connect(libpq_url(admin_url)) as connection:
        connection.execute(f"lock table {table} in access share mode".encode())
        yield connection


def test_a_table_that_somebody_holds_is_waited_for_with_an_end_and_it_is_told_who(empty_database: str) -> None:
    restore(empty_database, "0001")
    before = _tables(empty_database)
    with _somebody_holds(empty_database, "autorizacoes") as holder:
        with pytest.raises(BancoIndisponivel, match=rf"Nada foi mudado.*processo {holder.info.backend_pid} do servidor"):
            migrate(empty_database, _SOON)
        assert _tables(empty_database) == before
    assert migrate(empty_database, _SOON) is True


def test_a_table_that_is_held_for_a_moment_delays_the_migration_and_no_more(empty_database: str, caplog: pytest.LogCaptureFixture) -> None:
    restore(empty_database, "0001")
    with ThreadPoolExecutor() as pool:
        with _somebody_holds(empty_database, "autorizacoes"):
            waiting = pool.submit(migrate, empty_database, Wait(table_seconds=0.2, tries=50, pause_seconds=0.1))
            wait_until(lambda: "migracao_espera" in caplog.messages)
            assert not waiting.done()
        assert waiting.result(60) is True


def test_who_is_killed_in_the_middle_leaves_nothing_half_done_and_the_next_goes_on(empty_database: str) -> None:
    restore(empty_database, "0001")
    before = _tables(empty_database)
    program = "import sys; from crivo.kernel.storage.migrating import migrate, Wait; print('vai', flush=True); migrate(sys.argv[1], Wait(table_seconds=120))"
    with _somebody_holds(empty_database, "autorizacoes"):
        killed = subprocess.Popen([sys.executable, "-c", program, empty_database], stdout=subprocess.PIPE)
        with psycopg.connect(libpq_url(empty_database), autocommit=True) as looking:
            stuck = "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
            wait_until(lambda: looking.execute(stuck).fetchone() == (1,))  # in the middle: tables made, this one still to be changed
        killed.kill()
        killed.communicate(timeout=60)
        assert _tables(empty_database) == before
    assert migrate(empty_database) is True
    assert migrate(empty_database) is False


def test_another_process_that_migrates_is_waited_for_with_an_end(empty_database: str) -> None:
    with psycopg.connect(libpq_url(empty_database), autocommit=True) as other:
        other.execute("select pg_advisory_lock(%s)", (migrating.LOCK,))
        with pytest.raises(BancoIndisponivel, match="Outro processo está preparando"):
            migrate(empty_database, _SOON)
    assert migrate(empty_database, _SOON) is True


@pytest.mark.parametrize(("number", "told"), [(140012, "antigo"), (150000, "suportado"), (180004, "suportado"), (190001, "mais_novo")])
def test_a_postgresql_is_supported_from_15_to_18(number: int, told: str) -> None:
    assert support_of(number) == told


def test_a_postgresql_that_is_too_old_is_refused_by_its_number() -> None:
    with pytest.raises(MigracaoImpossivel, match="PostgreSQL é o 14, e o crivo precisa do 15 ao 18"):
        require_supported(140012)
