"""A reviewer's day at the queue in a real browser: find, claim, decide, let go, with the keyboard, on a phone and on a desk."""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from playwright.async_api import expect

from crivo.bootstrap import Container
from crivo.kernel.tenancy import Scope
from navegador import IS_MISSING, approve, let_in, opened

pytestmark = [pytest.mark.skipif(IS_MISSING, reason="no Chromium was found on this machine"), pytest.mark.usefixtures("published")]


@pytest.fixture
async def fila(container: Container, scope: Scope, pedido: dict[str, Any], published: str) -> None:
    """Twelve that wait, every third of them urgent, and one about something else."""
    for number in range(12):
        sent = {**pedido, "pedido_id": f"REVER-{number:02}", "documentos_anexos": [], "urgencia": number % 3 == 0}
        if number == 7:
            sent["procedimento"] = {**pedido["procedimento"], "descricao": "Ressonância do crânio"}
        await container.autorizacoes.decidir(scope, json.dumps(sent).encode())


async def test_a_reviewer_finds_claims_decides_and_lets_go(shared_server: Any, fila: None, link_of: Callable[..., Awaitable[str]]) -> None:
    async with opened(shared_server.address, "light", 390) as page:
        await let_in(page, await link_of("gestor"))
        await page.goto("/autorizacoes/fila")
        await approve(page, "fila-prazos-light-390")
        await page.get_by_role("searchbox").fill("ressonancia")
        await page.keyboard.press("Enter")
        await expect(page.get_by_role("link", name="REVER-07", exact=True)).to_be_visible()
        await page.set_viewport_size({"width": 1280, "height": 800})
        await page.goto("/autorizacoes/fila?urgencia=sim")
        await page.get_by_label("Todas as 4 deste filtro").focus()
        await page.keyboard.press("Space")
        await page.get_by_role("button", name="Assumir", exact=True).first.press("Enter")
        await expect(page.get_by_role("heading", name="Assumir: 4 decisões")).to_be_visible()
        await approve(page, "fila-partilha-light-1280")
        await page.get_by_role("button", name="Assumir").press("Enter")
        await expect(page.get_by_text("4 decisões mudaram de mãos.")).to_be_visible()
        await approve(page, "fila-assumidas-light-1280")
        await page.get_by_role("button", name=re.compile("Pegar.*REVER-00")).click()
        await expect(page.get_by_text("Prazo para responder:")).to_be_visible()
        await page.get_by_role("combobox", name="Decisão").select_option("APROVADO")
        await page.get_by_label("Motivo").fill("O laudo chegou por outro canal e foi conferido.")
        await page.get_by_role("button", name="Decidir e ver").click()
        await page.goto("/autorizacoes/fila?quem=minhas")
        await page.get_by_label("Marcar o pedido REVER-03").check()
        await page.get_by_role("button", name="Soltar", exact=True).click()
        await page.get_by_role("button", name="Soltar").click()
        await expect(page.get_by_text("1 decisão mudou de mãos.")).to_be_visible()
        await page.get_by_role("button", name="Desfazer").click()
        await expect(page.get_by_text("Desfeito: voltou ao que valia antes.")).to_be_visible()
        await expect(page.get_by_role("link", name="REVER-03", exact=True)).to_be_visible()
        await page.get_by_role("link", name="Dias que contam").click()
        await approve(page, "calendarios-light-1280")
