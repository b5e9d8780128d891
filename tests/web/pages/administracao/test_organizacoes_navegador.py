"""Whoever looks after the installation, in a real browser: an organisation is made, given quotas, suspended and reactivated."""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable
from typing import Any
from uuid import uuid4

import pytest
from playwright.async_api import Page, expect

from acessibilidade import findings
from crivo.bootstrap import Container
from crivo.kernel.access import Sessoes, Usuario
from crivo.kernel.tenancy import Scope
from navegador import IS_MISSING, Theme, fits, let_in, opened
from segundos_fatores import enrol

NewPerson = Callable[..., Awaitable[Usuario]]
SHOTS = os.environ.get("CRIVO_TEST_SHOTS")
pytestmark = pytest.mark.skipif(IS_MISSING, reason="no Chromium was found on this machine")


@pytest.fixture
async def link(container: Container, scope: Scope, new_person: NewPerson) -> str:
    usuario = await new_person(scope, "super_admin")
    await enrol(container, scope, usuario)
    return await Sessoes(container.database, container.clock).create_link(scope, usuario.ator)


async def sound(page: Page, scripts: bool) -> None:
    """Without scripts no rule of axe can be asked."""
    if scripts:
        assert await findings(page) == []
    assert await fits(page)
    SHOTS and await page.screenshot(
        path=f"{SHOTS}/{page.url.rpartition('/')[2].replace('?', '_')[:20]}-{await page.evaluate('innerWidth')}-{uuid4().hex[:4]}.png",
        full_page=True,
    )


@pytest.mark.parametrize(
    ("theme", "width", "scripts"), [("light", 390, True), ("dark", 1280, True), ("light", 1280, False)], ids=["phone", "dark", "no-scripts"]
)
async def test_an_organisation_is_made_given_quotas_suspended_and_reactivated(
    run_server: Callable[..., Any], scope: Scope, link: str, theme: Theme, width: int, scripts: bool
) -> None:
    new, nome = f"o-{uuid4().hex[:8]}", "Prefeitura de " + "Superextraordinariamentelonga" * 3
    with run_server(CRIVO_TRABALHADORES="0", CRIVO_TENANT=scope.tenant_id) as server:
        async with opened(server.address, theme, width, scripts) as page:
            await let_in(page, link)
            await page.goto("/admin/organizacoes")
            await page.get_by_label("Nome", exact=True).fill(nome)
            await page.get_by_label("Código", exact=True).fill(new)
            await page.get_by_label("Nome de quem a administra").fill("Eva")
            await page.get_by_label("E-mail de quem a administra").fill(f"{new}@exemplo.org")
            await page.get_by_role("button", name="Criar a organização").click()
            await expect(page.locator("#convite-link")).to_contain_text("/entrar?token=")
            await sound(page, scripts)
            await page.goto(f"/admin/organizacoes/{new}")
            await page.get_by_role("link", name="Suspender", exact=True).click()
            await expect(page.get_by_role("button", name="Suspender")).to_be_in_viewport()
            await page.get_by_label("Pessoas com acesso, sem pacientes").fill("1")
            await page.get_by_label("Projetos em editais").fill("100")
            await page.locator("#motivo-cotas").fill("Plano pequeno")
            await page.locator("#confirma-cotas").fill(new)
            await page.get_by_role("button", name="Gravar as cotas").click()
            await expect(page.get_by_text("Cotas gravadas")).to_be_visible()
            await expect(page.get_by_role("row", name="Pessoas com acesso").first).to_contain_text("Acabou")
            await sound(page, scripts)
            await page.locator("#motivo-estado").fill("Contrato encerrado")
            await page.locator("#confirma-estado").fill(new)
            await page.get_by_role("button", name="Suspender").click()
            await expect(page.get_by_text("Suspensa. Ninguém dela entra")).to_be_visible()
            await sound(page, scripts)
            await page.goto(f"/admin/organizacoes?estado=suspensa&q={new}")
            await expect(page.get_by_role("row", name=new)).to_contain_text("Suspensa")
            await sound(page, scripts)
            await page.get_by_role("link", name=nome).click()
            await page.locator("#motivo-estado").fill("Contrato novo")
            await page.locator("#confirma-estado").fill(new)
            await page.get_by_role("button", name="Reativar").click()
            await expect(page.get_by_text("Reativada. Tudo continua")).to_be_visible()
            await page.goto("/admin/cotas")
            await sound(page, scripts)
