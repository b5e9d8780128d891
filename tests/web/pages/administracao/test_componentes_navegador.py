"""Every component in a real browser: in both themes, at two widths, with scripts and without, as axe sees it."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from functools import partial
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.async_api import Page, Response, Route, expect

from acessibilidade import findings
from crivo.bootstrap import Container
from crivo.kernel.tenancy import Scope
from navegador import IS_MISSING, Theme, enter, fits, let_in, opened

LinkOf = Callable[..., Awaitable[str]]

OpenPage = Callable[..., AbstractAsyncContextManager[Page]]
pytestmark = pytest.mark.skipif(IS_MISSING, reason="no Chromium was found on this machine")
PAGE: Final = "/admin/componentes"
WEIGHT_BYTES: Final = 150_000


@pytest.fixture
def open_page(shared_server: Any) -> OpenPage:
    return partial(opened, shared_server.address)


@pytest.fixture
async def link(container: Container, scope: Scope, link_of: LinkOf) -> str:
    return await link_of("super_admin")


async def background(page: Page) -> str:
    return str(await page.evaluate("getComputedStyle(document.documentElement).backgroundColor"))


@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize("theme", ["light", "dark"])
async def test_axe_finds_nothing_on_any_component(open_page: OpenPage, link: str, theme: Theme, width: int) -> None:
    async with open_page(theme, width) as page:
        await let_in(page, link)
        await page.goto(PAGE)
        assert await findings(page) == []
        assert await fits(page)
        await page.get_by_label("Sua conta: Pessoa super_admin").click()
        assert await findings(page) == []
        await page.keyboard.press("Escape")  # on a phone the menu lies over what is pressed next
        await page.get_by_role("button", name="Entenda: selos").click()
        assert await findings(page) == []
        await page.keyboard.press("Escape")
        await page.get_by_role("button", name="Revogar a política").click()
        await expect(page.get_by_role("dialog", name="Revogar a política?")).to_be_visible()
        assert await findings(page) == []
        assert await fits(page)


async def test_axe_would_find_a_page_that_says_nothing_of_its_picture(open_page: OpenPage) -> None:
    async with open_page() as page:
        await page.goto("/entrar")
        await page.evaluate("document.querySelector('main').append(new Image())")
        assert any(found.startswith("image-alt") for found in await findings(page))


@pytest.mark.parametrize("width", [360, 1280])
async def test_what_people_write_breaks_no_layout(open_page: OpenPage, link: str, width: int) -> None:
    """A name without a space, right-to-left text, emoji and HTML. Source: design, quality."""
    async with open_page(width=width) as page:
        await let_in(page, link)
        await page.goto(PAGE)
        assert await fits(page)
        table = page.get_by_role("region", name="Projetos de exemplo")
        assert await table.evaluate("(region) => region.scrollWidth <= region.clientWidth + 1")
        arabic = table.get_by_role("link", name="جمعية الفنون الشعبية")
        assert await arabic.evaluate("(link) => getComputedStyle(link).direction") == "rtl"
        await expect(table.get_by_role("link", name="<script>alert(1)</script>")).to_be_visible()


async def test_a_table_turns_into_cards_on_a_phone(open_page: OpenPage, link: str) -> None:
    async with open_page(width=360) as page:
        await let_in(page, link)
        await page.goto(PAGE)
        cell = page.locator('td[data-label="Situação"]').first
        assert await cell.evaluate("(cell) => getComputedStyle(cell, '::before').content") == '"Situação"'
        await page.set_viewport_size({"width": 1280, "height": 800})
        assert await cell.evaluate("(cell) => getComputedStyle(cell, '::before').content") == "none"


async def test_a_chosen_theme_stays_from_page_to_page_and_can_be_given_back_to_the_system(open_page: OpenPage, link: str) -> None:
    async with open_page("light") as page:
        await enter(page, link)
        light = await background(page)
        await page.get_by_label("Sua conta: Pessoa super_admin").click()
        await page.get_by_label("Escuro").check()
        dark = await background(page)
        assert dark != light
        await page.goto("/autorizacoes")
        assert await page.locator("html").get_attribute("data-tema") == "escuro"
        assert await background(page) == dark
        await page.get_by_label("Sua conta: Pessoa super_admin").click()
        await expect(page.get_by_label("Escuro")).to_be_checked()
        await page.get_by_label("Sistema").check()
        assert await background(page) == light
        assert await page.evaluate("document.cookie") == ""


async def test_over_https_a_theme_is_kept_where_no_other_host_and_no_plain_address_reaches_it(shared_server: Any) -> None:
    """Source: ASVS 5.0.0, 3.3.1 to 3.3.3. The address over https is answered by the plain server, as behind a proxy."""
    async with opened("https://crivo.teste") as page:

        async def pass_on(route: Route) -> None:
            path = route.request.url.removeprefix("https://crivo.teste")
            await route.fulfill(response=await route.fetch(url=shared_server.address + path))

        await page.route("https://crivo.teste/**", pass_on)
        await page.goto("/entrar")
        await page.evaluate(
            """() => {
                const option = Object.assign(document.createElement("input"), {type: "radio", name: "tema", value: "escuro"});
                document.body.append(option);
                option.click();
            }"""
        )
        assert await page.locator("html").get_attribute("data-tema") == "escuro"
        (kept,) = await page.context.cookies("https://crivo.teste")
        assert (kept["name"], kept["value"], kept["secure"], kept["sameSite"]) == ("__Host-crivo_tema", "escuro", True, "Lax")
        assert (kept["path"], kept["domain"]) == ("/", "crivo.teste"), "of this host alone"


@pytest.mark.parametrize("width", [360, 1280])
async def test_the_account_menu_is_called_by_all_that_is_seen_of_it(open_page: OpenPage, link: str, width: int) -> None:
    async with open_page(width=width) as page:
        await enter(page, link)
        menu = page.get_by_label("Sua conta: Pessoa super_admin")
        seen = " ".join((await menu.inner_text()).split())
        assert seen
        assert seen in " ".join((await menu.get_attribute("aria-label") or "").split())


async def test_a_page_with_tabs_opens_at_its_top(open_page: OpenPage, link: str) -> None:
    async with open_page(width=360) as page:
        await let_in(page, link)
        await page.goto(PAGE)
        await page.wait_for_load_state("networkidle")
        assert await page.evaluate("scrollY") == 0


async def test_the_arrows_go_from_tab_to_tab(open_page: OpenPage, link: str) -> None:
    async with open_page() as page:
        await let_in(page, link)
        await page.goto(PAGE)
        tabs = page.get_by_role("navigation", name="Partes do resultado").get_by_role("link")
        await tabs.first.focus()
        for key, at in (("ArrowRight", 1), ("End", 2), ("ArrowRight", 0), ("ArrowLeft", 2), ("Home", 0)):
            await page.keyboard.press(key)
            await expect(tabs.nth(at)).to_be_focused()


async def test_a_message_is_copied_and_the_person_is_told(open_page: OpenPage, link: str) -> None:
    async with open_page() as page:
        await page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        await let_in(page, link)
        await page.goto(PAGE)
        await page.get_by_role("button", name="Copiar a mensagem").click()
        await expect(page.get_by_role("status").filter(has_text="Texto copiado.")).to_be_visible()
        assert (await page.evaluate("navigator.clipboard.readText()")).startswith("Associação Comunitária dos Mestres")
        await page.get_by_role("button", name="Fechar o aviso").click()
        await expect(page.get_by_text("Texto copiado.")).to_have_count(0)


async def test_a_notice_of_the_server_is_told_once(open_page: OpenPage, link: str) -> None:
    async with open_page() as page:
        await let_in(page, link)
        await page.goto(f"{PAGE}?nota=8&ok=gravado")
        await expect(page.get_by_text("Tudo gravado.")).to_be_visible()
        await expect(page).to_have_url(re.compile(r"componentes\?nota=8$"))
        await page.reload()
        await expect(page.get_by_text("Tudo gravado.")).to_have_count(0)


async def test_what_was_typed_survives_a_session_that_ended(
    open_page: OpenPage, link: str, container: Container, scope: Scope, link_of: LinkOf
) -> None:
    """Nothing typed is lost. Source: design, quality."""
    async with open_page() as page:
        await let_in(page, link)
        await page.goto(PAGE)
        await page.get_by_label("Por quê").fill("Escrevi muito\ne com cuidado.")
        await page.context.clear_cookies()
        await page.route("**/componentes?*", lambda route: route.continue_(url=page.url.split("/admin")[0] + "/entrar"))
        await page.get_by_role("button", name="Gravar").click()
        await expect(page.get_by_role("heading", name="Entrar")).to_be_visible()
        await page.unroute_all()
        await enter(page, await link_of("super_admin"))
        await page.goto(PAGE)
        await expect(page.get_by_label("Por quê")).to_have_value("Escrevi muito\ne com cuidado.")
        await expect(page.get_by_text("Recuperamos o que você tinha escrito.")).to_be_visible()


async def test_a_draft_goes_when_it_was_received_and_when_the_person_leaves(open_page: OpenPage, link: str) -> None:
    kept = "Object.keys(sessionStorage).filter((key) => key.startsWith('rascunho:')).length"
    async with open_page() as page:
        await let_in(page, link)
        await page.goto(PAGE)
        await page.get_by_label("Por quê").fill("Uma razão")
        await page.reload()
        await expect(page.get_by_label("Por quê")).to_have_value("Uma razão")
        # This page shows a refusal among its states; one that received something has none, as the first page.
        await page.route("**/componentes?*", lambda route: route.continue_(url=page.url.split("/admin")[0] + "/"))
        async with page.expect_navigation():
            await page.get_by_role("button", name="Gravar").click()
        await expect(page.locator(".soltar")).to_have_count(0)
        assert await page.evaluate(kept) == 0
        await page.unroute_all()
        await page.goto(PAGE)
        await page.get_by_label("Por quê").fill("Outra razão")
        assert await page.evaluate(kept) == 1
        await page.get_by_label("Sua conta: Pessoa super_admin").click()
        await page.get_by_role("button", name="Sair").click()
        await expect(page.get_by_role("heading", level=1)).to_have_text("Entrar")
        assert await page.evaluate(kept) == 0


async def test_a_file_that_was_chosen_is_named(open_page: OpenPage, link: str, tmp_path: Path) -> None:
    file = tmp_path / "edital.zip"
    file.write_bytes(b"x" * 2_500_000)
    async with open_page() as page:
        await let_in(page, link)
        await page.goto(PAGE)
        await page.get_by_label("Arquivo do edital").set_input_files(file)
        await expect(page.locator(".soltar-nome")).to_have_text("edital.zip (2,5 MB)")


@pytest.mark.parametrize("scripts", [True, False])
async def test_dialogs_hints_and_the_areas_on_a_phone_open_with_scripts_and_without(open_page: OpenPage, link: str, scripts: bool) -> None:
    async with open_page(width=360, scripts=scripts) as page:
        await let_in(page, link)
        await page.goto(PAGE)
        await expect(page.get_by_role("link", name="Consultas")).to_be_hidden()
        await page.get_by_role("button", name="Áreas do crivo").click()
        await expect(page.get_by_role("link", name="Consultas")).to_be_visible()
        await page.keyboard.press("Escape")
        await page.get_by_role("button", name="Entenda: selos").click()
        await expect(page.get_by_text("a cor só reforça")).to_be_visible()
        await page.keyboard.press("Escape")
        await page.get_by_role("button", name="O que é a confiança").click()
        dialog = page.get_by_role("dialog", name="O que é a confiança")
        await expect(dialog).to_be_visible()
        await dialog.get_by_role("button", name="Fechar").click()
        await expect(dialog).to_be_hidden()
        assert await page.get_by_role("button", name="Imprimir").is_visible() == scripts


async def test_every_icon_that_a_page_names_is_in_the_sprite(open_page: OpenPage, link: str) -> None:
    async with open_page() as page:
        await let_in(page, link)
        await page.goto(PAGE)
        named = await page.evaluate("[...document.querySelectorAll('use')].map((use) => use.getAttribute('href').split('#')[1])")
        drawn = await page.evaluate(
            "[...document.querySelectorAll('#conteudo .ficha use')].map((use) => use.getAttribute('href').split('#')[1])"
        )
        assert len(drawn) >= 40
        assert set(named) <= set(drawn)
        empty = await page.evaluate("[...document.querySelectorAll('.ficha .icone')].filter((icon) => !icon.getBBox().width).length")
        assert empty == 0


async def test_paper_and_chosen_colours_keep_what_matters(open_page: OpenPage, link: str) -> None:
    async with open_page("dark") as page:
        await let_in(page, link)
        await page.goto(PAGE)
        await page.emulate_media(media="print")
        assert await background(page) == "rgb(255, 255, 255)"
        await expect(page.get_by_role("navigation", name="Principal")).to_be_hidden()
        await expect(page.locator(".trecho").first).to_be_visible()
        await page.emulate_media(media="screen", forced_colors="active")
        badge = page.locator(".selo.aprovado").first
        assert await badge.evaluate("(badge) => getComputedStyle(badge).borderStyle") == "solid"


async def test_nothing_moves_for_whoever_asked_for_stillness(open_page: OpenPage, link: str) -> None:
    async with open_page() as page:
        await page.emulate_media(reduced_motion="reduce")
        await let_in(page, link)
        await page.goto(PAGE)
        turning = page.locator(".fases .atual .fase-marca")
        assert await turning.evaluate("(mark) => getComputedStyle(mark).animationIterationCount") == "1"


async def test_a_whole_page_weighs_little(open_page: OpenPage, link: str) -> None:
    """Page weight of at most 150 kB. Source: design, quality."""
    async with open_page() as page:
        await enter(page, link)
        await page.wait_for_load_state("networkidle")  # what the first page still asks for is none of this one's
        answers: list[Response] = []
        page.on("response", lambda answer: answers.append(answer))
        session = await page.context.new_cdp_session(page)
        await session.send("Network.setCacheDisabled", {"cacheDisabled": True})
        await page.goto(PAGE)
        await page.wait_for_load_state("networkidle")
        sizes = {answer.url: len(await answer.body()) for answer in answers}
        assert len(sizes) >= 10
        assert sum(sizes.values()) <= WEIGHT_BYTES, sizes
