"""A pasted pedido clicked into a format in a real browser: paste, point, say what a word means, prove, publish; then the API reads it so."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.async_api import expect

from crivo.bootstrap import Container
from crivo.kernel.tenancy import Scope
from navegador import IS_MISSING, approve, let_in, opened

pytestmark = pytest.mark.skipif(IS_MISSING, reason="no Chromium was found on this machine")

DELES: dict[str, Any] = {
    "claim": {
        "header": {"payer": {"code": "ACME-77"}, "number": "C-2026-118204", "date": "05/11/2026 14:32", "priority": "ROUTINE", "plan": {"name": "PRATA"}},
        "member": {"card": "0090417.33.0240-0", "birth": "02/03/1984", "since": "01/02/2024", "vip": "N"},
        "services": [{"code": "4.11.01.01-4", "qty": 1, "label": "RM"}, {"code": "2.01.03.09-3", "qty": 10, "label": "FISIO"}],
        "attachments": ["LAUDO MEDICO", "XRAY IMG"],
    }
}  # fmt: skip


async def test_a_manager_clicks_a_format_together_publishes_it_and_the_api_decides_by_it(
    shared_server: Any, container: Container, scope: Scope, politica: dict[str, Any], link_of: Any, new_key: Any
) -> None:
    await container.politicas.importar(scope, json.dumps(politica).encode(), publicar=True)
    async with opened(shared_server.address, "light", 1280) as page:
        await let_in(page, await link_of("gestor"))
        await page.goto("/formatos")
        await page.get_by_role("link", name="Colar um pedido").click()
        await page.get_by_label("Um pedido, sem mudar nada").fill(json.dumps(DELES))
        await page.get_by_role("button", name="Ver os campos").click()
        await expect(page.get_by_role("status").first).to_contain_text("Pedido lido como JSON")
        await page.get_by_label("Nome do formato").fill("acme-2026")
        await page.get_by_label("Administradora").fill("ADM-TESTE")
        # The five that are needed, one value after the other: each next field is chosen by itself.
        for valor in ("C-2026-118204", "PRATA", "0090417.33.0240-0", "4.11.01.01-4"):
            await page.get_by_role("button", name=f"“{valor}”").click()
            await expect(page.get_by_role("button", name=f"“{valor}” , lido no campo")).to_be_visible()
        await page.get_by_role("button", name="1", exact=True).first.click()
        await expect(page.get_by_text("Quantidade é lido de")).to_be_visible()
        await page.get_by_role("button", name="“ACME-77”").click()
        await expect(page.get_by_text("Como se reconhece é lido de")).to_be_visible()
        await page.get_by_role("button", name="Propor o que falta").click()
        await page.get_by_role("button", name="propostas").click()
        await expect(page.get_by_label("XRAY IMG é")).to_be_visible()
        await approve(page, "formatos-claro-1280")
        await page.get_by_label("XRAY IMG é").select_option(label="relatório clínico")
        await page.get_by_role("button", name="Usar para XRAY IMG").click()
        await expect(page.get_by_label("XRAY IMG é")).to_be_hidden()
        await page.get_by_role("button", name="Desfazer").click()
        await expect(page.get_by_label("XRAY IMG é")).to_be_visible()
        await page.get_by_label("XRAY IMG é").select_option(label="relatório clínico")
        await page.get_by_role("button", name="Usar para XRAY IMG").click()
        await expect(page.get_by_label("XRAY IMG é")).to_be_hidden()
        await page.emulate_media(color_scheme="dark")
        await page.set_viewport_size({"width": 390, "height": 844})
        await approve(page, "formatos-escuro-390")
        await page.get_by_role("button", name="Publicar").click()
        await expect(page.get_by_role("heading", name="Publicar este formato?")).to_be_visible()
        await approve(page, "formatos-publicar-escuro-390")
        await page.get_by_role("button", name="Publicar").click()
        await expect(page.get_by_text("já são lidos por ele")).to_be_visible()
        await approve(page, "formatos-versao-escuro-390")
        key = await new_key(scope)
        answered = await page.context.request.post("/api/autorizacoes", headers={"authorization": f"Bearer {key}"}, data=DELES)
        decisoes = (await answered.json())["decisoes"]
        assert [um["decisao"]["pedido_id"] for um in decisoes] == ["C-2026-118204-1", "C-2026-118204-2"]
        assert decisoes[0]["decisao"]["decisao_final"] == "APROVADO"
        await page.goto(f"/autorizacoes/{decisoes[0]['id']}")
        await expect(page.get_by_role("link", name="acme-2026, versão 1")).to_be_visible()
        await approve(page, "decisao-por-formato-escuro-390")
