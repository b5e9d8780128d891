"""Two projects side by side in a real browser: light and dark, desktop and phone, with scripts and without."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import expect

from com_semantico import precisa_do_semantico
from crivo.bootstrap import Container
from crivo.kernel.access import Sessoes, Usuario
from crivo.kernel.settings import Settings
from crivo.kernel.tenancy import Scope
from dois_projetos import EDITAL, chamada
from navegador import IS_MISSING, Theme, approve, fits, let_in, opened

pytestmark = [pytest.mark.skipif(IS_MISSING, reason="no Chromium was found on this machine"), precisa_do_semantico, pytest.mark.slow]
PAGE = f"/admin/editais/{EDITAL}/comparar"


@pytest.fixture(scope="module")
def served(run_server: Callable[..., Any]) -> Iterator[Any]:
    with run_server(CRIVO_TRABALHADORES="0", CRIVO_EMBEDDINGS="semantico") as running:
        yield running


@pytest.fixture
def settings(settings_of_all: Settings, scope: Scope, tmp_path: Path) -> Settings:
    return settings_of_all.model_copy(update={"data_dir": tmp_path, "tenant": scope.tenant_id, "embeddings": "semantico"})


@pytest.fixture
async def gestora(container: Container, scope: Scope, new_person: Callable[..., Any]) -> str:
    """A link of somebody who manages; the call is there, nobody has screened it, and its texts were read: a browser waits for no model."""
    await container.triagem.importar(scope, chamada())
    for other in ("P030", "P105"):
        await container.comparar.comparar(scope, EDITAL, "P017", other)
    await container.comparar.procurar(scope, EDITAL, "samba de roda")
    person: Usuario = await new_person(scope, "gestor")
    return await Sessoes(container.database, container.clock).create_link(scope, person.ator)


@pytest.mark.parametrize(
    ("theme", "width", "scripts"), [("light", 1440, True), ("dark", 1440, False), ("dark", 390, True), ("light", 390, False)]
)
async def test_two_projects_are_compared_and_one_is_changed(served: Any, gestora: str, theme: Theme, width: int, scripts: bool) -> None:
    async with opened(served.address, theme, width, scripts) as page:
        name = f"comparar-{theme}-{width}"
        await let_in(page, gestora)
        await page.context.request.get(f"{PAGE}?a=P017&b=P030", timeout=120_000)  # a process loads what counts letters with its first pair
        await page.goto(PAGE)
        await expect(page.get_by_role("heading", name="Escolha dois projetos")).to_be_visible()
        assert await fits(page)
        if scripts:
            await approve(page, f"{name}-escolher")
        await page.get_by_label("Um projeto").fill("P017")
        await page.get_by_label("O outro").fill("P030")
        await page.get_by_role("button", name="Comparar").click()
        await expect(page.get_by_text("mesma ideia, outras palavras").first).to_be_visible()
        await expect(page.get_by_role("img", name="É o par mais próximo entre os 66 deste edital.")).to_be_visible()
        assert await fits(page)
        if scripts:
            await approve(page, name)
        await page.get_by_role("link", name="Só em um").click()
        await expect(page.get_by_text("só em P030").first).to_be_visible()
        await expect(page.get_by_text("mesmas palavras", exact=True)).to_have_count(0)
        await page.get_by_text("Trocar um", exact=True).click()
        await page.get_by_label("O outro").fill("P105")
        await page.get_by_role("button", name="Comparar").click()
        await expect(page.get_by_text("só em P105").first).to_be_visible()
        await page.goto(f"/admin/editais/{EDITAL}/procurar?q=samba+de+roda")
        await expect(page.get_by_role("listitem").filter(has_text="P105")).to_be_visible()
        assert await fits(page)
        if scripts:
            await approve(page, f"procurar-{theme}-{width}")
