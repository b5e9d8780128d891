"""What models cost, looked at on a phone and in the dark: from a picture of days to the calls for one thing."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from decimal import Decimal
from typing import Any

import pytest
from playwright.async_api import expect

from crivo.bootstrap import Container
from crivo.kernel.access import Sessoes, Usuario
from crivo.kernel.clock import SystemClock
from crivo.kernel.llm.ledger import Answer, Call, Ledger
from crivo.kernel.tenancy import Scope
from navegador import IS_MISSING, approve, let_in, opened

NewPerson = Callable[..., Awaitable[Usuario]]
pytestmark = pytest.mark.skipif(IS_MISSING, reason="no Chromium was found on this machine")
CONVERSA = "conversa:0198a6f4-0000-7000-8000-000000000001"


async def test_whoever_pays_finds_what_a_conversation_cost_and_how_each_call_went(
    shared_server: Any, container: Container, scope: Scope, new_person: NewPerson
) -> None:
    ledger = Ledger(container.database, SystemClock())
    for number, (agente, falha) in enumerate((("clinicas.planner", ""), ("clinicas.responder", "demorou"), ("triagem.criterio", ""))):
        origem = CONVERSA if agente.startswith("clinicas") else "execucao:1"
        answer = Answer(b"", 2_000, 100, Decimal("0.75"), duracao_ms=1_500, falha=falha)
        await ledger.note(scope, Call("openai:gpt-5", b"p", bytes([number]), prompt_versao="4"), origem, answer, agente)
    link = await Sessoes(container.database, container.clock).create_link(scope, (await new_person(scope, "gestor")).ator)
    async with opened(shared_server.address, "dark", 360) as page:
        await let_in(page, link)
        await page.goto("/admin/execucoes")
        await page.get_by_role("link", name="Ver por aplicação, modelo e agente").click()
        await expect(page.get_by_role("img", name="Custo por dia, de ")).to_be_visible()
        await approve(page, "custos-celular")
        await page.get_by_role("link", name="Clínicas", exact=True).click()
        await expect(page.get_by_role("cell", name="US$ 1,50").first).to_be_visible()
        await page.set_viewport_size({"width": 1280, "height": 800})
        await page.get_by_text("Ver os dias em números").click()
        await approve(page, "custos-escuro")
        await page.get_by_role("link", name=f"ver as chamadas de {CONVERSA}").click()
        await expect(page.get_by_text("Demorou demais", exact=True).last).to_be_visible()
        await expect(page.get_by_role("row")).to_have_count(3)
        await approve(page, "chamadas-escuro")
