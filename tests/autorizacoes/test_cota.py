"""Decisions of a day are counted as they are stored, and the last one of a quota is stored once, however many come at once."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from datetime import datetime
from decimal import Decimal
from typing import Any

import pytest

from casos import pedido, regra
from crivo.autorizacoes import cota
from crivo.autorizacoes.leitura import PedidoIlegivel
from crivo.autorizacoes.politicas.service import Politicas
from crivo.autorizacoes.politicas.vigentes import Vigentes
from crivo.autorizacoes.service import Autorizacoes, Decidida
from crivo.kernel.audit import verify_tenant
from crivo.kernel.clock import FixedClock, today
from crivo.kernel.cotas import CotaEsgotada, set_cotas
from crivo.kernel.identity import Uuid7
from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import Scope

NOW = FixedClock(datetime.fromisoformat("2026-11-20T22:00:00-03:00"))
TOMORROW = FixedClock(datetime.fromisoformat("2026-11-21T00:00:01-03:00"))


def server(database: Database, clock: FixedClock = NOW) -> Autorizacoes:
    """One process that decides; others beside it know nothing of what it has under way."""
    return Autorizacoes(database, Vigentes(), clock, Uuid7(clock).new)


@pytest.fixture
async def published(database: Database, scope: Scope) -> None:
    head = {"administradora_id": "ADM-1", "documento": "Manual", "versao": "1", "vigencia_inicio": "2026-01-01", "regras": [regra()]}
    await Politicas(database, NOW, Uuid7(NOW).new).importar(scope, json.dumps(head).encode(), publicar=True)


def raw(**changes: Any) -> bytes:
    return json.dumps(pedido(**changes)).encode()


async def quota(database: Database, scope: Scope, many: int | None) -> None:
    async with database.unit_of_work(scope) as uow:
        await set_cotas(uow, {} if many is None else {"decisoes_por_dia": Decimal(many)})


async def counted(database: Database, scope: Scope) -> tuple[int, int]:
    async with database.unit_of_work(scope) as uow:
        stored = await uow.connection.exec_driver_sql("select count(*) from autorizacoes where tenant_id = %s", (scope.tenant_id,))
        return int((await cota.measure(uow, NOW.now()))["decisoes_por_dia"]), int(stored.scalar_one())


@pytest.mark.usefixtures("published")
async def test_of_many_who_come_at_two_servers_at_once_as_many_are_stored_as_the_day_has_room_for(database: Database, scope: Scope) -> None:
    await quota(database, scope, 13)
    one, two = server(database), server(database)
    asked = [server_.decidir(scope, raw(pedido_id=f"P-{n}")) for n in range(40) for server_ in (one, two)]
    outcomes = await asyncio.gather(*asked, return_exceptions=True)
    assert sum(isinstance(outcome, Decidida) for outcome in outcomes) == 13
    refused = [outcome for outcome in outcomes if isinstance(outcome, CotaEsgotada)]
    assert len(refused) == 80 - 13
    assert refused[0].retry_after_seconds == 2 * 3600
    assert "13 das 13 decisões de hoje: nada mais cabe" in refused[0].mensagem
    assert "meia-noite" in refused[0].mensagem
    assert await counted(database, scope) == (13, 13)
    async with database.unit_of_work(scope) as uow:
        assert (await verify_tenant(uow)).quebras == ()


@pytest.mark.usefixtures("published")
async def test_what_is_sent_again_under_its_key_is_answered_and_counts_once_though_the_day_is_full(
    database: Database, scope: Scope
) -> None:
    await quota(database, scope, 2)
    um = server(database)
    first = await um.decidir(scope, raw(), "k-1")
    again = await asyncio.gather(*(um.decidir(scope, raw(), "k-1") for _ in range(5)), um.decidir(scope, raw(pedido_id="P-2")))
    assert [one.repetida for one in again] == [True] * 5 + [False]
    with pytest.raises(CotaEsgotada):
        await um.decidir(scope, raw(pedido_id="P-3"), "k-3")
    assert (await um.decidir(scope, raw(), "k-1")).autorizacao.id == first.autorizacao.id
    await quota(database, scope, 3)
    assert not (await um.decidir(scope, raw(pedido_id="P-3"), "k-3")).repetida, "a key that was refused is free"
    assert await counted(database, scope) == (3, 3)


@pytest.mark.usefixtures("published")
async def test_a_pedido_that_cannot_be_read_takes_nobody_s_place_and_the_day_begins_anew_at_midnight(
    database: Database, scope: Scope
) -> None:
    await quota(database, scope, 1)
    with pytest.raises(PedidoIlegivel):
        await server(database).decidir(scope, b"{")
    await server(database).decidir(scope, raw())
    with pytest.raises(CotaEsgotada):
        await server(database).decidir(scope, raw())
    await server(database, TOMORROW).decidir(scope, raw())
    async with database.unit_of_work(scope) as uow:
        assert [await cota.count_of_month(uow, TOMORROW.now()) for _ in range(2)] == [2, 2]
        assert await cota.count_of_month(uow, NOW.now()) == 1


@pytest.mark.usefixtures("published")
async def test_without_a_quota_decisions_are_counted_all_the_same_each_organisation_s_apart(
    database: Database, scope: Scope, new_tenant: Callable[[], Scope]
) -> None:
    other = new_tenant()
    await quota(database, other, 0)
    await asyncio.gather(*(server(database).decidir(scope, raw(pedido_id=f"P-{n}")) for n in range(5)))
    with pytest.raises(CotaEsgotada):
        await server(database).decidir(other, raw())
    assert (await counted(database, scope), await counted(database, other)) == ((5, 5), (0, 0))
    await quota(database, scope, 5)
    with pytest.raises(CotaEsgotada, match="5 das 5"):
        await server(database).decidir(scope, raw())


@pytest.mark.usefixtures("published")
async def test_a_quota_below_what_the_day_has_refuses_more_and_counts_nothing_down(database: Database, scope: Scope) -> None:
    await asyncio.gather(*(server(database).decidir(scope, raw(pedido_id=f"P-{n}")) for n in range(3)))
    await quota(database, scope, 1)
    with pytest.raises(CotaEsgotada, match="usa 3 de 1 decisão de hoje: nada mais cabe"):
        await server(database).decidir(scope, raw())
    assert await counted(database, scope) == (3, 3)
    async with database.unit_of_work(scope) as uow:
        full = await cota.is_full(uow, today(NOW))
    assert full is not None
    assert (full.no_dia, full.limite) == (3, 1)


@pytest.mark.usefixtures("published")
async def test_what_is_stored_while_there_is_no_quota_counts_once_there_is_one_again(database: Database, scope: Scope) -> None:
    um = server(database)
    for many, stored in ((10, 3), (None, 4), (10, 3)):
        await quota(database, scope, many)
        await asyncio.gather(*(um.decidir(scope, raw(pedido_id=f"P-{n}")) for n in range(stored)))
    with pytest.raises(CotaEsgotada, match="10 das 10"):
        await um.decidir(scope, raw())
    assert await counted(database, scope) == (10, 10)
