"""Jobs are in the queue exactly when what they belong to is in the database."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from sqlalchemy.exc import ProgrammingError

from crivo.kernel.jobs.fila import Fila, Job
from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import Scope

_ABOUT = {"execucao": "1"}


async def _count(database: Database, fila: Fila, scope: Scope) -> int:
    async with database.unit_of_work(scope) as uow:
        return await fila.count(uow, _ABOUT)


async def test_jobs_come_with_the_unit_of_work_that_gives_them(database: Database, fila: Fila, scope: Scope) -> None:
    async with database.unit_of_work(scope) as uow:
        await fila.defer(uow, [Job("a", {**_ABOUT, "projeto": str(at)}) for at in range(3)])
        assert await _count(database, fila, scope) == 0
    assert await _count(database, fila, scope) == 3


async def test_jobs_go_with_the_unit_of_work_that_fails(database: Database, fila: Fila, scope: Scope) -> None:
    async def defer_and_fail() -> None:
        async with database.unit_of_work(scope) as uow:
            await fila.defer(uow, [Job("a", _ABOUT)])
            await uow.connection.exec_driver_sql("select * from nada")

    with pytest.raises(ProgrammingError):
        await defer_and_fail()
    assert await _count(database, fila, scope) == 0


async def test_jobs_are_counted_and_taken_out_by_whose_they_are_and_what_they_are_about(
    database: Database, fila: Fila, new_tenant: Callable[[], Scope]
) -> None:
    mine, theirs = new_tenant(), new_tenant()
    for scope in (mine, theirs):
        async with database.unit_of_work(scope) as uow:
            await fila.defer(uow, [Job("a", _ABOUT), Job("a", _ABOUT, 1), Job("b", {"execucao": "2"})])
    async with database.unit_of_work(mine) as uow:
        assert await fila.discard(uow, _ABOUT) == 2
    assert (await _count(database, fila, mine), await _count(database, fila, theirs)) == (0, 2)
    async with database.unit_of_work(mine) as uow:
        assert await fila.count(uow, {"execucao": "2"}) == 1


async def test_no_job_is_no_work(database: Database, fila: Fila, scope: Scope) -> None:
    async with database.unit_of_work(scope) as uow:
        await fila.defer(uow, [])
        assert await fila.count(uow, {}) == 0
