"""Regras out of Excel, and a pedido made on a form, in a real browser: each one journey."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from playwright.async_api import expect

from crivo.bootstrap import Container
from crivo.kernel.tenancy import Scope
from navegador import IS_MISSING, approve, let_in, opened
from planilhas_de_politicas import aurora, estrela

pytestmark = pytest.mark.skipif(IS_MISSING, reason="no Chromium was found on this machine")
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


async def test_whoever_keeps_regras_in_excel_sees_their_columns_and_publishes_them(
    shared_server: Any, link_of: Callable[[str], Any]
) -> None:
    async with opened(shared_server.address, "dark", 390) as page:
        await let_in(page, await link_of("gestor"))
        await page.goto("/politicas/importar")
        await page.get_by_role("link", name="Importe a planilha").click()
        chooser = page.get_by_label("Planilha das regras")
        await chooser.set_input_files({"name": "errada.xlsx", "mimeType": XLSX, "buffer": estrela()})
        await page.get_by_role("button", name="Ler a planilha").click()
        await expect(page.get_by_role("rowheader", name="Plan1!C2")).to_be_visible()
        await approve(page, "planilha-com-problemas")
        await chooser.set_input_files({"name": "rol.xlsx", "mimeType": XLSX, "buffer": aurora()})
        await page.get_by_role("button", name="Ler a planilha").click()
        await expect(page.get_by_label("O que é a coluna Cobre?")).to_have_value("cobertura")
        await page.get_by_label("O que é a coluna Obs").select_option("ignorar")
        await page.get_by_label("Documento", exact=True).fill("Rol da Aurora")
        await page.get_by_role("button", name="Ler de novo com estas escolhas").click()
        await expect(page.get_by_text("A planilha serve, com 3 regras")).to_be_visible()
        await approve(page, "planilha-lida")
        await page.get_by_role("button", name="Importar 3 regras como rascunho").click()
        await page.get_by_role("link", name="Ver as regras").click()
        await page.get_by_role("link", name="Publicar").click()
        await page.get_by_role("button", name="Publicar").click()
        await expect(page.get_by_text("Em vigor").first).to_be_visible()
        async with page.expect_download() as downloaded:
            await page.get_by_role("link", name="Excel").click()
        assert (await downloaded.value).suggested_filename.endswith(".xlsx")


async def test_whoever_has_no_system_makes_a_pedido_and_reads_its_decision(
    shared_server: Any, container: Container, scope: Scope, politica: dict[str, Any], link_of: Callable[[str], Any]
) -> None:
    named = {**politica, "regras": [{**politica["regras"][0], "descricao": "Ressonância de crânio"}]}
    await container.politicas.importar(scope, json.dumps(named).encode(), publicar=True)
    async with opened(shared_server.address, "light", 1280, refused=422) as page:
        await let_in(page, await link_of("gestor"))
        await page.goto("/autorizacoes")
        await page.get_by_role("link", name="Preencha um formulário").click()
        await page.get_by_label("Plano obrigatório").fill("prata")
        await page.get_by_label("Código ou nome").fill("ressonância")
        await page.get_by_label("Código ou nome").press("Enter")
        await page.get_by_label("41101014 – Ressonância de crânio").check()
        await page.get_by_label("Quantidade").fill("1")
        await page.get_by_role("button", name="Ver o que a regra pede").click()
        await expect(page.get_by_role("heading", name="O que esta regra pede")).to_be_visible()
        await approve(page, "novo-pedido-regra")
        await page.get_by_label("Laudo médico").check()
        await page.get_by_role("button", name="Enviar pedido").click()
        await expect(page.get_by_text("Escreva o número da carteirinha.").first).to_be_visible()
        await expect(page.get_by_label("Laudo médico")).to_be_checked()
        await approve(page, "novo-pedido-recusado")
        await page.get_by_label("Número da carteirinha").fill("B-9")
        await page.get_by_label("Ou a idade, em anos").fill("50")
        await page.get_by_label("Dias de plano já cumpridos").fill("400")
        await page.get_by_label("Sim").check()
        await page.get_by_role("button", name="Enviar pedido").click()
        await expect(page.get_by_role("heading", level=1)).to_contain_text("F20")
        await expect(page.get_by_text("Aprovado").first).to_be_visible()
        await page.go_back()
        await expect(page.get_by_role("heading", name="Correção de um pedido que já foi decidido")).to_be_visible()
        await expect(page.get_by_label("Número da carteirinha")).to_have_value("B-9")
        await approve(page, "novo-pedido-corrigido")
        await page.get_by_role("link", name="Ver a decisão anterior").click()
        await expect(page.get_by_text("Senha")).to_be_visible()
