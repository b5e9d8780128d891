"""Tries of signing in are counted by all processes together, and nobody learns from the counts who tried."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from uuid import uuid4

import psycopg
import pytest

from crivo.kernel.access import EntradaRecusada, Tentativas, TentativasDemais
from crivo.kernel.storage.session import Database
from crivo.kernel.storage.urls import libpq_url

Urls = tuple[str, str]


@pytest.fixture
async def another(urls: Urls) -> AsyncIterator[Database]:
    """Another process's way into the same database."""
    opened = Database(urls[1])
    yield opened
    await opened.close()


@pytest.fixture
def address() -> str:
    return str(uuid4())


def _rows(urls: Urls) -> list[tuple[bytes, int]]:
    with psycopg.connect(libpq_url(urls[0])) as connection:
        return connection.execute("select chave, cardinality(feitas) from tentativas_de_entrada").fetchall()


def _pass(urls: Urls, seconds: int) -> None:
    """Let so much time pass for all that was counted."""
    with psycopg.connect(libpq_url(urls[0])) as connection:
        connection.execute(
            "update tentativas_de_entrada set feitas = array(select f - make_interval(secs => %(s)s) from unnest(feitas) f), "
            "vence_em = vence_em - make_interval(secs => %(s)s)",
            {"s": seconds},
        )


async def _refused(tentativas: Tentativas, tenant: str, email: str, address: str) -> TentativasDemais:
    with pytest.raises(TentativasDemais) as refused:
        await tentativas.hit(tenant, email, address)
    return refused.value


async def test_two_processes_share_the_count_and_a_restart_does_not_forget_it(database: Database, another: Database, address: str) -> None:
    one, other = Tentativas(database, per_account=3), Tentativas(another, per_account=3)
    for process in (one, other, one):
        await process.hit("local", f"ana-{address}@exemplo.org", address)
    for process in (one, other, Tentativas(another, per_account=3)):
        refused = await _refused(process, "local", f"ANA-{address}@exemplo.org ", address)
        assert 1 <= refused.retry_after_seconds <= 300
        assert re.fullmatch(
            r"Foram muitas tentativas de entrar\. Espere [1-5] minutos? e tente de novo, ou peça um link de entrada\.", refused.mensagem
        )


async def test_another_account_another_tenant_and_another_address_are_not_locked_out(database: Database, address: str) -> None:
    tentativas = Tentativas(database, per_account=1, per_address=4)
    await tentativas.hit("local", f"ana-{address}", address)
    await tentativas.hit("local", f"bia-{address}", address)
    await tentativas.hit("outra", f"ana-{address}", address)
    assert (await _refused(tentativas, "local", f"ana-{address}", address)).retry_after_seconds > 0
    refused = await _refused(tentativas, "local", f"eva-{address}", address)  # the address's fifth
    assert "link de entrada" not in refused.mensagem
    await tentativas.hit("local", f"eva-{address}", f"{address}-vizinho")


async def test_of_many_who_try_at_once_no_more_get_through_than_may(database: Database, another: Database, address: str) -> None:
    processes = [Tentativas(database, per_account=8), Tentativas(another, per_account=8)]
    tries = [processes[at % 2].hit("local", address, f"{address}-{at}") for at in range(30)]
    told = await asyncio.gather(*tries, return_exceptions=True)
    assert [sum(isinstance(one, kind) for one in told) for kind in (type(None), TentativasDemais)] == [8, 22]


async def test_waiting_as_long_as_was_said_always_helps(database: Database, urls: Urls, address: str) -> None:
    tentativas = Tentativas(database, per_account=2)
    await tentativas.hit("local", address, address)
    _pass(urls, 120)
    await tentativas.hit("local", address, address)
    refused = await _refused(tentativas, "local", address, address)
    assert 1 <= refused.retry_after_seconds <= 180  # until the first of the two no longer counts
    _pass(urls, refused.retry_after_seconds)
    await tentativas.hit("local", address, address)
    assert (await _refused(tentativas, "local", address, address)).retry_after_seconds > 0


async def test_only_links_that_are_refused_count(database: Database, another: Database, address: str) -> None:
    one, other = Tentativas(database, per_address=2), Tentativas(another, per_address=2)
    for _ in range(5):
        async with one.link(address):
            pass
    for process in (one, other):
        with pytest.raises(EntradaRecusada):
            async with process.link(address):
                raise EntradaRecusada("")
    for process in (one, other):
        with pytest.raises(TentativasDemais, match=r"Espere [1-5] minutos? e tente de novo\.$"):
            async with process.link(address):
                pytest.fail("a link was looked at")
    async with other.link(f"{address}-vizinho"):
        pass


async def test_the_rows_tell_neither_who_tried_nor_from_where(database: Database, urls: Urls, address: str) -> None:
    before = {chave for chave, _ in _rows(urls)}
    await Tentativas(database).hit("local", f"ana-{address}@exemplo.org", address)
    new = [chave for chave, _ in _rows(urls) if chave not in before]
    assert [len(chave) for chave in new] == [32, 32]
    with psycopg.connect(libpq_url(urls[0])) as connection:
        (columns,) = connection.execute(
            "select array_agg(attname::text order by attnum) from pg_attribute where attrelid = 'tentativas_de_entrada'::regclass and attnum > 0"
        ).fetchall()
        (secret,) = connection.execute("select octet_length(valor) from segredos where nome = 'tentativas_de_entrada'").fetchall()
    assert columns == (["chave", "feitas", "vence_em"],)
    assert secret == (32,)


async def test_old_rows_are_swept_by_whoever_tries_next(database: Database, urls: Urls, address: str) -> None:
    tentativas = Tentativas(database)
    await tentativas.hit("local", address, address)
    _pass(urls, 301)
    await tentativas.hit("local", f"{address}-2", f"{address}-2")
    assert [many for _, many in _rows(urls)] == [1, 1]


async def test_names_that_nobody_can_have_are_counted_like_any(database: Database, address: str) -> None:
    tentativas = Tentativas(database, per_account=1)
    for tenant, email in (("Não É!", f"\ud800{address}"), ("não-há", "x" * 5_000 + address)):
        await tentativas.hit(tenant, email, address)
        await _refused(tentativas, tenant, email, address)
