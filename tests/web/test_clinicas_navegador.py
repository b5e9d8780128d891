"""The conversation in a real browser: streamed with our script, whole without it, on desktop and phone, light and dark."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Page, expect

from atendimento import Attended, attended
from crivo.bootstrap import Container
from crivo.kernel.access import Sessoes
from crivo.kernel.tenancy import Scope
from navegador import IS_MISSING, Theme, enter, fits, opened

pytestmark = pytest.mark.skipif(IS_MISSING, reason="no Chromium was found on this machine")


@pytest.fixture(scope="module")
def clinics(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Attended]:
    with attended(tmp_path_factory.mktemp("atendimento"), now=True) as running:
        yield running


@pytest.fixture(scope="module")
def served(run_server: Callable[..., Any], clinics: Attended) -> Iterator[Any]:
    with run_server(CRIVO_DATA_DIR=str(clinics.clinicas.data_dir)) as running:
        yield running


@pytest.fixture
async def link(container: Container, scope: Scope, clinics: Attended) -> str:
    clinics.reset()
    return await Sessoes(container.database, container.clock).create_link(scope, "ana")


async def begin(page: Page, link: str) -> None:
    await enter(page, link)
    await page.get_by_role("link", name="Marcar uma consulta").click()
    await page.get_by_role("button", name="Começar a conversa").click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("Conversa com as clínicas")


async def say(page: Page, texto: str) -> None:
    before = await page.locator(".turno:not(.a-caminho)").count()
    await page.get_by_label("Sua mensagem").fill(texto)
    await page.get_by_role("button", name="Enviar").click()
    await expect(page.locator(".turno:not(.a-caminho)")).to_have_count(before + 1)


async def photograph(page: Page, name: str) -> None:
    """Keeps a picture for whoever wants to look."""
    if folder := os.environ.get("CRIVO_TEST_FOTOS"):
        await page.screenshot(path=Path(folder) / f"{name}.png", full_page=True)


@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize("theme", ["light", "dark"])
async def test_a_person_lists_books_and_cancels(served: Any, clinics: Attended, link: str, theme: Theme, width: int) -> None:
    async with opened(served.address, theme, width) as page:
        await enter(page, link)
        await page.goto("/clinicas/conversa")
        await photograph(page, f"inicio-{theme}-{width}")
        await page.get_by_role("button", name="Começar a conversa").click()
        await say(page, "Ana Braga")
        await say(page, "529.982.247-25")
        await expect(page.locator("#falas")).not_to_contain_text("529.982")
        await say(page, "quero um cardiologista")
        await photograph(page, f"horarios-{theme}-{width}")
        assert await fits(page)
        await expect(page.locator(".mais-cedo")).to_have_count(1)
        await page.get_by_text("Ver a lista por escrito").click()
        await expect(page.locator(".por-escrito")).to_contain_text("1) ")
        await page.locator(".horario").nth(1).click()
        await expect(page.locator(".confirmacao-titulo")).to_contain_text("Consulta marcada")
        await expect(page.locator(".horario")).to_have_count(0)
        await photograph(page, f"marcada-{theme}-{width}")
        assert len(clinics.held()) == 1
        if width == 360:
            await expect(page.locator(".passo").first).to_be_hidden()
            await page.get_by_text("Como cada resposta foi feita").click()
        await expect(page.locator(".passo").first).to_contain_text("Marcar: Clínica")
        await expect(page.locator(".passo .veredito").first).to_contain_text("Resposta conferida")
        assert await fits(page)
        await say(page, "preciso cancelar")
        await expect(page.locator(".confirmacao-titulo").last).to_contain_text("Consulta cancelada")
        assert clinics.held() == []
        await page.get_by_role("button", name="Encerrar e esquecer").click()
        await expect(page.get_by_role("heading", level=1)).to_have_text("Vamos cuidar da sua consulta?")


async def test_the_conversation_works_without_scripts(served: Any, clinics: Attended, link: str) -> None:
    async with opened(served.address, scripts=False) as page:
        await begin(page, link)
        for texto in ("Ana Braga", "529.982.247-25", "quero um cardiologista"):
            await say(page, texto)
        await page.locator(".horario").first.click()
        await expect(page.locator(".confirmacao-titulo")).to_contain_text("Consulta marcada")
        assert len(clinics.held()) == 1


async def test_the_keyboard_alone_holds_the_conversation(served: Any, link: str) -> None:
    async with opened(served.address) as page:
        await begin(page, link)
        await page.get_by_label("Sua mensagem").focus()
        await page.keyboard.insert_text("Ana Braga")
        await page.keyboard.press("Enter")
        await expect(page.locator(".turno").last).to_contain_text("CPF")
        await expect(page.get_by_label("Sua mensagem")).to_be_focused()
