"""A call on one page: what is done, and what is next. Source: design, The whole life of a call."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from playwright.async_api import expect

from chamadas import importacao
from crivo.bootstrap import Container
from crivo.kernel.access import Sessoes, Usuario
from crivo.kernel.tenancy import Scope
from navegador import IS_MISSING, Theme, approve, fits, let_in, opened
from triagem_web import EDITAL

pytestmark = pytest.mark.skipif(IS_MISSING, reason="no Chromium was found on this machine")
PAGE = f"/admin/editais/{EDITAL}"


@pytest.mark.parametrize(("theme", "width"), [("light", 1280), ("dark", 390)])
async def test_a_call_says_what_is_done_and_leads_to_what_is_next(
    shared_server: Any, container: Container, scope: Scope, new_person: Callable[..., Awaitable[Usuario]], theme: Theme, width: int
) -> None:
    await container.triagem.importar(scope, importacao(3, EDITAL))
    link = await Sessoes(container.database, container.clock).create_link(scope, (await new_person(scope, "gestor")).ator)
    async with opened(shared_server.address, theme, width) as page:
        await let_in(page, link)
        await page.goto(PAGE)
        assert await page.locator(".passos > li").count() == 10
        await expect(page.locator(".passos > [aria-current=step]")).to_contain_text("Ainda não foi feita")
        await expect(page.locator(".passos > li").nth(1)).to_contain_text("3 projetos inscritos")
        await approve(page, f"percurso-{theme}")
        assert await fits(page)
        await page.get_by_role("link", name="Abrir a triagem").first.click()
        await expect(page).to_have_url(f"{shared_server.address}{PAGE}/triagem-ia")
