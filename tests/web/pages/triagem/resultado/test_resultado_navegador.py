"""The result in a real browser: read and explained, published, refused to the second who publishes, compared, and left by who withdraws."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.async_api import Page, expect

from crivo.bootstrap import Container
from crivo.kernel.access import Sessoes
from crivo.kernel.tenancy import Scope
from navegador import IS_MISSING, Theme, approve, let_in, opened
from notas_dadas import chamada_cheia

pytestmark = pytest.mark.skipif(IS_MISSING, reason="no Chromium was found on this machine")
RESULTADO = "/admin/editais/ED-1/resultado"


@pytest.fixture
async def gestora(container: Container, scope: Scope, new_person: Callable[..., Any]) -> str:
    await container.triagem.importar(scope, chamada_cheia())
    return await Sessoes(container.database, container.clock).create_link(scope, (await new_person(scope, "gestor")).ator)


async def publish(page: Page, motivo: str = "") -> None:
    await page.goto(f"{RESULTADO}/publicar")
    if motivo:
        await page.get_by_label("Por que esta versão").fill(motivo)
    await page.get_by_role("button", name="Publicar a versão").click()


@pytest.mark.parametrize(("theme", "width"), [("light", 390), ("light", 1440), ("dark", 1440), ("dark", 390)])
async def test_the_whole_page_of_a_result(
    shared_server: Any, gestora: str, container: Container, scope: Scope, theme: Theme, width: int
) -> None:
    async with opened(shared_server.address, theme, width) as page:
        await let_in(page, gestora)
        await page.goto(RESULTADO)
        await expect(page.get_by_role("heading", name="Resultado preliminar")).to_be_visible()
        await expect(page.locator(".res-tab tr[id]").first).to_be_visible()
        await approve(page, f"resultado-{theme}-{width}")
        opener = page.locator("#porque-P0020 > summary")
        await opener.click()
        await expect(page.locator("#parecer-P0020 ol")).to_be_visible()
        await approve(page, f"resultado-porque-{theme}-{width}")
        await page.get_by_role("link", name="Ver e publicar").click()
        await expect(page.get_by_role("heading", name="A lista que sai")).to_be_visible()
        await approve(page, f"resultado-publicar-{theme}-{width}")
        await page.get_by_role("button", name="Publicar a versão 1").click()
        await expect(page.get_by_text("Publicado. A versão está abaixo, como saiu")).to_be_visible()
        await approve(page, f"resultado-versao-{theme}-{width}")
        await container.triagem.importar(scope, chamada_cheia(mais={"P0012": 2, "P0008": 1}))
        await page.goto(RESULTADO)
        await expect(page.get_by_role("heading", name="O que mudou desde a versão 1")).to_be_visible()
        await page.get_by_role("link", name="Comparar os dois inteiros").click()
        await expect(page.locator(".marcas").first).to_be_visible()
        await approve(page, f"resultado-comparar-{theme}-{width}")
        await page.goto(f"{RESULTADO}/publicacoes")
        await approve(page, f"resultado-publicacoes-{theme}-{width}")
        await page.goto(RESULTADO)
        first = page.locator(".res-tab tr[id]").first
        code = (await first.get_attribute("id") or "").removeprefix("projeto-")
        await page.locator(f"#porque-{code} > summary").click()
        await page.locator(f"#porque-{code}").get_by_role("link", name="Registrar ou desfazer desistência").click()
        await page.get_by_label("Como chegou e por quê").fill("Carta entregue na secretaria.")
        await approve(page, f"resultado-desistencia-{theme}-{width}")
        await page.get_by_role("button", name="Registrar a desistência").click()
        await expect(page.get_by_text("Desistência registrada.")).to_be_visible()
        await approve(page, f"resultado-desistencias-{theme}-{width}")
        await page.get_by_role("link", name=f"Desfazer a desistência de {code}").click()
        await page.get_by_role("button", name="Desfazer a desistência").click()
        await expect(page.get_by_text("Desfeito: o projeto voltou à disputa")).to_be_visible()


async def test_the_second_who_publishes_is_refused_and_told_who_did(
    shared_server: Any, gestora: str, container: Container, scope: Scope, new_person: Callable[..., Any]
) -> None:
    other = await Sessoes(container.database, container.clock).create_link(scope, (await new_person(scope, "gestor")).ator)
    async with opened(shared_server.address, refused=409) as mine, opened(shared_server.address) as theirs:
        await let_in(mine, gestora)
        await let_in(theirs, other)
        await mine.goto(f"{RESULTADO}/publicar")
        await publish(theirs)
        await mine.get_by_label("Por que esta versão").fill("A minha lista.")
        await mine.get_by_role("button", name="Publicar a versão 1").click()
        await expect(mine.get_by_role("alert")).to_contain_text("Nada foi publicado")
        await expect(mine.get_by_text("publicou a versão 1, preliminar")).to_be_visible()
        await expect(mine.get_by_label("Por que esta versão")).to_have_value("A minha lista.")
        await approve(mine, "resultado-recusado")
        await mine.get_by_role("button", name="Publicar a versão 2").click()
        await expect(mine.get_by_text("Publicado. A versão está abaixo")).to_be_visible()


async def test_all_of_it_works_without_a_script(shared_server: Any, gestora: str) -> None:
    async with opened(shared_server.address, scripts=False) as page:
        await let_in(page, gestora)
        await page.goto(RESULTADO)
        await page.get_by_role("link", name="Música").click()
        await page.locator(".porque summary").first.click()
        await expect(page.locator(".porque-dentro ol").first).to_be_visible()
        await page.get_by_role("link", name="Suplentes").click()
        await expect(page.locator(".res-tab .sit").first).to_contain_text("suplente")
        await publish(page)
        await expect(page.get_by_role("heading", name="Resultado preliminar")).to_be_visible()
