"""Many decided at once in a real browser, without scripts and with them, on a phone and in both themes; and who comes second."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from playwright.async_api import Page, expect

from chamadas import importacao
from crivo.bootstrap import Container
from crivo.kernel.access import Sessoes, Usuario
from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import Scope
from navegador import IS_MISSING, Theme, approve, fits, let_in, opened
from seguimento import wait_for_end
from sujeitos import as_person
from triagem_web import EDITAL, empty_queue, screening

pytestmark = pytest.mark.skipif(IS_MISSING, reason="no Chromium was found on this machine")
PAGE = f"/admin/editais/{EDITAL}/triagem-ia"


@pytest.fixture(autouse=True)
async def _screened(urls: tuple[str, str], container: Container, scope: Scope, database: Database) -> None:
    """Thirty projects, all of them suggested as habilitado, no two alike."""
    empty_queue(urls[0])
    await container.triagem.importar(scope, importacao(30, EDITAL, mudados={f"P{at:04}": f"Um texto só de {at}" for at in range(1, 31)}))
    await container.triagem.executar(scope, EDITAL)
    async with screening(database):
        assert (await wait_for_end(container.triagem, scope, EDITAL)).status == "concluida"


@pytest.fixture
async def gestora(container: Container, scope: Scope, new_person: Callable[..., Awaitable[Usuario]]) -> str:
    """A link of somebody who manages."""
    return await Sessoes(container.database, container.clock).create_link(scope, (await new_person(scope, "gestor")).ator)


@pytest.fixture
async def davi(scope: Scope, new_person: Callable[..., Awaitable[Usuario]]) -> Scope:
    return as_person(scope, await new_person(scope, "gestor"))


async def look(page: Page, scripts: bool, name: str) -> None:
    """axe is a script itself: where there are none, that nothing is wider than the window is looked at."""
    if scripts:
        await approve(page, name)
    assert await fits(page), name


async def mark(page: Page, *codigos: str) -> None:
    for codigo in codigos:
        await page.get_by_role("checkbox", name=f"Marcar {codigo}").check()


@pytest.mark.parametrize(("theme", "width", "scripts"), [("light", 1280, False), ("dark", 390, True)])
async def test_many_are_marked_foreseen_decided_and_undone(
    shared_server: Any, gestora: str, container: Container, scope: Scope, davi: Scope, theme: Theme, width: int, scripts: bool
) -> None:
    await container.decisoes.decidir(davi, EDITAL, "P0002", "habilitado", "", None)
    await container.decisoes.decidir(davi, EDITAL, "P0003", "inabilitado", "Não comprovou a sede.", None)
    async with opened(shared_server.address, theme, width, scripts=scripts) as page:
        await let_in(page, gestora)
        await page.goto(PAGE)
        await mark(page, "P0001", "P0002", "P0003")
        await look(page, scripts, f"marcados-{theme}-{width}")
        await page.get_by_role("button", name="Decidir os marcados").click()
        await expect(page.get_by_role("heading", level=1)).to_have_text("Habilitar 2 projetos")
        await expect(page.get_by_text("já está decidido assim")).to_be_visible()
        await look(page, scripts, f"previa-{theme}-{width}")
        await page.get_by_role("button", name="Habilitar 2 projetos").click()
        notice = page.locator(".feita")
        await expect(notice).to_contain_text("2 projetos")
        await look(page, scripts, f"feita-{theme}-{width}")
        await notice.get_by_role("link", name="Ver um a um").click()
        await expect(page.get_by_role("heading", name="O que foi decidido")).to_be_visible()
        await look(page, scripts, f"ato-{theme}-{width}")
        await page.get_by_role("button", name="Desfazer em P0003").click()
        await expect(page.get_by_role("row", name="Projeto 3")).to_contain_text("Desfeita")
        await page.get_by_role("button", name="Desfazer", exact=True).first.click()
        await expect(page.get_by_role("row", name="Projeto 1").first).to_contain_text("sem decisão")
    stands = await container.decisoes.decisoes(scope, EDITAL)
    assert {codigo: one.decisao for codigo, one in stands.items()} == {"P0002": "habilitado", "P0003": "inabilitado"}


async def test_whoever_comes_second_sees_what_stands_without_scripts_and_decides_again(
    shared_server: Any, gestora: str, container: Container, scope: Scope, davi: Scope
) -> None:
    async with opened(shared_server.address, "light", 390, scripts=False, refused=409) as page:
        await let_in(page, gestora)
        await page.goto(f"{PAGE}?projeto=P0001#projeto-P0001")
        await page.get_by_label("Inabilitado", exact=True).check()
        await page.get_by_label("Motivo").fill("O documento é de outra pessoa.")
        await container.decisoes.decidir(davi, EDITAL, "P0001", "pendencia", "Pediu prazo até sexta.", None)
        await page.get_by_role("button", name="Gravar decisão").click()
        await expect(page.get_by_text("decidiu “Pendência”")).to_be_visible()
        await expect(page.get_by_text("Pediu prazo até sexta.").first).to_be_visible()
        await expect(page.get_by_label("Motivo")).to_be_focused()
        await look(page, False, "segunda-light-390")
        await page.get_by_role("button", name="Decidir de novo").click()
        await expect(page.locator(".linha[open] .decidida").first).to_contain_text("Inabilitado")
        await look(page, False, "decidida-light-390")


async def test_a_preview_that_grew_old_is_told_on_its_page(shared_server: Any, gestora: str, container: Container, davi: Scope) -> None:
    async with opened(shared_server.address, "light", 1280, scripts=False, refused=409) as page:
        await let_in(page, gestora)
        await page.goto(PAGE)
        await page.get_by_role("button", name="Decidir todos os 30").click()
        await expect(page.get_by_role("heading", level=1)).to_have_text("Habilitar 30 projetos")
        await container.decisoes.decidir(davi, EDITAL, "P0005", "inabilitado", "Não comprovou a sede.", None)
        await page.get_by_role("button", name="Habilitar 30 projetos").click()
        await expect(page.get_by_role("alert")).to_contain_text("Mudou: P0005")
        await look(page, False, "mudou-light-1280")
