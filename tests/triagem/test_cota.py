"""Editais, projects and bytes of documents are held to the organisation's quota in the transaction that brings them in."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from decimal import Decimal

import pytest

from chamadas import importacao
from crivo.kernel.clock import SystemClock
from crivo.kernel.cotas import CotaAtingida, Nome, set_cotas
from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import Scope
from crivo.triagem import cota
from crivo.triagem.service import Triagem


async def quota(database: Database, scope: Scope, nome: Nome, many: int) -> None:
    async with database.unit_of_work(scope) as uow:
        await set_cotas(uow, {nome: Decimal(many)})


async def used(database: Database, scope: Scope) -> dict[str, int]:
    async with database.unit_of_work(scope) as uow:
        return {name: int(value) for name, value in (await cota.measure(uow, SystemClock().now())).items()}


async def test_an_import_with_more_projects_than_fit_is_refused_whole_with_how_many_do(
    triagem: Triagem, database: Database, scope: Scope
) -> None:
    await quota(database, scope, "projetos", 5)
    await triagem.importar(scope, importacao(3))
    with pytest.raises(CotaAtingida, match="3 dos 5 projetos: só cabem mais 2, e aqui vêm 3"):
        await triagem.importar(scope, importacao(3, "ED-2"))
    assert (await used(database, scope))["editais"] == 1, "nothing of it was kept"
    await triagem.importar(scope, importacao(2, "ED-2"))


async def test_the_same_edital_again_takes_no_more_room_and_one_with_fewer_makes_some(
    triagem: Triagem, database: Database, scope: Scope
) -> None:
    await quota(database, scope, "projetos", 3)
    await triagem.importar(scope, importacao(3))
    await triagem.importar(scope, importacao(3))
    await triagem.importar(scope, importacao(1))
    await triagem.importar(scope, importacao(2, "ED-2"))
    with pytest.raises(CotaAtingida):
        await triagem.importar(scope, importacao(2))


async def test_of_two_imports_that_would_be_the_last_one_is(triagem: Triagem, database: Database, scope: Scope) -> None:
    await quota(database, scope, "projetos", 4)
    outcomes = await asyncio.gather(*(triagem.importar(scope, importacao(3, f"ED-{n}")) for n in range(3)), return_exceptions=True)
    assert [isinstance(one, CotaAtingida) for one in outcomes].count(True) == 2
    assert (await used(database, scope))["projetos"] == 3


async def test_an_edital_more_than_there_may_be_is_refused(triagem: Triagem, database: Database, scope: Scope) -> None:
    await quota(database, scope, "editais", 1)
    await triagem.importar(scope, importacao(1))
    await triagem.importar(scope, importacao(2))
    with pytest.raises(CotaAtingida, match="usa 1 de 1 edital: nada mais cabe"):
        await triagem.importar(scope, importacao(1, "ED-2"))


async def test_documents_that_do_not_fit_leave_nothing_and_what_is_less_than_before_is_let_in(
    triagem: Triagem, database: Database, scope: Scope, new_tenant: Callable[[], Scope]
) -> None:
    await triagem.importar(scope, importacao(2, documentos=2))
    before = await used(database, scope)
    await quota(database, scope, "bytes_documentos", before["bytes_documentos"])
    with pytest.raises(CotaAtingida, match="de documentos: nada mais cabe"):
        await triagem.importar(scope, importacao(4, "ED-2"))
    assert await used(database, scope) == before
    await quota(database, scope, "bytes_documentos", 1)
    await triagem.importar(scope, importacao(1, documentos=1))
    assert 0 < (await used(database, scope))["bytes_documentos"] < before["bytes_documentos"]
    assert (await used(database, new_tenant()))["bytes_documentos"] == 0
