"""A unit of work keeps all or nothing, and tells what the database may answer in the one error tree."""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from uuid import uuid4

import psycopg
import pytest
from sqlalchemy import text
from sqlalchemy.exc import ProgrammingError
from sqlalchemy.ext.asyncio import AsyncConnection

from crivo.kernel.errors import Kind
from crivo.kernel.storage.errors import (
    BancoIndisponivel,
    ConflitoDeEscrita,
    DiscoCheio,
    EsquemaMudou,
    InquilinoDesconhecido,
    PapelInseguro,
    crivo_error_of,
)
from crivo.kernel.storage.patience import Patience, Watch
from crivo.kernel.storage.schema_watch import watch_schema
from crivo.kernel.storage.session import Database
from crivo.kernel.storage.urls import libpq_url
from crivo.kernel.tenancy import Scope
from espera import until


async def _versao(database: Database, scope: Scope) -> int | None:
    async with database.unit_of_work(scope) as uow:
        found: int | None = (await uow.connection.execute(text("select versao from catalogos"))).scalar_one_or_none()
    return found


async def _set_versao(database: Database, scope: Scope, versao: int) -> None:
    async with database.unit_of_work(scope) as uow:
        await uow.connection.execute(
            text("insert into catalogos values (:t, :v) on conflict (tenant_id) do update set versao = :v"),
            {"t": scope.tenant_id, "v": versao},
        )


async def test_what_a_unit_of_work_wrote_is_kept_on_a_clean_exit(database: Database, scope: Scope) -> None:
    await _set_versao(database, scope, 7)
    assert await _versao(database, scope) == 7


async def test_nothing_of_a_unit_of_work_is_kept_when_it_raises(database: Database, scope: Scope) -> None:
    await _set_versao(database, scope, 1)

    async def failing() -> None:
        async with database.unit_of_work(scope) as uow:
            await uow.connection.execute(text("update catalogos set versao = 2"))
            raise LookupError

    with pytest.raises(LookupError):
        await failing()
    assert await _versao(database, scope) == 1


def _is_asleep(admin_url: str) -> bool:
    with psycopg.connect(libpq_url(admin_url)) as connection:
        found = connection.execute("select 1 from pg_stat_activity where wait_event = 'PgSleep'").fetchone()
    return found is not None


async def test_nothing_of_a_cancelled_unit_of_work_is_kept_and_its_connection_goes_back(urls: tuple[str, str], scope: Scope) -> None:
    database = Database(urls[1], pool_size=1)
    begun = asyncio.Event()

    async def slow() -> None:
        async with database.unit_of_work(scope) as uow:
            await uow.connection.execute(text("insert into catalogos values (:t, 5)"), {"t": scope.tenant_id})
            begun.set()
            await uow.connection.execute(text("select pg_sleep(60)"))

    try:
        task = asyncio.create_task(slow())
        await begun.wait()
        await until(lambda: _is_asleep(urls[0]))
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert await _versao(database, scope) is None
    finally:
        await database.close()


async def test_everything_runs_in_the_role_that_owns_nothing(database: Database, scope: Scope) -> None:
    for _ in range(2):
        async with database.unit_of_work(scope) as uow:
            assert (await uow.connection.execute(text("select current_user"))).scalar_one() == "crivo_app"
            await uow.connection.rollback()  # which does not give the connection its own role back


async def test_a_tenant_that_does_not_exist_is_told_apart_from_a_fault(database: Database, tenant_ids: Callable[[], str]) -> None:
    with pytest.raises(InquilinoDesconhecido, match="CRIVO_TENANT"):
        await _set_versao(database, Scope(tenant_ids(), "teste"), 1)


async def test_two_writers_of_one_key_are_told_of_the_conflict(database: Database, scope: Scope) -> None:
    await _set_versao(database, scope, 1)
    with pytest.raises(ConflitoDeEscrita):
        async with database.unit_of_work(scope) as uow:
            await uow.connection.execute(text("insert into catalogos values (:t, 2)"), {"t": scope.tenant_id})


async def test_a_statement_that_is_wrong_stays_a_fault_of_the_program(database: Database, scope: Scope) -> None:
    with pytest.raises(ProgrammingError):
        async with database.unit_of_work(scope) as uow:
            await uow.connection.execute(text("select nada from lugar_nenhum"))


async def test_a_full_pool_says_that_the_database_is_busy(urls: tuple[str, str], scope: Scope, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("crivo.kernel.storage.session._POOL_SECONDS", 0.1)
    database = Database(urls[1], pool_size=1)
    try:
        async with database.unit_of_work(scope):
            with pytest.raises(BancoIndisponivel, match="ocupado"):
                async with database.unit_of_work(scope):
                    pass
    finally:
        await database.close()


@pytest.mark.parametrize("address", ["127.0.0.1", "%2Ftmp%2Fnenhum-soquete-aqui"])
async def test_a_database_that_is_away_is_told_at_once(address: str) -> None:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))  # bound and not listening: connections are refused
        database = Database(f"postgresql://ninguem@/nada?host={address}&port={listener.getsockname()[1]}")
        began = time.monotonic()
        with pytest.raises(BancoIndisponivel) as refused:
            await _versao(database, Scope("local", "teste"))
        assert time.monotonic() - began < 5
        assert refused.value.kind is Kind.UNAVAILABLE
        await database.close()


async def test_a_database_that_accepts_and_says_nothing_is_given_up_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("crivo.kernel.storage.session._CONNECT_SECONDS", 2)
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        database = Database(f"postgresql://ninguem@127.0.0.1:{listener.getsockname()[1]}/nada")
        with pytest.raises(BancoIndisponivel):
            await _versao(database, Scope("local", "teste"))
        await database.close()


async def test_connections_that_the_server_dropped_are_replaced_without_an_error(
    database: Database, scope: Scope, urls: tuple[str, str]
) -> None:
    await _set_versao(database, scope, 3)
    await asyncio.gather(*(_versao(database, scope) for _ in range(5)))  # several in the pool
    with psycopg.connect(libpq_url(urls[0]), autocommit=True) as admin:
        admin.execute(
            "select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and backend_type = 'client backend'"
        )
    assert await asyncio.gather(*(_versao(database, scope) for _ in range(5))) == [3] * 5


async def test_a_connection_lost_in_the_middle_keeps_nothing_and_is_not_tried_again(
    database: Database, scope: Scope, urls: tuple[str, str]
) -> None:
    runs = 0

    async def cut_off() -> None:
        nonlocal runs
        async with database.unit_of_work(scope) as uow:
            runs += 1
            await uow.connection.execute(text("insert into catalogos values (:t, 9)"), {"t": scope.tenant_id})
            await uow.connection.execute(text("reset role"))  # by address, the process is the session role's
            await uow.connection.execute(text("select pg_terminate_backend(pg_backend_pid())"))

    with pytest.raises(BancoIndisponivel):
        await cut_off()
    assert runs == 1
    assert await _versao(database, scope) is None


async def test_a_role_that_owns_the_tables_is_refused(urls: tuple[str, str], scope: Scope, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("crivo.kernel.storage.session.SET_RUNTIME_SESSION", "select 1")  # as if the role had not been taken
    database = Database(urls[0])
    with pytest.raises(PapelInseguro, match="dono de tabelas"):
        await _versao(database, scope)
    await database.close()


async def test_a_line_that_lost_its_role_between_transactions_is_refused(urls: tuple[str, str], scope: Scope) -> None:
    """As a pooler of transactions hands lines on: what a session set is another's by then."""
    database = Database(urls[0], pool_size=1)
    with pytest.raises(PapelInseguro, match="pool_mode = session"):
        await _after_reset(database, scope)
    await database.close()


async def _after_reset(database: Database, scope: Scope) -> None:
    async with database.unit_of_work(scope) as uow:
        await uow.connection.exec_driver_sql("reset role")
    async with database.unit_of_work(scope):
        raise AssertionError("this unit of work runs as whoever migrates")


async def test_a_role_that_may_not_act_as_the_programs_is_told_what_to_grant(server_by_address: str, scope: Scope) -> None:
    role = f"alheio_{uuid4().hex[:8]}"
    with psycopg.connect(libpq_url(server_by_address), autocommit=True) as admin:
        admin.execute(f"create role {role} login".encode())
    database = Database(server_by_address.replace("crivo_dono", role))
    with pytest.raises(PapelInseguro, match="grant crivo_app"):
        await _versao(database, scope)
    await database.close()


@pytest.mark.parametrize(
    ("sqlstate", "expected"),
    [
        ("53100", DiscoCheio),
        ("40001", ConflitoDeEscrita),
        ("40P01", ConflitoDeEscrita),
        ("57P03", BancoIndisponivel),
        ("08006", BancoIndisponivel),
        ("53300", BancoIndisponivel),
        ("42501", type(None)),
        (None, type(None)),
    ],
)
def test_each_state_of_the_server_has_its_error(sqlstate: str | None, expected: type) -> None:
    assert type(crivo_error_of(sqlstate, disconnected=False)) is expected


@pytest.mark.parametrize(("version", "told"), [("9999", "de um crivo mais novo"), ("0001", "anterior à")])
async def test_no_transaction_is_begun_in_the_schema_of_another_version(
    database: Database, scope: Scope, moved_schema: Callable[[str], AbstractContextManager[None]], version: str, told: str
) -> None:
    async with database.unit_of_work(scope) as before:
        with moved_schema(version):
            with pytest.raises(EsquemaMudou, match=told):
                async with database.unit_of_work(scope):
                    pytest.fail("it was begun")
            await before.connection.exec_driver_sql("select 1")  # what was begun before goes on to its end
    async with database.unit_of_work(scope):
        pass  # and the connection serves again


class _Away(Database):
    """One that is away, and counts how often it is looked for."""

    looks = 0

    def within(self, patience: Patience) -> Database:
        return self

    async def _begin(self, scope: Scope) -> tuple[AsyncConnection, Watch]:
        self.looks += 1
        return await super()._begin(scope)


async def test_who_watches_the_schema_waits_for_a_database_that_is_away_and_tells_once_it_moved(
    database: Database, moved_schema: Callable[[str], AbstractContextManager[None]]
) -> None:
    away = _Away("postgresql://ninguem@/nada?host=%2Ftmp%2Fnenhum-soquete-aqui")
    watching = asyncio.create_task(watch_schema(away, 0.01))
    await until(lambda: away.looks > 2)
    assert not watching.done()
    watching.cancel()
    await away.close()
    with moved_schema("9999"), pytest.raises(EsquemaMudou):
        await watch_schema(database, 0.01)
