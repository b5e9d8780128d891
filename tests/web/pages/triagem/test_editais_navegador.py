"""Screening in a real browser: with our script and without it, light and dark, desktop and phone."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Page, expect

from crivo.bootstrap import Container
from crivo.kernel.access import Sessoes, Usuario
from crivo.kernel.tenancy import Scope
from crivo.triagem.importacao import read_chamada
from importacoes import certa, write
from navegador import IS_MISSING, Theme, approve, let_in, opened
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


async def run(page: Page) -> None:
    await page.goto("/admin/editais")
    await page.get_by_role("link", name="Edital de Fomento às Culturas Populares").click()
    await page.get_by_role("button", name="Executar Triagem Completa").click()


async def check_first_line(page: Page, line: str, theme: Theme) -> None:
    """On a screen of 1280 by 800 the first line of a tab stands where it is seen at once, in both themes."""
    for scheme in ("light", theme):
        await page.emulate_media(color_scheme=scheme)
        box = await page.locator(line).first.bounding_box()
        assert box is not None
        assert box["y"] < 300, (line, scheme, box["y"])


@pytest.mark.usefixtures("imported")
@pytest.mark.parametrize(("theme", "width"), [("light", 360), ("dark", 1280)])
async def test_a_manager_screens_an_edital_and_reads_what_was_found(served: Any, gestora: str, theme: Theme, width: int) -> None:
    """Triagem 5.1/2, Triagem 5.1/3, Triagem 5.1/4, Triagem 5.1/5, Triagem 5.1/6, Triagem 5.3/1: the main page, in a browser."""
    async with opened(served.address, theme, width) as page:
        await let_in(page, gestora)
        await run(page)
        await expect(page.locator(".ultima .selo")).to_contain_text("Concluída", timeout=60_000)  # the script shows the end by itself
        await expect(page.locator(".linha")).to_have_count(25)
        if width == 1280:
            for tab, line in (("habilitacao", ".linha"), ("avaliacao", ".linha"), ("irregularidades", ".caso"), ("habilitacao", ".linha")):
                await page.goto(f"{PAGE}?aba={tab}")
                await check_first_line(page, line, theme)
        await page.locator(".linha summary").first.click()
        await expect(page.locator(".linha").first.locator(".item").first).to_be_visible()
        await approve(page, f"habilitacao-{theme}-{width}")
        await page.get_by_label("Inabilitado", exact=True).first.check()
        await page.get_by_label("Motivo").first.fill("O documento é de outra pessoa.")
        await page.get_by_role("button", name="Gravar decisão").first.click()
        await expect(page.locator(".linha").first.locator("summary .negado")).to_be_visible()
        await page.get_by_role("link", name="Próxima página").click()
        await expect(page.locator(".linha")).to_have_count(5)
        await page.get_by_role("link", name="Avaliação 30").click()
        await page.locator(".linha summary").first.click()
        await expect(page.locator(".linha").first.locator("blockquote").first).to_be_visible()
        await approve(page, f"avaliacao-{theme}-{width}")
        await page.get_by_role("link", name="Irregularidades").click()
        await expect(page.locator(".caso").first).to_contain_text("P001")
        await page.locator(".caso-sinais details:has(.comparacao) > summary").first.click()
        await expect(page.locator(".comparacao mark").first).to_be_visible()
        await approve(page, f"irregularidades-{theme}-{width}")
        await page.locator(".caso").first.get_by_label("Motivo").fill("São etapas do mesmo projeto.")
        await page.locator(".caso").first.get_by_role("button", name="Descartar").click()
        await expect(page.locator(".caso").first.locator(".caso-decidido")).to_contain_text("São etapas do mesmo projeto.")
        await approve(page, f"caso-descartado-{theme}-{width}")
        await page.locator(".caso").first.get_by_role("button", name="Desfazer").click()
        await expect(page.locator(".caso").first.locator(".caso-estado")).to_contain_text("Em aberto")
        async with page.expect_download() as download:
            await page.get_by_role("link", name="XLSX com tudo").click()
        assert (await download.value).suggested_filename == "triagem-ED-2026-04.xlsx"
        await page.get_by_role("link", name="Ranking e concordância").click()
        await expect(page.get_by_role("heading", name="Ranking", exact=True)).to_be_visible()
        await approve(page, f"ranking-{theme}-{width}")
        await page.goto("/admin/editais/ED-2026-04/projetos/P001/documentos/1")
        await expect(page.get_by_text("Esta página está danificada e não pôde ser desenhada.")).to_be_visible()
        await approve(page, f"documento-{theme}-{width}")
        await page.goto("/admin/editais")
        await approve(page, f"editais-{theme}-{width}")


@pytest.mark.usefixtures("imported")
async def test_everything_works_without_scripts(served: Any, gestora: str) -> None:
    async with opened(served.address, scripts=False, refused=422) as page:
        await let_in(page, gestora)
        await run(page)
        async with asyncio.timeout(60):
            while not await page.locator(".ultima").count():  # without scripts a page changes only where it is pressed
                await page.get_by_role("link", name="Atualizar").click()
        await expect(page.locator(".ultima .selo")).to_contain_text("Concluída")
        await page.get_by_label("Procurar").fill("reisado p007")
        await page.get_by_role("button", name="Filtrar").click()
        await expect(page.locator(".projeto-codigo")).to_have_text(["P007"])
        await page.goto(f"{PAGE}?aba=irregularidades")
        caso = page.locator(".caso").first
        await caso.get_by_label("Motivo").fill("O grupo confirmou.")
        await caso.get_by_role("button", name="Confirmar").click()
        await expect(page.locator(".caso").first.locator(".caso-estado")).to_contain_text("Confirmado")
        await (
            page.locator(".caso")
            .first.get_by_role("button", name="Confirmar")
            .or_(page.locator(".caso").first.get_by_role("button", name="Descartar"))
            .first.click()
        )  # without a reason
        await expect(page.get_by_role("alert").first).to_contain_text("Escreva o motivo")


@pytest.mark.usefixtures("imported")
async def test_a_button_pressed_twice_begins_one_screening(served: Any, gestora: str, container: Container, scope: Scope) -> None:
    """Triagem 5.1/1: Seed, Página principal: header com botão "Executar Triagem Completa"."""
    async with opened(served.address) as page:
        await let_in(page, gestora)
        await page.goto(PAGE)
        await page.get_by_role("button", name="Executar Triagem Completa").dblclick()
        await expect(page.locator(".ultima .selo")).to_contain_text("Concluída", timeout=60_000)
    assert len(await container.triagem.execucoes(scope)) == 1
