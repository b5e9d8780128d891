"""How often one key may ask."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import replace

import httpx
import pytest

from crivo.bootstrap import Container
from crivo.kernel.settings import Settings
from crivo.kernel.tenancy import Scope
from crivo.web.app import create_app
from crivo.web.limiter import Limiter
from crivo.web.problems import PedidosDemais


async def test_a_key_over_its_limit_is_told_when_to_come_back() -> None:
    limiter = Limiter(3)
    for _ in range(3):
        await limiter.hit("local", "chave:a")
    with pytest.raises(PedidosDemais) as refused:
        await limiter.hit("local", "chave:a")
    assert 1 <= refused.value.retry_after_seconds <= 60


async def test_each_key_and_each_tenant_is_counted_apart() -> None:
    limiter = Limiter(1)
    for tenant, key in (("um", "chave:a"), ("um", "chave:b"), ("dois", "chave:a")):
        await limiter.hit(tenant, key)
    with pytest.raises(PedidosDemais):
        await limiter.hit("dois", "chave:a")


async def test_zero_is_no_limit() -> None:
    limiter = Limiter(0)
    answered = 0
    for _ in range(500):
        await limiter.hit("local", "chave:a")
        answered += 1
    assert answered == 500


async def test_over_http_it_is_a_429_with_retry_after(
    settings: Settings, container: Container, scope: Scope, new_key: object, anonymous: httpx.AsyncClient
) -> None:
    assert callable(new_key)
    key = await new_key(scope)
    app = create_app(settings.model_copy(update={"limite_por_minuto": 2}), lambda chosen: nullcontext(_with(container, chosen)))
    async with app.router.lifespan_context(app):
        headers = {"authorization": f"Bearer {key}"}
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://crivo.teste", headers=headers) as client:
            answers = [await client.get("/api/agentes") for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert answers[2].json()["codigo"] == "pedidos_demais"
    assert int(answers[2].headers["retry-after"]) >= 1


def _with(container: Container, settings: Settings) -> Container:
    return replace(container, settings=settings)
