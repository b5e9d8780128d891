"""A recurso from its link to its answer in a real browser, without scripts and with them, on a phone and in both themes."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Any

import pytest
from playwright.async_api import FilePayload, Page, expect

from crivo.bootstrap import Container
from crivo.kernel.access import Sessoes, Usuario
from crivo.kernel.clock import SystemClock, today
from crivo.kernel.tenancy import Scope
from documentos import text_pdf
from navegador import IS_MISSING, Theme, approve, fits, let_in, opened
from recorrida import chamada
from sujeitos import as_person
from triagem_web import EDITAL

pytestmark = pytest.mark.skipif(IS_MISSING, reason="no Chromium was found on this machine")
BASE = f"/admin/editais/{EDITAL}/recursos"
PEDIDO = "Peço que revejam a habilitação: o comprovante em anexo mostra a sede no município desde 2016."


@pytest.fixture
async def pessoas(container: Container, scope: Scope, new_person: Callable[..., Awaitable[Usuario]]) -> tuple[str, str, str]:
    """A link of who decided and published, and of two others who manage."""
    await container.triagem.importar(scope, chamada())
    decides = await new_person(scope, "gestor", email="lia@orgao.exemplo")
    lia = as_person(scope, decides)
    await container.decisoes.decidir(lia, EDITAL, "P0005", "inabilitado", "Não comprovou a sede no município.", None)
    seen = await container.resultados.rascunho(lia, EDITAL, "preliminar")
    await container.resultados.publicar(lia, EDITAL, "preliminar", seen.sha256, "", today(SystemClock()) + timedelta(days=3))
    other = await new_person(scope, "gestor", email="nina@orgao.exemplo")
    third = await new_person(scope, "gestor", email="otto@orgao.exemplo")
    doors = Sessoes(container.database, container.clock)
    links = [await doors.create_link(scope, ator) for ator in (decides.ator, other.ator, third.ator)]
    return links[0], links[1], links[2]


async def look(page: Page, scripts: bool, name: str) -> None:
    """axe is a script itself: where there are none, that nothing is wider than the window is looked at."""
    if scripts:
        await approve(page, name)
    assert await fits(page), name


@pytest.mark.parametrize(("theme", "width", "scripts"), [("light", 1280, False), ("dark", 390, True), ("light", 1280, True)])
async def test_from_the_link_to_the_answer_and_the_list_counted_again(
    shared_server: Any, pessoas: tuple[str, str, str], container: Container, scope: Scope, theme: Theme, width: int, scripts: bool
) -> None:
    which = f"{theme}-{width}"
    async with opened(shared_server.address, theme, width, scripts=scripts) as page:
        await let_in(page, pessoas[1])
        await page.goto(f"{BASE}/codigos?projeto=P0005")
        await look(page, scripts, f"codigos-{which}")
        code = await page.locator("td code").inner_text()
    async with opened(shared_server.address, theme, width, scripts=scripts) as page:
        await page.goto(f"/recursos/{scope.tenant_id}")
        await look(page, scripts, f"codigo-{which}")
        await page.get_by_label("Código do projeto").fill(code.lower())
        await page.get_by_role("button", name="Abrir o projeto").click()
        await expect(page.get_by_text("Não comprovou a sede no município.").first).to_be_visible()
        await look(page, scripts, f"porta-{which}")
        await page.get_by_role("radio", name="A decisão de habilitação").check()
        await page.get_by_label("O que você pede, e por quê").fill(PEDIDO)
        await page.get_by_label("Papéis").set_input_files(
            FilePayload(name="comprovante.pdf", mimeType="application/pdf", buffer=text_pdf(["Comprovante de sede desde 2016"]))
        )
        await page.get_by_role("button", name="Enviar o recurso").click()
        await expect(page.get_by_role("heading", name="Recebemos o seu recurso")).to_be_visible()
        await look(page, scripts, f"recibo-{which}")
    async with opened(shared_server.address, theme, width, scripts=scripts) as page:
        await let_in(page, pessoas[0])
        await page.goto(BASE)
        await look(page, scripts, f"lista-{which}")
        await page.get_by_role("link", name="Nº 1").click()
        await expect(page.get_by_text("Você decidiu a habilitação deste projeto.")).to_be_visible()
        await expect(page.get_by_role("button", name="Ver o antes e o depois")).to_have_count(0)
        await look(page, scripts, f"impedida-{which}")
    async with opened(shared_server.address, theme, width, scripts=scripts) as page:
        await let_in(page, pessoas[2])
        await page.goto(f"{BASE}/1")
        await page.get_by_role("link", name="comprovante.pdf").click()
        await expect(page.get_by_role("img", name="Página 1 de comprovante.pdf")).to_be_visible()
        await look(page, scripts, f"papel-{which}")
        await page.goto(f"{BASE}/1")
        await look(page, scripts, f"recurso-{which}")
        await page.get_by_role("radio", name="Provido: quem recorreu tem razão").check()
        await page.get_by_label("Motivo", exact=False).first.fill("O comprovante mostra a sede no município desde 2016.")
        await page.get_by_label("Habilitação").select_option("habilitado")
        await page.get_by_role("button", name="Ver o antes e o depois").click()
        await expect(page.get_by_role("heading", level=1)).to_have_text("Antes e depois")
        await expect(page.get_by_role("row", name="P0005")).to_contain_text("Entra")
        await look(page, scripts, f"antes-e-depois-{which}")
        await page.get_by_role("button", name="Gravar a resposta").click()
        await expect(page.get_by_role("heading", name="Resposta")).to_be_visible()
        await page.locator("summary", has_text="Desfazer a resposta").click()
        await expect(page.get_by_role("button", name="Desfazer a resposta")).to_be_visible()
        await look(page, scripts, f"respondido-{which}")
    async with opened(shared_server.address, theme, width, scripts=scripts) as page:
        await page.goto(f"/recursos/{scope.tenant_id}/{code}")
        await expect(page.get_by_text("O comprovante mostra a sede no município desde 2016.").first).to_be_visible()
        await look(page, scripts, f"resposta-lida-{which}")
    found = await container.lugares.resultado(scope, EDITAL)
    assert [one.inscrito.id for one in found.lugares if one.situacao == "selecionado"] == ["P0005", "P0004"]
    assert found.por_id["P0003"].situacao == "suplente"
