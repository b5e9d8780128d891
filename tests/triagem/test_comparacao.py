"""Vectors by a service are paid for once, told in the ledger, and replaced by the local ones, with a word on it, where it fails."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import numpy as np
import psycopg
import pytest

from crivo.kernel.clock import FixedClock
from crivo.kernel.llm.ledger import Gasto, cost_of
from crivo.kernel.settings import load_settings
from crivo.kernel.storage.session import Database
from crivo.kernel.storage.urls import libpq_url
from crivo.kernel.tenancy import Scope
from crivo.triagem.comparacao import Comparacao, Comparados
from crivo.triagem.embeddings.transformadores import EmbeddingsUnavailable
from provedor import FALTAS_DE_TROCA, Provedor, QualquerFalta, always, provedor_no_ar

SMALL = "openai:text-embedding-3-small"
CLOCK = FixedClock(datetime(2026, 3, 10, 12, tzinfo=UTC))
TEXTOS = ["oficina de teatro popular", "oficina de teatro de rua", "festival de cinema"]


@pytest.fixture
def provedor() -> Iterator[Provedor]:
    with provedor_no_ar(Provedor(silencio_seconds=2)) as running:
        yield running


async def no_pause(seconds: float) -> None:
    assert seconds >= 0


def comparacao(database: Database, provedor: Provedor, embeddings: str = SMALL, **more: Any) -> Comparacao:
    chosen = {"OPENAI_API_KEY": "chave", "OPENAI_BASE_URL": provedor.url, "modelo_segundos": 1, **more}
    return Comparacao(load_settings(None, embeddings=embeddings, **chosen), database, CLOCK, no_pause)


async def spent(database: Database, scope: Scope, origem: str) -> Gasto:
    async with database.unit_of_work(scope) as uow:
        return await cost_of(uow, origem)


async def test_calls_are_paid_once_under_what_they_are_for(database: Database, scope: Scope, provedor: Provedor) -> None:
    first = await comparacao(database, provedor).read(scope, TEXTOS, "execucao:1")
    again = await comparacao(database, provedor).read(scope, TEXTOS, "execucao:2")
    assert (first.vetores.embedder, first.observacao) == (SMALL, "")
    assert np.array_equal(first.vetores.matriz, again.vetores.matriz)
    assert provedor.pagos == 1
    paid = await spent(database, scope, "execucao:1")
    assert paid.custo > 0
    assert (paid.sem_preco, await spent(database, scope, "execucao:2")) == (0, Gasto(Decimal(0), 0))


async def test_vectors_that_were_paid_for_and_lost_come_from_the_ledger(
    database: Database, urls: tuple[str, str], scope: Scope, provedor: Provedor
) -> None:
    first = await comparacao(database, provedor).read(scope, TEXTOS, "execucao:1")
    with psycopg.connect(libpq_url(urls[0])) as connection:
        connection.execute("select set_config('app.tenant_id', %s, true)", (scope.tenant_id,))
        assert connection.execute("delete from vetores where tenant_id = %s", (scope.tenant_id,)).rowcount == len(TEXTOS)
    again = await comparacao(database, provedor).read(scope, TEXTOS, "execucao:1")
    assert np.array_equal(first.vetores.matriz, again.vetores.matriz)
    assert provedor.pagos == 1


async def test_another_tenant_pays_for_its_own(database: Database, new_tenant: Any, provedor: Provedor) -> None:
    for scope in (new_tenant(), new_tenant()):
        await comparacao(database, provedor).read(scope, TEXTOS, "execucao:1")
    assert provedor.pagos == 2


@pytest.mark.parametrize("falta", [*FALTAS_DE_TROCA, "dimensao_errada", "vetores_a_menos"])
async def test_where_the_service_fails_texts_are_compared_locally_and_that_is_said(
    database: Database, scope: Scope, provedor: Provedor, falta: QualquerFalta
) -> None:
    provedor.sempre = always(falta)
    local = await comparacao(database, provedor, "local").read(scope, TEXTOS, "execucao:1")
    found = await comparacao(database, provedor).read(scope, TEXTOS, "execucao:1")
    assert (found.vetores.embedder, found.vetores.limiar) == ("local-1", 0.75)
    assert np.array_equal(found.vetores.matriz, local.vetores.matriz)
    assert "método local" in found.observacao
    assert "text-embedding-3-small" in found.observacao
    assert local.observacao == ""
    assert (await spent(database, scope, "execucao:1")).custo == 0


async def test_what_failed_once_is_asked_again_the_next_time(database: Database, scope: Scope, provedor: Provedor) -> None:
    provedor.faltas.append("erro_401")
    assert (await comparacao(database, provedor).read(scope, TEXTOS, "execucao:1")).observacao
    assert (await comparacao(database, provedor).read(scope, TEXTOS, "execucao:1")).vetores.embedder == SMALL


async def test_the_budget_of_the_tenant_holds_for_vectors_too(database: Database, scope: Scope, provedor: Provedor) -> None:
    found = await comparacao(database, provedor, limite_custo=Decimal(0)).read(scope, TEXTOS, "execucao:1")
    assert "CRIVO_LIMITE_CUSTO" in found.observacao
    assert provedor.recebidos == []


async def test_the_price_of_a_compatible_service_is_said_to_be_unknown(database: Database, scope: Scope, provedor: Provedor) -> None:
    provedor.dimensoes = 16
    found = await comparacao(database, provedor, f"{provedor.url}#e5").read(scope, TEXTOS, "execucao:1")
    assert found.vetores.matriz.shape == (3, 16)
    assert await spent(database, scope, "execucao:1") == Gasto(Decimal(0), 2)


@pytest.mark.parametrize(("modelo", "shown"), [("", "Bearer chave"), ("openai:gpt-5", "Bearer sem-chave")])
async def test_a_key_of_openai_is_shown_to_no_other_service(
    database: Database, scope: Scope, provedor: Provedor, modelo: str, shown: str
) -> None:
    await comparacao(database, provedor, f"{provedor.url}#e5", modelo=modelo).read(scope, TEXTOS, "execucao:1")
    assert {pedido.cabecalhos["authorization"] for pedido in provedor.recebidos} == {shown}


async def test_without_a_key_the_screening_says_which_is_lacking(database: Database, scope: Scope, provedor: Provedor) -> None:
    with pytest.raises(EmbeddingsUnavailable, match="OPENAI_API_KEY"):
        await comparacao(database, provedor, OPENAI_API_KEY=None).read(scope, TEXTOS, "execucao:1")


async def test_the_order_of_the_texts_is_kept_whatever_was_there_before(database: Database, scope: Scope, provedor: Provedor) -> None:
    one: Comparados = await comparacao(database, provedor).read(scope, TEXTOS[1:], "execucao:1")
    all_three = await comparacao(database, provedor).read(scope, TEXTOS, "execucao:1")
    assert np.array_equal(all_three.vetores.matriz[1:], one.vetores.matriz)


async def test_nobodys_numbers_are_sent(database: Database, scope: Scope, provedor: Provedor) -> None:
    personal = ("529.982.247-25", "rita@exemplo.org")
    await comparacao(database, provedor).read(scope, [f"oficina de teatro de {'; '.join(personal)}"], "execucao:1")
    sent = [text for received in provedor.recebidos for text in received.entradas]
    assert any("oficina de teatro" in text for text in sent)
    assert not any(one in text for one in personal for text in sent)
