"""A draft simulated in a real browser, from the version to what it changes, a case, and the publication."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from playwright.async_api import expect

from crivo.bootstrap import Container
from crivo.kernel.tenancy import Scope
from navegador import IS_MISSING, approve, fits, let_in, opened

pytestmark = pytest.mark.skipif(IS_MISSING, reason="no Chromium was found on this machine")


async def test_a_manager_simulates_a_draft_sees_a_case_and_publishes(
    shared_server: Any, container: Container, scope: Scope, politica: dict[str, Any], pedido: dict[str, Any], link_of: Any
) -> None:
    await container.politicas.importar(scope, json.dumps(politica).encode(), publicar=True)
    for numero in range(1, 4):
        procedimento = {**pedido["procedimento"], "quantidade": numero}
        await container.autorizacoes.decidir(
            scope, json.dumps({**pedido, "pedido_id": f"SIM-{numero}", "procedimento": procedimento}).encode()
        )
    regras = [
        {**politica["regras"][0], "limite_quantidade": 1, "carencia_min_dias": 0, "coparticipacao_percentual": 45},
        politica["regras"][1],
    ]
    rascunho = json.dumps({**politica, "versao": "1.1", "vigencia_inicio": "2027-01-01", "regras": regras}).encode()
    nova = (await container.politicas.importar(scope, rascunho)).politica.id
    async with opened(shared_server.address, "light", 1280) as page:
        await let_in(page, await link_of("gestor"))
        await page.goto(f"/politicas/{nova}")
        await page.get_by_role("link", name="Simular").click()
        await expect(page.get_by_role("heading", name="1 de 3 decisões mudaria")).to_be_visible()
        await approve(page, "simular-claro-1280")
        await page.get_by_role("link", name=re.compile("^1 caso de aprovado para em parte")).click()
        await expect(page.get_by_role("link", name="Tirar o filtro: Aprovado → Aprovado em parte")).to_be_visible()
        await page.get_by_text("Motivos e regras").click()
        await expect(page.get_by_text("A quantidade pedida passa do limite da regra", exact=True)).to_be_visible()
        await page.emulate_media(color_scheme="dark")
        await page.set_viewport_size({"width": 390, "height": 844})
        assert await fits(page)
        matriz = page.get_by_role("region", name="Matriz de antes e depois")
        assert await matriz.evaluate("one => one.scrollWidth <= one.clientWidth"), "an outcome is out of sight"
        await approve(page, "simular-escuro-390")
        await page.get_by_role("link", name=re.compile("^coparticipação")).click()
        await expect(page.get_by_role("heading", name="Casos com a mesma decisão")).to_be_visible()
        await expect(page.get_by_text(re.compile("Coparticipação: .* → 45%"))).to_have_count(
            await page.locator("[data-label=Decisão]").count() + 1
        )
        await approve(page, "simular-mesma-escuro-390")
        waiting = page.get_by_text("Decidindo de novo os pedidos do período")
        await expect(waiting).to_be_hidden()
        await page.locator("form[action='/politicas/simular'][method=get]").evaluate(
            "form => { form.addEventListener('submit', event => event.preventDefault(), { once: true }); form.setAttribute('aria-busy', 'true'); }"
        )
        await expect(waiting).to_be_visible()
        await page.get_by_text("Simular sobre um arquivo de pedidos").click()
        await page.set_input_files("input[type=file]", {"name": "erp.csv", "mimeType": "text/csv", "buffer": b"a;b\n1;2\n"})
        await page.get_by_role("button", name="Simular sobre o arquivo").click()
        await expect(page.get_by_role("heading", name="Nenhum pedido do arquivo pôde ser lido")).to_be_visible()
        await expect(page.get_by_text("nenhum formato publicado lê tabelas")).to_be_visible()
        await page.goto(f"/politicas/simular?rascunho={nova}")
        await page.get_by_role("link", name="SIM-2").click()
        await expect(page.get_by_role("heading", name="SIM-2")).to_be_visible()
        await page.goto(f"/politicas/{nova}/publicar")
        await expect(page.get_by_text("1 de 3 decisões mudaria.")).to_be_visible()
        await page.get_by_role("button", name="Publicar", exact=True).click()
        await expect(page.get_by_text("Publicada, ainda não vale").first).to_be_visible()
