"""What was published, in a real browser and without an account: light and dark, desktop and phone, with scripts and without."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import expect

from chamada_publicada import com_notas, publish
from crivo.bootstrap import Container
from crivo.kernel.access import Usuario
from crivo.kernel.tenancy import Scope
from navegador import IS_MISSING, Theme, approve, opened
from sujeitos import as_person

pytestmark = pytest.mark.skipif(IS_MISSING, reason="no Chromium was found on this machine")


@pytest.fixture(scope="module")
def served(run_server: Callable[..., Any]) -> Iterator[Any]:
    with run_server(CRIVO_TRABALHADORES="0") as running:
        yield running


@pytest.fixture
async def codigos(container: Container, scope: Scope, new_person: Callable[..., Awaitable[Usuario]]) -> list[str]:
    """The codes of two versions, the one in force last."""
    gestora = as_person(scope, await new_person(scope, "gestor"))
    await container.triagem.importar(scope, com_notas([5, 9, 7]))
    first = await publish(container, gestora)
    await container.triagem.importar(scope, com_notas([10, 9, 7]))
    return [first.codigo, (await publish(container, gestora, "Nota de P0001 corrigida.")).codigo]


@pytest.mark.parametrize(("theme", "width", "scripts"), [("light", 1280, True), ("dark", 390, True), ("light", 390, False)])
async def test_anybody_finds_a_result_and_checks_the_file_that_they_have(
    served: Any, scope: Scope, codigos: list[str], tmp_path: Path, theme: Theme, width: int, scripts: bool
) -> None:
    async with opened(served.address, theme, width, scripts) as page:
        name = f"publicacoes-{theme}-{width}"
        await page.goto(f"/publicacoes/{scope.tenant_id}")
        await expect(page.get_by_role("heading", name="Resultados publicados")).to_be_visible()
        if scripts:
            await approve(page, f"{name}-lista")
        await page.get_by_role("link", name="Resultado preliminar, versão 1").click()
        await expect(page.get_by_role("heading", name="Esta versão foi substituída")).to_be_visible()
        if scripts:
            await approve(page, f"{name}-substituida")
        await page.get_by_role("link", name="Resultado preliminar, versão 2").first.click()
        await expect(page.get_by_text("Em vigor", exact=True).first).to_be_visible()
        taken = await page.context.request.get(f"/publicacoes/{scope.tenant_id}/{codigos[1]}.csv")
        kept = tmp_path / "recebido.csv"
        kept.write_bytes(await taken.body())
        if scripts:
            await approve(page, f"{name}-versao")
        await page.get_by_role("link", name="Conferir um arquivo").click()
        await page.get_by_label("Arquivo", exact=True).set_input_files(kept)
        await page.get_by_role("button", name="Conferir").click()
        await expect(page.get_by_role("heading", name="Confere", exact=True)).to_be_visible()
        if scripts:
            await approve(page, f"{name}-confere")
        kept.write_bytes(kept.read_bytes() + b"x")
        await page.get_by_label("Arquivo", exact=True).set_input_files(kept)
        await page.get_by_role("button", name="Conferir").click()
        await expect(page.get_by_role("heading", name="Não confere")).to_be_visible()
        if scripts:
            await approve(page, f"{name}-nao-confere")
