"""Refusals are in the audit: so many one by one, the rest counted, and nobody's e-mail among them."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta

import msgspec
import psycopg
import pytest

from crivo.kernel.access import Recusas, create_chave, revoke_chave
from crivo.kernel.audit import Entry
from crivo.kernel.audit.listing import list_latest
from crivo.kernel.clock import FixedClock
from crivo.kernel.storage.session import Database
from crivo.kernel.storage.urls import libpq_url
from crivo.kernel.tenancy import Scope

_CLOCK = FixedClock(datetime(2026, 11, 20, 13, tzinfo=UTC))


async def _told(database: Database, scope: Scope, acao: str) -> list[Entry]:
    async with database.unit_of_work(scope) as uow:
        return [one for one in await list_latest(uow, 100) if one.acao == acao]


async def test_a_password_that_was_not_taken_is_told_without_the_e_mail(database: Database, scope: Scope) -> None:
    """Source: design/sujeito.md, table, 7."""
    recusas = Recusas(database, _CLOCK)
    for email, address in (("Ana@exemplo.org ", "10.0.0.1"), ("ana@exemplo.org", "10.0.0.2"), ("bia@exemplo.org", "10.0.0.1")):
        await recusas.senha(scope, email, address)
    bia, other, ana = await _told(database, scope, "entrada_recusada")
    assert ana.alvo == other.alvo != bia.alvo
    assert ana.dados == bia.dados != other.dados
    assert not any("exemplo" in f"{one.alvo}{one.dados}{one.ator}" or "10.0.0" in one.dados for one in (ana, other, bia))


async def test_beyond_so_many_an_hour_they_are_counted_and_the_count_is_told_with_the_next(
    database: Database, scope: Scope, urls: tuple[str, str]
) -> None:
    recusas = Recusas(database, _CLOCK, per_pair=2)
    await asyncio.gather(*(recusas.senha(scope, "ana@exemplo.org", "10.0.0.1") for _ in range(7)))
    assert len(await _told(database, scope, "entrada_recusada")) == 2
    with psycopg.connect(libpq_url(urls[0])) as connection:
        connection.execute("select set_config('app.tenant_id', %s, true)", (scope.tenant_id,))
        connection.execute("update recusas set desde = desde - interval '2 hours' where tenant_id = %s", (scope.tenant_id,))
    await recusas.senha(scope, "bia@exemplo.org", "10.0.0.9")
    assert msgspec.json.decode((await _told(database, scope, "entrada_recusada"))[0].dados)["omitidas"] == 5


async def test_many_accounts_from_many_addresses_do_not_fill_the_disk_either(database: Database, scope: Scope) -> None:
    recusas = Recusas(database, _CLOCK, of_all=3)
    for number in range(8):
        await recusas.senha(scope, f"{number}@exemplo.org", f"10.0.0.{number}")
    assert len(await _told(database, scope, "entrada_recusada")) == 3


async def test_a_tenant_that_is_none_is_told_in_the_log_and_hinders_nobody(
    database: Database, scope: Scope, urls: tuple[str, str], caplog: pytest.LogCaptureFixture
) -> None:
    recusas, none = Recusas(database, _CLOCK), Scope("nunca-houve", "entrada")
    await recusas.senha(none, "ana@exemplo.org", "10.0.0.1")
    assert "recusa_sem_registro" in caplog.messages
    with psycopg.connect(libpq_url(urls[0])) as connection:
        connection.execute("select set_config('app.tenant_id', %s, true)", (none.tenant_id,))
        assert connection.execute("select count(*) from recusas where tenant_id = %s", (none.tenant_id,)).fetchone() == (0,)
    await recusas.senha(scope, "ana@exemplo.org", "10.0.0.1")
    assert len(await _told(database, scope, "entrada_recusada")) == 1


async def test_a_key_that_serves_no_more_is_told_once_an_hour_with_how_often_it_came(database: Database, scope: Scope) -> None:
    """Source: design/sujeito.md, table, 7."""
    ticks = [0.0]
    recusas = Recusas(database, _CLOCK, ticks=lambda: ticks[0])
    now = _CLOCK.now()
    async with database.unit_of_work(scope) as uow:
        made = await create_chave(uow, now, "Portal", ["autorizacoes:ler"], now + timedelta(days=1))
    async with database.unit_of_work(scope) as uow:
        await revoke_chave(uow, now, made.chave.id)
    for _ in range(4):
        await recusas.chave(made.segredo)
    await recusas.chave(f"crv_{scope.tenant_id}_{'0' * 16}_{'0' * 64}")  # nobody's
    await recusas.chave("nada disso")
    assert [(one.alvo, one.dados) for one in await _told(database, scope, "chave_recusada")] == [(f"chave:{made.chave.id}", "{}")]
    ticks[0] += 3_600
    await recusas.chave(made.segredo)
    assert (await _told(database, scope, "chave_recusada"))[0].dados == '{"omitidas":3}'
