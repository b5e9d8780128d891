"""A spreadsheet of notas in a real browser: refused by its cells, taken home noted, foreseen and brought in; light, dark, on a telephone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Page, expect

from chamadas import importacao
from crivo.bootstrap import Container
from crivo.kernel.access import Sessoes
from crivo.kernel.tenancy import Scope
from crivo.triagem.edital import Avaliador
from navegador import IS_MISSING, Theme, approve, let_in, opened
from planilhas import livro
from triagem_web import EDITAL

pytestmark = pytest.mark.skipif(IS_MISSING, reason="no Chromium was found on this machine")
NOTAS = f"/admin/editais/{EDITAL}/notas"
RITA = Avaliador("Rita Melo", "rita@avalia.exemplo", ("P0001",))
BAD = livro(("P0001", "Rita Melo", 12, "bom", None), ("P9", "Zeca", 1, 1, None))
GOOD = livro(
    ("P0001", "Rita Melo", "8,5", 7, "Bom."),
    ("P0002", "bia@avalia.exemplo", 6, None, None),
    habilitacao=[("P0003", "inabilitado", "Fora.")],
)


@pytest.fixture
async def gestora(container: Container, scope: Scope, new_person: Callable[..., Any]) -> str:
    """A link of somebody who manages an edital of three projects."""
    await container.triagem.importar(scope, importacao(3, EDITAL, avaliadores=[RITA]))
    return await Sessoes(container.database, container.clock).create_link(scope, (await new_person(scope, "gestor")).ator)


async def send(page: Page, content: bytes) -> None:
    await page.goto(NOTAS, wait_until="load")
    await page.get_by_label("Planilha de notas").set_input_files({"name": "notas.xlsx", "mimeType": "", "buffer": content})
    await page.get_by_role("button", name="Conferir a planilha").click()
    await page.wait_for_load_state("load")


@pytest.mark.parametrize(("theme", "width"), [("light", 1280), ("dark", 1280), ("light", 390)])
async def test_each_state_of_the_page_fits_and_can_be_read(shared_server: Any, gestora: str, theme: Theme, width: int) -> None:
    async with opened(shared_server.address, theme, width, refused=422) as page:
        await let_in(page, gestora)
        await page.goto(NOTAS, wait_until="load")
        await approve(page, f"notas-vazia-{theme}-{width}")
        await send(page, BAD)
        await expect(page.get_by_role("alert")).to_contain_text("Há 4 problemas na planilha")
        await expect(page.get_by_role("row", name="Notas!C2")).to_contain_text("12 passa do máximo 10 de C1")
        await approve(page, f"notas-faltas-{theme}-{width}")
        await send(page, GOOD)
        await expect(page.get_by_role("heading", name="Confira antes de importar")).to_be_visible()
        await approve(page, f"notas-previa-{theme}-{width}")


@pytest.mark.parametrize("scripts", [True, False])
async def test_a_spreadsheet_goes_from_its_model_to_the_notas(
    shared_server: Any, gestora: str, container: Container, scope: Scope, tmp_path: Path, scripts: bool
) -> None:
    async with opened(shared_server.address, scripts=scripts, refused=422) as page:
        await let_in(page, gestora)
        await page.goto(f"/admin/editais/{EDITAL}/ranking", wait_until="load")
        await page.get_by_role("link", name="Notas de planilha").click()
        async with page.expect_download() as model:
            await page.get_by_role("link", name="Baixe o modelo deste edital").click()
        await (await model.value).save_as(tmp_path / "modelo.xlsx")
        await send(page, (tmp_path / "modelo.xlsx").read_bytes())
        await expect(page.get_by_role("heading", name="Nada mudaria")).to_be_visible()
        await send(page, BAD)
        async with page.expect_download() as noted:
            await page.get_by_role("button", name="Baixar a planilha com os problemas anotados").click()
        assert (await noted.value).suggested_filename == f"notas-{EDITAL}-problemas.xlsx"
        await send(page, GOOD)
        await expect(page.get_by_text("bia@avalia.exemplo")).to_be_visible()
        await page.get_by_role("button", name="Importar 3 notas e 1 habilitação").click()
        await expect(page.get_by_text("As notas e habilitações da planilha já valem")).to_be_visible()
    assert len(await container.julgamento.notas(scope, EDITAL)) == 3
