"""A webhook is registered in a browser, a real system gets the decision and checks it, and the beneficiary reads theirs by link and code."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterator
from ipaddress import ip_network
from typing import Any

import pytest
from playwright.async_api import Page, expect

from crivo.bootstrap import Container
from crivo.kernel.settings import Settings
from crivo.kernel.tenancy import Scope
from navegador import IS_MISSING, approve, let_in, opened
from quem_recebe import is_signed, receiving

LinkOf = Callable[..., Awaitable[str]]
pytestmark = pytest.mark.skipif(IS_MISSING, reason="no Chromium was found on this machine")


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return settings.model_copy(update={"entrega_redes": (ip_network("127.0.0.0/8"),)})


@pytest.fixture(scope="module")
def server(run_server: Any) -> Iterator[Any]:
    with run_server(CRIVO_TRABALHADORES="0", CRIVO_ENTREGA_REDES="127.0.0.0/8") as served:
        yield served


async def test_from_a_registered_address_to_a_beneficiary_who_reads(
    server: Any, container: Container, scope: Scope, link_of: LinkOf, politica: dict[str, Any], pedido: dict[str, Any]
) -> None:
    await container.politicas.importar(scope, json.dumps(politica).encode(), publicar=True)
    async with receiving() as quem:
        async with opened(server.address, "dark", 1280, refused=422) as page:
            await let_in(page, await link_of("admin"))
            await page.goto("/admin/entregas")
            await approve(page, "entregas-vazias")
            await page.get_by_role("link", name="Registrar um destino").first.click()
            await _register(page, "https://10.0.0.7/crivo")
            await expect(page.get_by_role("alert")).to_contain_text("rede interna")
            await approve(page, "entregas-recusado")
            await _register(page, quem.url())
            segredo = await page.locator("#segredo").inner_text()
            await approve(page, "entregas-segredo")
            await page.get_by_role("link", name="Ir ao destino").click()
            await page.get_by_role("button", name="Enviar um exemplo").click()
            await expect(page.get_by_text("O exemplo vai em instantes")).to_be_visible()
            decidida = (await container.autorizacoes.decidir(scope, json.dumps(pedido).encode())).autorizacao
            await asyncio.create_task(container.entregas.entregar_agora(scope))
            assert [is_signed(one, segredo) for one in quem.recebidas] == [True, True]
            assert {one.dados.get("autorizacao_id") for one in quem.recebidas} == {None, str(decidida.id)}
            await page.reload()
            await approve(page, "entregas-destino")
            await page.get_by_role("link", name=f"Pedido {decidida.pedido_id}").click()
            await expect(page.get_by_text("Recebido (204)")).to_be_visible()
            await approve(page, "entregas-tentativas")
            await page.goto(f"/autorizacoes/{decidida.id}")
            await page.get_by_role("button", name="Fazer o link").click()
            link, codigo = await page.locator("#link").inner_text(), await page.locator("#codigo").inner_text()
            await approve(page, "link-feito")
        async with opened(server.address, "light", 390, refused=422) as page:
            await page.goto("/d/" + link.rpartition("/d/")[2])
            await approve(page, "link-codigo")
            await page.get_by_role("textbox", name="Código").fill("000000" if codigo != "000000" else "000001")
            await page.get_by_role("button", name="Ver a resposta").click()
            await expect(page.get_by_role("alert")).to_contain_text("Restam 4 tentativas")
            await page.get_by_role("textbox", name="Código").fill(codigo)
            await page.get_by_role("button", name="Ver a resposta").click()
            await expect(page.get_by_role("heading", name="O que fazer agora")).to_be_visible()
            await expect(page.locator(".mensagem")).to_have_text(json.loads(decidida.decisao)["mensagens"]["para_beneficiario"])
            await approve(page, "link-lido")


async def _register(page: Page, endereco: str) -> None:
    await page.get_by_label("Nome de quem recebe").fill("Sistema da clínica")
    await page.get_by_label("Endereço do sistema, ou e-mail").fill(endereco)
    await page.get_by_role("button", name="Registrar o destino").click()
