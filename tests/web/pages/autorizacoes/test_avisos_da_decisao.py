"""What a decision rests on and nobody read is told where people and programs look. Source: design, "Right, on what customers really send"."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import httpx
import pytest

from crivo.kernel.access import Usuario
from crivo.kernel.tenancy import Scope

NewPerson = Callable[..., Awaitable[Usuario]]
SignedIn = Callable[[Scope, str], Awaitable[httpx.AsyncClient]]


@pytest.fixture
async def gestora(scope: Scope, new_person: NewPerson, signed_in: SignedIn) -> httpx.AsyncClient:
    return await signed_in(scope, (await new_person(scope, "gestor")).ator)


async def test_a_phrase_of_the_regra_that_nobody_read_is_told_beside_the_approval(
    api: httpx.AsyncClient, gestora: httpx.AsyncClient, politica: dict[str, Any], pedido: dict[str, Any]
) -> None:
    politica["regras"][0]["observacoes"] = "acima de R$ 20.000 enviar para junta"
    assert (await api.post("/api/politicas?publicar=true", json=politica)).status_code == 201
    answer = await api.post("/api/autorizacoes", json=pedido)
    assert answer.json()["decisao_final"] == "APROVADO"
    assert answer.headers["crivo-aviso"] == "observacao_nao_lida"
    shown = (await gestora.get(answer.headers["location"].removeprefix("/api"))).text
    assert "“acima de R$ 20.000 enviar para junta”" in shown.partition("Como a decisão foi tomada")[0]


async def test_a_decision_that_no_unread_phrase_could_change_says_nothing(
    api: httpx.AsyncClient, published: str, pedido: dict[str, Any]
) -> None:
    assert "crivo-aviso" not in (await api.post("/api/autorizacoes", json=pedido)).headers
