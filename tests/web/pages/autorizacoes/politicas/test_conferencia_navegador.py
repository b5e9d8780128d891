"""The journey of a draft with errors: seen with its smallest pedido, refused, and published with a reason."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from playwright.async_api import expect

from crivo.bootstrap import Container
from crivo.kernel.tenancy import Scope
from navegador import IS_MISSING, approve, let_in, opened

pytestmark = pytest.mark.skipif(IS_MISSING, reason="no Chromium was found on this machine")


async def test_a_draft_with_errors_is_published_only_with_a_reason(
    shared_server: Any, container: Container, scope: Scope, politica: dict[str, Any], link_of: Callable[[str], Any]
) -> None:
    primeira = {"regra_id": "A-1", "codigo": "20103093", "cobertura": "COBERTA", "limite_quantidade": 12}
    segunda = {**primeira, "regra_id": "A-2", "limite_quantidade": 20}
    terceira = {"regra_id": "A-3", "codigo": "4110*", "cobertura": "CONDICIONAL", "documentos_obrigatorios": ["LAUDO_MEDCO"]}
    documento = {**politica, "documento": "Com erros", "regras": [primeira, segunda, terceira]}
    made = (await container.politicas.importar(scope, json.dumps(documento).encode())).politica.id
    async with opened(shared_server.address, "light", 1280, refused=422) as page:
        await let_in(page, await link_of("gestor"))
        await page.goto(f"/politicas/{made}")
        conflito = page.get_by_role("listitem").filter(has_text="Duas regras dizem coisas diferentes")
        await expect(conflito.get_by_text("O menor pedido que mostra")).to_be_visible()
        await expect(conflito.get_by_text("Aprovado em parte, 12")).to_be_visible()
        await expect(conflito.get_by_text("Aprovado, 13")).to_be_visible()
        await approve(page, "conferencia-light-1280")
        await page.get_by_role("button", name="casos propostos").click()
        await expect(page.get_by_text("Casos aceitos.")).to_be_visible()
        await page.emulate_media(color_scheme="dark")
        await page.set_viewport_size({"width": 390, "height": 900})
        await approve(page, "casos-dark-390")
        await page.goto(f"/politicas/{made}/publicar")
        await expect(page.get_by_role("heading", name="Há 1 erro")).to_be_visible()
        await page.get_by_label("Por que publicar assim").fill("ab")
        await page.get_by_role("button", name="Publicar").click()
        await expect(page.get_by_role("alert")).to_contain_text("Escreva o motivo com 3 a 500 caracteres")
        await approve(page, "publicar-recusado-dark-390")
        await page.get_by_label("Por que publicar assim").fill("A segunda regra sai na próxima versão.")
        await page.get_by_role("button", name="Publicar").click()
        await expect(page.get_by_text("Publicada apesar de 1 erro")).to_be_visible()
        await expect(page.get_by_text("A segunda regra sai na próxima versão.")).to_be_visible()
