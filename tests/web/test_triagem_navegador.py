"""Screening in a real browser: with our script and without it, light and dark, desktop and phone."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Page, expect

from crivo.bootstrap import Container
from crivo.kernel.access import Sessoes, Usuario, find_usuario
from crivo.kernel.tenancy import Scope
from crivo.triagem.importacao import read_chamada
from importacoes import certa, write
from navegador import IS_MISSING, Theme, enter, fits, opened
from triagem_web import empty_queue

pytestmark = pytest.mark.skipif(IS_MISSING, reason="no Chromium was found on this machine")
PAGE = "/admin/editais/ED-2026-04/triagem-ia"
HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(1)>"
TEXTO = "Doze apresentações de reisado, de grande importância cultural para a comunidade, com oficina de adereços e registro em vídeo."


@pytest.fixture(scope="module")
def served(run_server: Callable[..., Any]) -> Iterator[Any]:
    with run_server(CRIVO_TRABALHADORES="2") as running:
        yield running


@pytest.fixture
async def imported(urls: tuple[str, str], container: Container, scope: Scope, tmp_path: Path) -> None:
    """Thirty projects; the first two say the same."""
    empty_queue(urls[0])
    documento = certa()
    model = documento["projetos"][0]
    documento["projetos"] = [
        {
            **model,
            "id": f"P{number:03}",
            "titulo": f"Reisado {number} {HOSTILE}",
            "resumo": TEXTO if number < 3 else f"Projeto de número {number}, que não se parece com os outros: {chr(96 + number) * 9}.",
            "descricao_tecnica": TEXTO * 3 if number < 3 else f"Outra coisa {number}",
        }
        for number in range(1, 31)
    ]
    documento["avaliadores"][0]["projetos"] = ["P001", "P002"]
    await container.triagem.importar(scope, read_chamada(write(tmp_path, documento)))


@pytest.fixture
async def gestora(container: Container, scope: Scope, new_person: Callable[..., Any]) -> str:
    """A link of somebody who manages."""
    person: Usuario = await new_person(scope, "gestor")
    return await Sessoes(container.database, container.clock).create_link(scope, person.ator)


async def photograph(page: Page, name: str) -> None:
    """Keeps a picture for whoever wants to look."""
    if folder := os.environ.get("CRIVO_TEST_FOTOS"):
        await page.screenshot(path=Path(folder) / f"{name}.png", full_page=True)


async def run(page: Page) -> None:
    await page.goto("/admin/editais")
    await page.get_by_role("link", name="Edital de Fomento às Culturas Populares").click()
    await page.get_by_role("button", name="Executar Triagem Completa").click()


@pytest.mark.usefixtures("imported")
@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize("theme", ["light", "dark"])
async def test_a_manager_screens_an_edital_and_reads_what_was_found(served: Any, gestora: str, theme: Theme, width: int) -> None:
    async with opened(served.address, theme, width) as page:
        await enter(page, gestora)
        await run(page)
        await expect(page.locator(".ultima .selo")).to_contain_text("Concluída", timeout=60_000)  # the script shows the end by itself
        assert await fits(page)
        await expect(page.locator(".linha")).to_have_count(25)
        await page.locator(".linha summary").first.click()
        await expect(page.locator(".linha").first.locator(".item").first).to_be_visible()
        await photograph(page, f"habilitacao-{theme}-{width}")
        assert await fits(page)
        await page.get_by_role("link", name="Próxima página").click()
        await expect(page.locator(".linha")).to_have_count(5)
        await page.get_by_role("link", name="Avaliação 30").click()
        await page.locator(".linha summary").first.click()
        await expect(page.locator(".linha").first.locator("blockquote").first).to_be_visible()
        await photograph(page, f"avaliacao-{theme}-{width}")
        assert await fits(page)
        await page.get_by_role("link", name="Irregularidades").click()
        await expect(page.locator(".sinal").first).to_contain_text("P001")
        await photograph(page, f"irregularidades-{theme}-{width}")
        assert await fits(page)
        async with page.expect_download() as download:
            await page.get_by_role("link", name="Baixar tudo (XLSX)").click()
        assert (await download.value).suggested_filename == "triagem-ED-2026-04.xlsx"


@pytest.mark.usefixtures("imported")
async def test_everything_works_without_scripts(served: Any, gestora: str) -> None:
    async with opened(served.address, scripts=False) as page:
        await enter(page, gestora)
        await run(page)
        async with asyncio.timeout(60):
            while not await page.locator(".ultima").count():
                await page.get_by_role("link", name="Atualizar").or_(page.locator(".ultima")).click()
        await expect(page.locator(".ultima .selo")).to_contain_text("Concluída")
        await page.get_by_label("Procurar").fill("reisado p007")
        await page.get_by_role("button", name="Filtrar").click()
        await expect(page.locator(".projeto-codigo")).to_have_text(["P007"])


@pytest.mark.usefixtures("imported")
async def test_a_button_pressed_twice_begins_one_screening(served: Any, gestora: str, container: Container, scope: Scope) -> None:
    async with opened(served.address) as page:
        await enter(page, gestora)
        await page.goto(PAGE)
        await page.get_by_role("button", name="Executar Triagem Completa").dblclick()
        await expect(page.locator(".ultima .selo")).to_contain_text("Concluída", timeout=60_000)
    assert len(await container.triagem.execucoes(scope)) == 1


@pytest.mark.usefixtures("imported")
@pytest.mark.parametrize("width", [360, 1280])
async def test_a_judge_gives_a_nota_by_the_keyboard(served: Any, container: Container, scope: Scope, width: int) -> None:
    async with container.database.unit_of_work(scope) as uow:
        rui = await find_usuario(uow, "rui@jurado.example")
    assert rui is not None
    link = await Sessoes(container.database, container.clock).create_link(scope, rui.ator)
    async with opened(served.address, width=width) as page:
        await enter(page, link)
        await page.get_by_role("link", name="Avaliar projetos").click()
        await page.get_by_role("link", name="Reisado 1 ").click()
        assert await fits(page)
        await page.get_by_label("Sua nota").fill("8,5")
        await page.keyboard.press("Tab")
        await page.keyboard.insert_text("Mestre reconhecido.")
        await page.keyboard.press("Tab")
        await page.keyboard.press("Enter")
        await expect(page.get_by_text("Gravada em")).to_be_visible()
        await expect(page.get_by_label("Sua nota")).to_have_value("8,5")
        await photograph(page, f"avaliar-{width}")
