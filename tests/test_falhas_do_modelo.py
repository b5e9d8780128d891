"""Whatever a model does, every journey ends: with the decision that code alone takes, and with no text that was not checked.

A matrix: every fault that the provider knows × every part that a model has, over the real gateway, the ledger and a database.
"""

from __future__ import annotations

import asyncio
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pytest

from crivo.kernel.clock import SystemClock
from crivo.kernel.llm.modelo import open_modelo
from crivo.kernel.settings import load_settings
from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import Scope
from jornadas import JORNADAS, Chegada, Jornada, Mundo
from provedor import FALTAS, FALTAS_DE_CAMPOS, FALTAS_DE_VETORES, Pedido, Provedor, QualquerFalta, provedor_no_ar

NENHUMA = "nenhuma"
LEAST_FAULTED_CALLS = 500
_AT_ONCE = 24
_BY_NAME = {jornada.nome: jornada for jornada in JORNADAS}
_BY_FAULT: dict[str, QualquerFalta] = {falta: falta for falta in (*FALTAS, *FALTAS_DE_VETORES)}

Tenants = Callable[[], Scope]
Ended = dict[tuple[str, str], Chegada]  # by fault and journey


def fault_of(pedido: Pedido, earlier: int) -> QualquerFalta | None:
    return _BY_FAULT.get(pedido.modelo.partition("--")[0])


def good_answer(pedido: Pedido) -> Any:
    return _BY_NAME[pedido.modelo.partition("--")[2]].campos(pedido)


@pytest.fixture
def provedor() -> Iterator[Provedor]:
    with provedor_no_ar(Provedor(campos=good_answer, sempre=fault_of, retry_after_seconds=0, dimensoes=64)) as running:
        yield running


async def travel(jornada: Jornada, falta: str, provedor: Provedor, database: Database, scope: Scope, fala: str = "openai") -> Chegada:
    """Go a whole way with a model that has a fault, which its name tells the provider."""
    nome = f"{falta}--{jornada.nome}"
    seconds = 1 if falta == "silencio" else 20  # nothing else is to fail because the machine has much to do
    chosen: dict[str, Any] = {"OPENAI_API_KEY": "chave", "OPENAI_BASE_URL": provedor.url, "modelo_segundos": seconds}
    settings = load_settings(None, modelo=f"{fala}:{nome}", embeddings=f"openai:{nome}", **chosen)
    async with open_modelo(settings, database, SystemClock()) as modelo:
        assert modelo is not None
        return await jornada.anda(Mundo(database, scope, settings, modelo))


async def travel_all(jornadas: Iterable[Jornada], provedor: Provedor, database: Database, new_tenant: Tenants, fala: str) -> Ended:
    """Go every way with every fault; what is wrong at each end, by fault and journey."""
    places = asyncio.Semaphore(_AT_ONCE)

    async def one(jornada: Jornada, falta: QualquerFalta) -> tuple[tuple[str, str], Chegada]:
        async with places:
            return (falta, jornada.nome), await travel(jornada, falta, provedor, database, new_tenant(), fala)

    return dict(await asyncio.gather(*(one(jornada, falta) for jornada in jornadas for falta in jornada.faltas)))


def wrong(ended: Ended) -> dict[tuple[str, str], tuple[str, ...]]:
    return {way: chegada.erros for way, chegada in ended.items() if chegada.erros}


@pytest.mark.parametrize("jornada", JORNADAS, ids=lambda jornada: jornada.nome)
async def test_with_a_model_that_does_its_part_the_journey_ends_in_its_words(
    jornada: Jornada, provedor: Provedor, database: Database, scope: Scope
) -> None:
    assert await travel(jornada, NENHUMA, provedor, database, scope) == Chegada(do_modelo=True, erros=())
    assert provedor.pagos == len(provedor.recebidos) > 0


async def test_whatever_a_model_does_every_journey_ends_as_code_alone_would_end_it(
    provedor: Provedor, database: Database, new_tenant: Tenants
) -> None:
    ended = await travel_all(JORNADAS, provedor, database, new_tenant, "openai")
    assert wrong(ended) == {}
    done = [(anotado.falta, anotado.pedido.modelo.partition("--")[2]) for anotado in provedor.anotados if anotado.falta is not None]
    calls = Counter(falta for falta, _ in done)
    sys.stdout.writelines(f"\n{falta:20} {count:5}" for falta, count in calls.most_common())
    sys.stdout.write(f"\n{calls.total()} faulted calls on {len(ended)} journeys\n")
    # Fields that are all codes have nothing to alter, and a silence may be left before the provider has heard the question.
    assert {way for way in ended if way[0] not in {*FALTAS_DE_CAMPOS, "silencio"}} <= set(done)
    assert set(calls) == set(_BY_FAULT)
    assert calls.total() >= LEAST_FAULTED_CALLS


async def test_the_same_holds_where_a_service_speaks_chat_completions(provedor: Provedor, database: Database, new_tenant: Tenants) -> None:
    jornadas = [_BY_NAME[nome] for nome in ("autorizacoes.parcial", "triagem.criterio")]
    assert wrong(await travel_all(jornadas, provedor, database, new_tenant, "openai-chat")) == {}
    assert {pedido.protocolo for pedido in provedor.recebidos} == {"chat/completions"}
    assert {anotado.falta for anotado in provedor.anotados} >= set(FALTAS)
