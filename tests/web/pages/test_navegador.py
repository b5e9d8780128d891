"""The pages in a real browser: nothing on its console, nothing against the content policy, nothing asked of another host."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from functools import partial
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.async_api import Page, expect

from crivo.bootstrap import Container
from crivo.kernel.tenancy import Scope
from navegador import IS_MISSING, enter, fits, opened

LinkOf = Callable[..., Awaitable[str]]

OpenPage = Callable[..., AbstractAsyncContextManager[Page]]
pytestmark = pytest.mark.skipif(IS_MISSING, reason="no Chromium was found on this machine")


@pytest.fixture
def open_page(shared_server: Any) -> OpenPage:
    """Opens a page that fails its test when the browser complains of anything, or another host is asked for anything."""
    return partial(opened, shared_server.address)


@pytest.fixture
async def link(container: Container, scope: Scope, link_of: LinkOf) -> str:
    return await link_of("super_admin")


@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize("theme", ["light", "dark"])
async def test_a_pedido_goes_from_a_file_to_its_decision(
    open_page: OpenPage, link: str, pedido: dict[str, Any], tmp_path: Path, theme: Literal["light", "dark"], width: int
) -> None:
    file = tmp_path / "pedido.json"
    file.write_text(json.dumps(pedido), encoding="utf-8")
    async with open_page(theme, width) as page:
        await enter(page, link)
        await page.goto("/autorizacoes")
        await page.get_by_label("Arquivo do pedido").set_input_files(file)
        await page.get_by_role("button", name="Decidir pedido").click()
        await expect(page.get_by_role("heading", level=1)).to_have_text("Pedido T-1")
        await expect(page.locator(".selo")).to_contain_text("Pendente de ajustes")
        assert await fits(page)
        for agent in await page.locator("summary").all():
            await agent.click()
        await expect(page.get_by_label("Resposta: Síntese")).to_contain_text('"decisao_final": "PENDENTE_AJUSTES"')
        assert await fits(page)
        async with page.expect_download() as download:
            await page.get_by_role("link", name="Baixar a trilha").click()
        assert (await download.value).suggested_filename.startswith("trilha-")
        await page.get_by_role("link", name="Autorizações").first.click()
        await expect(page.get_by_role("link", name="T-1")).to_be_visible()
        assert await fits(page)
        background = await page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
        assert (background == "rgb(244, 246, 250)") == (theme == "light")


async def test_everything_works_without_scripts(open_page: OpenPage, link: str, pedido: dict[str, Any]) -> None:
    async with open_page(scripts=False) as page:
        await enter(page, link)
        await page.goto("/autorizacoes")
        await page.get_by_label("Ou cole o texto do pedido").fill(json.dumps(pedido))
        await page.get_by_role("button", name="Decidir pedido").click()
        await expect(page.get_by_role("heading", level=1)).to_have_text("Pedido T-1")
        await page.locator("summary", has_text="Pessoa super_admin").click()
        await page.get_by_role("button", name="Sair").click()
        await expect(page.get_by_role("heading", level=1)).to_have_text("Entrar")


async def test_the_keyboard_alone_sends_a_pedido(open_page: OpenPage, link: str, pedido: dict[str, Any]) -> None:
    async with open_page() as page:
        await enter(page, link)
        await page.goto("/autorizacoes")
        await page.keyboard.press("Tab")
        await expect(page.get_by_role("link", name="Ir para o conteúdo")).to_be_focused()
        await page.keyboard.press("Enter")
        field = page.get_by_label("Ou cole o texto do pedido")
        for _ in range(12):  # past what narrows and sorts the list
            await page.keyboard.press("Tab")
            if await field.evaluate("(element) => element === document.activeElement"):
                break
        await expect(page.get_by_label("Ou cole o texto do pedido")).to_be_focused()
        await page.keyboard.insert_text(json.dumps(pedido))
        await page.keyboard.press("Tab")
        await page.keyboard.press("Enter")
        await expect(page.get_by_role("heading", level=1)).to_have_text("Pedido T-1")


async def test_the_documentation_of_the_api_opens_without_another_host(open_page: OpenPage) -> None:
    async with open_page() as page:
        await page.goto("/api/docs")
        await page.get_by_text("/api/autorizacoes/lote").click()
        await expect(page.get_by_text("Um resultado por linha, na ordem")).to_be_visible()
