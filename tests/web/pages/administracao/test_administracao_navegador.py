"""Whoever administers, and whoever is invited, in a real browser: from the invitation to the password, keys, the audit, and what goes wrong."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, Final

import pytest
from playwright.async_api import Error, Page, expect

from acessibilidade import findings
from crivo.bootstrap import Container
from crivo.kernel.access import Sessoes, Usuario
from crivo.kernel.tenancy import Scope
from navegador import IS_MISSING, Theme, fits, let_in, opened

NewPerson = Callable[..., Awaitable[Usuario]]
pytestmark = pytest.mark.skipif(IS_MISSING, reason="no Chromium was found on this machine")
SENHA: Final = "azul de metileno 7"
HARD_NAME: Final = "<script>alert(1)</script> جمعية الفنون 🪘 " + "Superextraordinariamentelonga" * 5
PAGES: Final = (
    "/",
    "/admin/pessoas",
    "/admin/chaves",
    "/admin/auditoria?conferir=1",
    "/admin/execucoes",
    "/admin/execucoes/custos",
    "/conta",
)
MACHINE_WORDS: Final = ("usuario:", "sessao:", "chave:", "link:", "cli:", "nquilino", "autorizacao.", "_criad", "super_admin")


@pytest.fixture
async def admin(scope: Scope, new_person: NewPerson) -> Usuario:
    return await new_person(scope, "admin")


@asynccontextmanager
async def inside(server: Any, container: Container, scope: Scope, who: Usuario, *how: Any, **more: Any) -> AsyncIterator[Page]:
    """A page of somebody who has signed in."""
    link = await Sessoes(container.database, container.clock).create_link(scope, who.ator)
    async with opened(server.address, *how, **more) as page:
        await let_in(page, link)
        yield page


async def invite(page: Page, nome: str, email: str, papel: str = "revisor") -> str:
    """Invite somebody, and return the address of the invitation."""
    await page.goto("/admin/pessoas")
    await page.get_by_role("textbox", name="Nome").fill(nome)
    await page.get_by_role("textbox", name="E-mail").fill(email)
    await page.get_by_label("Papel").first.select_option(papel)
    await page.get_by_role("button", name="Convidar", exact=True).click()
    return await page.locator("#convite").inner_text()


@pytest.mark.parametrize(("theme", "width"), [("light", 390), ("dark", 1280)])
async def test_an_invited_person_opens_the_link_chooses_a_password_and_signs_in_with_it(
    shared_server: Any, container: Container, scope: Scope, admin: Usuario, theme: Theme, width: int
) -> None:
    async with inside(shared_server, container, scope, admin, theme, width) as page:
        invitation = await invite(page, "Rita Lopes", "rita@exemplo.org")
        assert await findings(page) == []
        assert await fits(page)
    async with opened(shared_server.address, theme, width) as page:
        await page.goto(invitation)
        assert await findings(page) == []
        await page.get_by_role("button", name="Entrar no crivo").click()
        await expect(page.get_by_role("heading", name="Escolha uma senha")).to_be_visible()
        assert await findings(page) == []
        await page.get_by_label("Senha", exact=True).fill(SENHA)
        await page.get_by_label("A mesma senha, de novo").fill(SENHA)
        await page.get_by_role("button", name="Guardar e entrar").click()
        await expect(page.get_by_role("heading", level=1)).to_have_text("Sua conta")
        await page.get_by_label("Sua conta").click()
        await page.get_by_role("button", name="Sair").click()
        await page.get_by_role("textbox", name="E-mail").fill("rita@exemplo.org")
        await page.get_by_label("Senha").fill(SENHA)
        await page.get_by_text("Entrar em outra organização").click()
        await page.get_by_label("Código da organização").fill(scope.tenant_id)
        assert await findings(page) == []
        assert await fits(page)
        await page.get_by_role("button", name="Entrar", exact=True).click()
        await expect(page.get_by_role("heading", level=1)).to_have_text("Olá, Rita")


@pytest.mark.parametrize(("theme", "width"), [("light", 390), ("dark", 1280)])
async def test_no_page_of_administration_has_a_fault_or_a_word_of_the_machine_though_names_are_hard(
    shared_server: Any, container: Container, scope: Scope, admin: Usuario, theme: Theme, width: int
) -> None:
    async with inside(shared_server, container, scope, admin, theme, width) as page:
        await invite(page, HARD_NAME, "dificil@exemplo.org")
        await page.goto("/admin/chaves")
        await page.get_by_label("Nome do sistema").fill(HARD_NAME[:100])
        await page.get_by_label("Ler políticas").check()
        await page.get_by_role("button", name="Criar a chave").click()
        await expect(page.locator("#segredo")).to_contain_text("crv_")
        for address in PAGES:
            await page.goto(address)
            assert await findings(page) == [], address
            assert await fits(page), address
            shown = await page.locator("body").inner_text()
            assert [word for word in MACHINE_WORDS if word in shown] == [], address


async def test_a_role_and_an_access_are_changed_in_a_dialog_that_asks(
    shared_server: Any, container: Container, scope: Scope, admin: Usuario, new_person: NewPerson
) -> None:
    await new_person(scope, "avaliador")
    async with inside(shared_server, container, scope, admin) as page:
        await page.goto("/admin/pessoas")
        line = page.get_by_role("row", name="Pessoa avaliador")
        await line.get_by_role("button", name="Mudar papel").click()
        dialog = page.get_by_role("dialog")
        assert await findings(page) == []
        await dialog.get_by_label("Revisão de autorizações").check()
        await dialog.get_by_role("button", name="Mudar o papel").click()
        await expect(page.get_by_text("O papel foi mudado")).to_be_visible()
        await expect(line).to_contain_text("Revisão de autorizações")
        await line.get_by_role("button", name="Tirar acesso").click()
        await dialog.get_by_role("button", name="Voltar").click()
        await expect(line).not_to_contain_text("Não entra")
        await line.get_by_role("button", name="Tirar acesso").click()
        await dialog.get_by_role("button", name="Tirar o acesso").click()
        await expect(line).to_contain_text("Não entra")


async def test_a_key_is_not_shown_again_by_the_way_back(shared_server: Any, container: Container, scope: Scope, admin: Usuario) -> None:
    async with inside(shared_server, container, scope, admin) as page:
        await page.goto("/admin/chaves")
        await page.get_by_label("Nome do sistema").fill("Portal")
        await page.get_by_label("Ler políticas").check()
        await page.get_by_role("button", name="Criar a chave").click()
        secret = await page.locator("#segredo").inner_text()
        await page.goto("/admin/auditoria")
        with pytest.raises(Error, match="ERR_CACHE_MISS"):  # the browser kept nothing, and would have to send the form again
            await page.go_back()
        await page.wait_for_url("chrome-error://**")
        await page.goto("/admin/chaves")
        assert secret not in await page.content()
        await page.get_by_role("button", name="Revogar").click()
        await page.get_by_role("dialog").get_by_role("button", name="Revogar").click()
        await expect(page.get_by_text("A chave foi revogada")).to_be_visible()


async def test_an_invitation_typed_while_the_session_ended_is_there_again_after_signing_in(
    shared_server: Any, container: Container, scope: Scope, admin: Usuario
) -> None:
    sessoes = Sessoes(container.database, container.clock)
    async with opened(shared_server.address, refused=401) as page:
        await let_in(page, await sessoes.create_link(scope, admin.ator))
        await page.goto("/admin/pessoas")
        await page.get_by_role("textbox", name="Nome").fill("Rita Lopes")
        await page.get_by_role("textbox", name="E-mail").fill("rita@exemplo.org")
        await page.locator("form[data-rascunho] select[name=papel]").select_option("revisor")
        cookie = next(one for one in await page.context.cookies() if one.get("name") == "crivo_sessao")
        await sessoes.end(str(cookie.get("value")))
        await page.get_by_role("button", name="Convidar", exact=True).click()
        await expect(page.get_by_text("Sua sessão terminou")).to_be_visible()
        assert await page.locator("input[name=volta]").input_value() == "/admin/pessoas"
        await page.goto(f"/entrar?token={await sessoes.create_link(scope, admin.ator)}&volta=/admin/pessoas")
        await page.get_by_role("button", name="Entrar no crivo").click()
        await expect(page.get_by_text("Recuperamos o que você tinha escrito.")).to_be_visible()
        await expect(page.get_by_role("textbox", name="Nome")).to_have_value("Rita Lopes")
        await expect(page.locator("form[data-rascunho] select[name=papel]")).to_have_value("revisor")
        await page.get_by_role("button", name="Convidar", exact=True).click()
        await expect(page.locator("#convite")).to_be_visible()
        await page.goto("/admin/pessoas")
        await expect(page.get_by_role("textbox", name="Nome")).to_have_value("")


async def test_people_are_invited_and_put_out_without_scripts(
    shared_server: Any, container: Container, scope: Scope, admin: Usuario
) -> None:
    async with inside(shared_server, container, scope, admin, scripts=False) as page:
        assert "/entrar?token=" in await invite(page, "Rita Lopes", "rita@exemplo.org")
        await page.get_by_role("row", name="Rita Lopes").get_by_role("button", name="Tirar acesso").click()
        await page.get_by_role("dialog").get_by_role("button", name="Tirar o acesso").click()
        await expect(page.get_by_role("row", name="Rita Lopes")).to_contain_text("Não entra")


async def test_the_audit_is_narrowed_by_who_what_and_when_and_the_address_keeps_it(
    shared_server: Any, container: Container, scope: Scope, admin: Usuario
) -> None:
    async with inside(shared_server, container, scope, admin) as page:
        await invite(page, "Rita Lopes", "rita@exemplo.org")
        await page.goto("/admin/auditoria")
        await page.get_by_label("O que fez").select_option(label="Pessoas e acessos")
        await page.get_by_label("Quem").select_option(label=admin.nome)
        await page.get_by_role("button", name="Filtrar").click()
        await expect(page.get_by_role("row", name="Cadastrou uma pessoa")).to_contain_text("Rita Lopes")
        await expect(page.get_by_role("rowheader", name="Entrou")).to_have_count(0)
        await page.reload()
        await expect(page.get_by_label("Quem")).to_have_value(admin.ator)
        await page.get_by_label("até").fill("2001-01-01")
        await page.get_by_role("button", name="Filtrar").click()
        await expect(page.get_by_role("heading", name="Nenhum registro assim")).to_be_visible()
        assert await findings(page) == []
        await page.get_by_role("link", name="Ver todos").click()
        await page.get_by_role("button", name="Conferir a cadeia", exact=True).click()
        await expect(page.get_by_text("A cadeia está inteira")).to_be_visible()
