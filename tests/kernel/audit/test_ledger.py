"""The chain in the database: whole under many writers, and broken in plain sight by whoever goes around it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime

import psycopg
import pytest
from sqlalchemy import text

from crivo.kernel import audit
from crivo.kernel.audit import Break, NewEntry, Verification
from crivo.kernel.storage.session import Database
from crivo.kernel.storage.urls import libpq_url
from crivo.kernel.tenancy import Scope

_EM = datetime(2026, 3, 10, 12, 0, 0, 123456, tzinfo=UTC)
Tamper = Callable[..., None]


async def _append(database: Database, scope: Scope, *alvos: str) -> None:
    async with database.unit_of_work(scope) as uow:
        await audit.append(uow, _EM, [NewEntry(acao="decidiu", alvo=alvo, dados={"n": 1, "ç": "ã"}) for alvo in alvos])


async def _verified(database: Database, scope: Scope) -> Verification:
    async with database.unit_of_work(scope) as uow:
        return await audit.verify_tenant(uow)


async def test_what_was_appended_in_several_units_of_work_is_one_chain_that_holds(database: Database, scope: Scope) -> None:
    await _append(database, scope, "a", "b")
    await _append(database, scope, "c")
    async with database.unit_of_work(scope) as uow:
        rows = (await uow.connection.execute(text("select seq, em, ator, alvo, dados from auditoria order by seq"))).all()
    assert [tuple(row) for row in rows] == [(n, _EM, "teste", alvo, '{"n":1,"ç":"ã"}') for n, alvo in enumerate("abc", start=1)]
    found = await _verified(database, scope)
    assert (found.entradas, found.cabeca.seq if found.cabeca else None, found.quebras) == (3, 3, ())


async def test_a_tenant_without_entries_has_a_chain_that_holds(database: Database, scope: Scope) -> None:
    assert await _verified(database, scope) == Verification(0, None, ())


async def test_appending_nothing_leaves_no_trace(database: Database, scope: Scope) -> None:
    await _append(database, scope)
    assert (await _verified(database, scope)).cabeca is None


async def test_entries_are_gone_with_the_unit_of_work_that_failed(database: Database, scope: Scope) -> None:
    await _append(database, scope, "a")

    async def failing() -> None:
        async with database.unit_of_work(scope) as uow:
            await audit.append(uow, _EM, [NewEntry(acao="decidiu", alvo="b")])
            raise LookupError

    with pytest.raises(LookupError):
        await failing()
    assert (await _verified(database, scope)).entradas == 1


async def test_many_who_append_at_once_make_one_chain(database: Database, scope: Scope) -> None:
    await asyncio.gather(*(_append(database, scope, f"{n}a", f"{n}b") for n in range(30)))  # the first entry of all among them
    found = await _verified(database, scope)
    assert (found.entradas, found.quebras) == (60, ())


async def test_verifying_while_others_append_raises_no_false_alarm(database: Database, scope: Scope) -> None:
    writers = [_append(database, scope, *(str(n) for n in range(20))) for _ in range(20)]
    verified = await asyncio.gather(*writers, *(_verified(database, scope) for _ in range(10)))
    assert [found.quebras for found in verified if isinstance(found, Verification)] == [()] * 10


async def test_a_chain_longer_than_a_page_is_read_whole(database: Database, scope: Scope) -> None:
    await _append(database, scope, *(str(n) for n in range(4_500)))
    found = await _verified(database, scope)
    assert (found.entradas, found.quebras) == (4_500, ())


@pytest.mark.parametrize(
    ("statements", "expected"),
    [
        (("update auditoria set alvo = 'x' where tenant_id = %(tenant)s and seq = 3",), [Break.at(3, "alterada")]),
        (("delete from auditoria where tenant_id = %(tenant)s and seq = 3",), [Break(3, "ausente", 3)]),
        (("delete from auditoria where tenant_id = %(tenant)s and seq >= 5",), [Break(5, "ausente", 6)]),
        (("delete from auditoria where tenant_id = %(tenant)s",), [Break(1, "ausente", 6)]),
        (("delete from auditoria_cabecas where tenant_id = %(tenant)s",), [Break.at(6, "cabeca_ausente")]),
        (
            (
                "update auditoria set seq = 99 where tenant_id = %(tenant)s and seq = 2",
                "update auditoria set seq = 2 where tenant_id = %(tenant)s and seq = 3",
                "update auditoria set seq = 3 where tenant_id = %(tenant)s and seq = 99",
            ),
            [
                *(Break.at(2, "inserida"), Break.at(2, "alterada")),
                *(Break.at(3, "inserida"), Break.at(3, "alterada")),
                Break.at(4, "inserida"),
            ],
        ),
    ],
    ids=["altered", "removed", "cut_short", "emptied", "beheaded", "swapped"],
)
async def test_what_is_done_behind_the_guard_is_found(
    database: Database, scope: Scope, tamper: Tamper, statements: tuple[str, ...], expected: list[Break]
) -> None:
    await _append(database, scope, *"abcdef")
    tamper(scope.tenant_id, *statements)
    assert list((await _verified(database, scope)).quebras) == expected


@pytest.mark.parametrize("change", ["update auditoria set alvo = 'x'", "delete from auditoria", "truncate auditoria"])
async def test_not_even_the_owner_rewrites_an_entry_while_the_guard_is_on(
    database: Database, scope: Scope, urls: tuple[str, str], change: str
) -> None:
    await _append(database, scope, "a")
    with psycopg.connect(libpq_url(urls[0])) as connection:
        connection.execute("select set_config('app.tenant_id', %s, true)", (scope.tenant_id,))
        with pytest.raises(psycopg.errors.RestrictViolation, match="only ever added"):
            connection.execute(change.encode())
