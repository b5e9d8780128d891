"""A patient's conversation in a real browser: how it begins, and a turn of it."""

from __future__ import annotations

from playwright.async_api import Page, expect

from navegador import let_in


async def begin(page: Page, link: str) -> None:
    """Sign in, and begin a conversation as Ana; her CPF is in no address."""
    await let_in(page, link)
    await page.goto("/clinicas/conversa")
    await page.get_by_label("Seu nome completo").fill("Ana Braga")
    await page.get_by_label("Seu CPF").fill("529.982.247-25")
    await page.get_by_role("button", name="Começar a conversa").click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("Conversa com as clínicas")
    await page.wait_for_load_state()  # a heading stands before the scripts that make Enter send
    assert "52998224725" not in page.url.replace(".", "").replace("-", "")


async def say(page: Page, texto: str, within: float = 5_000) -> None:
    """Write a message, and wait `within` milliseconds at most for its answer."""
    await page.get_by_label("Sua mensagem").fill(texto)
    before = await page.locator(".turno:not(.a-caminho)").count()  # of the page that can be written on, not of the one before it
    await page.get_by_role("button", name="Enviar").click()
    await expect(page.locator(".turno:not(.a-caminho)")).to_have_count(before + 1, timeout=within)
