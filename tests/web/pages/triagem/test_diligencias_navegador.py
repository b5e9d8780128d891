"""The whole of a diligência in a real browser: asked on the mesa, a letter written, answered by nobody signed in, seen before and after."""

from __future__ import annotations

import asyncio
import email
import re
from collections.abc import Callable
from email.message import EmailMessage
from email.policy import default
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.async_api import Page, expect

from crivo.bootstrap import Container
from crivo.kernel.access import Sessoes, list_usuarios
from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import Scope
from diligencias import CERTIDAO, EDITAL, EMAIL, com_pendencia, working_on
from navegador import IS_MISSING, Theme, approve, fits, let_in, opened
from seguimento import wait_for_end
from triagem_web import empty_queue

pytestmark = pytest.mark.skipif(IS_MISSING, reason="no Chromium was found on this machine")
BASE: Final = f"/admin/editais/{EDITAL}"


@pytest.fixture
async def gestora(container: Container, scope: Scope, new_person: Callable[..., Any]) -> str:
    return await Sessoes(container.database, container.clock).create_link(scope, (await new_person(scope, "gestor")).ator)


async def screened(container: Container, scope: Scope, urls: tuple[str, str], database: Database) -> None:
    empty_queue(urls[0])
    await container.triagem.importar(scope, com_pendencia())
    await container.triagem.executar(scope, EDITAL)
    async with working_on(database):
        assert (await wait_for_end(container.triagem, scope, EDITAL)).status == "concluida"


async def judged(container: Container, scope: Scope, database: Database) -> None:
    """The answer is read and judged by a worker of the test's own, in the test's own event loop."""
    async with working_on(database), asyncio.timeout(60):
        while True:
            if (await container.diligencias.abrir(scope, EDITAL, 1)).diligencia.julgada_em is not None:
                return


def written_in(folder: Path) -> EmailMessage:
    (path,) = folder.glob("*.eml")
    made = email.message_from_bytes(path.read_bytes(), policy=default)
    assert isinstance(made, EmailMessage)
    return made


async def look(page: Page, scripts: bool, name: str) -> None:
    """Held to what any page is held to, which is looked at with a script."""
    if scripts:
        await approve(page, name)
    else:
        assert await fits(page), name


@pytest.mark.parametrize(("theme", "width", "scripts"), [("light", 1280, True), ("dark", 390, True), ("light", 800, False)])
async def test_from_the_mesa_to_the_answer_and_back(
    shared_server: Any,
    gestora: str,
    container: Container,
    scope: Scope,
    tmp_path: Path,
    database: Database,
    urls: tuple[str, str],
    theme: Theme,
    width: int,
    scripts: bool,
) -> None:
    await screened(container, scope, urls, database)
    async with opened(shared_server.address, theme, width, scripts) as page:
        await let_in(page, gestora)
        await page.goto(f"{BASE}/mesa/P0001?vista=analise", wait_until="load")
        await page.get_by_role("link", name="Pedir ao proponente").click()
        await expect(page.get_by_role("heading", name="Pedir ao proponente")).to_be_visible()
        await look(page, scripts, f"diligencia-nova-{theme}-{width}")
        await page.get_by_role("button", name="Pedir").click()
        await page.wait_for_url(f"**{BASE}/diligencias/1?ok=diligencia")
        await look(page, scripts, f"diligencia-pedida-{theme}-{width}")

    assert await container.cartas.entregar_agora(scope) == {"enviada": 1}
    letter = written_in(container.settings.data_dir / "cartas" / scope.tenant_id)
    found = re.search(r"(/diligencias/\S+)", letter.get_content())
    assert found

    certidao = tmp_path / "certidão.pdf"
    certidao.write_bytes(CERTIDAO)
    async with opened(shared_server.address, theme, width, scripts) as page:  # nobody
        await page.goto(found[1], wait_until="load")
        await look(page, scripts, f"diligencia-publica-{theme}-{width}")
        await page.get_by_label(re.compile("Certidão negativa municipal")).set_input_files(certidao)
        await page.get_by_label("Esclarecimento").fill("Segue a certidão que faltava.")
        await page.get_by_role("button", name="Enviar a resposta").click()
        await expect(page.get_by_text("Resposta recebida em")).to_be_visible()
        await expect(page.get_by_text("certidão.pdf")).to_be_visible()
        await look(page, scripts, f"diligencia-recibo-{theme}-{width}")

    await judged(container, scope, database)
    link = await Sessoes(container.database, container.clock).create_link(scope, await _again(container, scope))
    async with opened(shared_server.address, theme, width, scripts) as page:
        await let_in(page, link)
        await page.goto(f"{BASE}/diligencias/1", wait_until="load")
        await expect(page.get_by_text("Conferido por código em")).to_be_visible()
        row = page.get_by_role("row", name=re.compile("Certidão negativa municipal"))
        await expect(row).to_contain_text("Não atende")
        await expect(row.get_by_text("Atende", exact=True)).to_be_visible()
        await look(page, scripts, f"diligencia-julgada-{theme}-{width}")
        await page.goto(f"{BASE}/mesa/P0001?vista=analise", wait_until="load")
        await expect(page.get_by_text("depois da diligência,").first).to_be_visible()
        await expect(page.get_by_role("link", name="certidão.pdf").first).to_be_visible()
        await look(page, scripts, f"diligencia-mesa-{theme}-{width}")
        await page.goto(f"{BASE}/diligencias", wait_until="load")
        await look(page, scripts, f"diligencia-lista-{theme}-{width}")
        await page.goto("/admin/cartas", wait_until="load")
        await look(page, scripts, f"diligencia-cartas-{theme}-{width}")
        await page.get_by_role("link", name="Gravadas, para enviar").click()
        await look(page, scripts, f"diligencia-cartas-gravadas-{theme}-{width}")
        why = page.get_by_text("Sem servidor de e-mail: abra a carta")
        assert await why.evaluate("one => one.parentElement.scrollHeight <= one.parentElement.clientHeight + 1")  # whole, not cut
        await page.get_by_role("link", name=re.compile("pedido de documentos")).click()
        await expect(page.get_by_text(EMAIL)).to_be_visible()
        await look(page, scripts, f"diligencia-carta-{theme}-{width}")


async def _again(container: Container, scope: Scope) -> str:
    """Whoever manages, for another link."""
    async with container.database.unit_of_work(scope) as uow:
        return next(one.ator for one in await list_usuarios(uow) if one.papel == "gestor")
