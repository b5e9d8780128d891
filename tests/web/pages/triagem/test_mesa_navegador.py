"""A whole screening decided on the mesa in a real browser: by keys alone, by mouse, on a telephone, without scripts, light and dark."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import expect

from chamadas import Falsos, importacao
from crivo.bootstrap import Container
from crivo.kernel.access import Sessoes
from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import Scope
from crivo.triagem.achados import Achadas
from crivo.triagem.amostra.montagem import write_sample
from crivo.triagem.documentos.leitura import read_document
from crivo.triagem.documentos.lido import DocumentoLido
from crivo.triagem.edital import Avaliador
from crivo.triagem.importacao.leitura import read_chamada
from crivo.triagem.montagem import finders
from navegador import IS_MISSING, Theme, approve, let_in, opened
from seguimento import wait_for_end
from triagem_web import EDITAL, empty_queue, screening

pytestmark = pytest.mark.skipif(IS_MISSING, reason="no Chromium was found on this machine")
MESA = f"/admin/editais/{EDITAL}/mesa"
RITA = Avaliador("Rita Melo", "rita@avalia.exemplo", ("P0001",))
KEPT = ("P002", "P005", "P007", "P012")


_IN_TURN = threading.Lock()  # pdfium is of one thread at a time; in the program each file has a process


def read_in_turn(arquivo: str, content: bytes) -> DocumentoLido:
    with _IN_TURN:
        return read_document(arquivo, content)


async def read(arquivo: str, content: bytes) -> DocumentoLido:
    return await asyncio.to_thread(read_in_turn, arquivo, content)


async def compare_nothing(*_: object) -> Achadas:
    return Achadas((), {})


@pytest.fixture
async def gestora(container: Container, scope: Scope, new_person: Callable[..., Any]) -> str:
    """A link of somebody who manages."""
    return await Sessoes(container.database, container.clock).create_link(scope, (await new_person(scope, "gestor")).ator)


async def screen(container: Container, scope: Scope, database: Database, quantos: int) -> None:
    """So many projects with which nothing is wrong."""
    await container.triagem.importar(scope, importacao(quantos, EDITAL, avaliadores=[RITA]))
    await container.triagem.executar(scope, EDITAL)
    async with screening(database, replace(Falsos().achadores(), irregularidades=compare_nothing)):
        assert (await wait_for_end(container.triagem, scope, EDITAL)).status == "concluida"


@pytest.fixture
async def amostra(urls: tuple[str, str], container: Container, scope: Scope, database: Database, tmp_path: Path) -> str:
    """Four projects of the sample, really read: two of them lack something, one hides something."""
    empty_queue(urls[0])
    path = write_sample(tmp_path)
    chamada = json.loads(path.read_text())
    chamada["projetos"] = [one for one in chamada["projetos"] if one["id"] in KEPT]
    for person in chamada["avaliadores"]:
        person["projetos"] = [one for one in person["projetos"] if one in KEPT]
    path.write_text(json.dumps(chamada))
    codigo = (await container.triagem.importar(scope, read_chamada(path))).edital_id
    await container.triagem.executar(scope, codigo)
    async with screening(database, finders(read, compare_nothing)):
        assert (await wait_for_end(container.triagem, scope, codigo)).status == "concluida"
    return f"/admin/editais/{codigo}/mesa"


async def test_forty_projects_are_decided_by_keys_alone_one_key_each(
    shared_server: Any, gestora: str, container: Container, scope: Scope, database: Database, urls: tuple[str, str]
) -> None:
    """Shown by: 40 projects decided with at most 2 keys each where nothing is wrong."""
    empty_queue(urls[0])
    await screen(container, scope, database, 40)
    async with opened(shared_server.address) as page:
        await let_in(page, gestora)
        await page.goto(MESA, wait_until="load")
        await page.keyboard.press("j")
        await page.wait_for_url(f"**{MESA}/P0001")
        await page.wait_for_load_state("load")
        await page.keyboard.press("?")
        await expect(page.get_by_role("dialog", name="Teclas da mesa")).to_be_visible()
        await page.keyboard.press("j")  # a dialog keeps its keys
        await page.keyboard.press("Escape")
        await expect(page.get_by_role("dialog", name="Teclas da mesa")).to_be_hidden()
        await page.keyboard.press("3")
        await expect(page.get_by_label("Inabilitar")).to_be_checked()
        await page.keyboard.press("1")
        await expect(page.get_by_label("Habilitar", exact=False).first).to_be_checked()
        await page.keyboard.press("/")
        await page.keyboard.type("j1z?")  # what is written is written
        await expect(page.locator("#procura")).to_have_value("j1z?")
        await page.locator("#procura").fill("")
        await page.keyboard.press("Escape")
        for number in range(1, 40):
            await page.keyboard.press("Control+Enter")
            await page.wait_for_url(f"**/mesa/P{number + 1:04}?*", wait_until="load")
        await expect(page.get_by_text("P0039: habilitado")).to_be_visible()
        await page.keyboard.press("z")
        await page.wait_for_url("**/mesa/P0039*", wait_until="load")
        await expect(page.get_by_role("heading", name="Sua decisão")).to_be_visible()
        await page.keyboard.press("Control+Enter")
        await page.wait_for_url("**/mesa/P0040?*", wait_until="load")
        await page.keyboard.press("Control+Enter")
        await expect(page.get_by_role("heading", name="Tudo decidido")).to_be_visible()
        await page.goto(f"{MESA}/P0001?visao=todos", wait_until="load")
        await page.keyboard.press("m")
        await page.keyboard.press("j")  # what was marked stays so while one reads on
        await page.wait_for_url("**/mesa/P0002?*", wait_until="load")
        await page.keyboard.press("m")
        await expect(page.get_by_label("Marcar P0001")).to_be_checked()
        await expect(page.locator("#lote option").first).to_have_text("2 marcados")
        await page.goto(f"{MESA}/P0001?visao=todos", wait_until="load")
        await page.keyboard.press("?")
        await page.get_by_label("Teclas de uma letra ligadas").uncheck()
        await page.keyboard.press("Escape")
        await page.keyboard.press("j")
        await page.keyboard.press("3")
        await expect(page.get_by_label("Inabilitar")).not_to_be_checked()
        assert page.url.endswith(f"{MESA}/P0001?visao=todos")
    decididos = await container.decisoes.decididos(scope, EDITAL)
    assert decididos == 40


@pytest.mark.parametrize(("theme", "width"), [("light", 1280), ("dark", 390)])
async def test_a_screening_is_decided_by_mouse_or_finger(shared_server: Any, gestora: str, amostra: str, theme: Theme, width: int) -> None:
    """What fails comes first with its passage on the page; what is missing is asked for in the edital's words; nothing is in the way."""
    phone = width < 1000
    async with opened(shared_server.address, theme, width, refused=422) as page:
        await let_in(page, gestora)
        await page.goto(amostra)
        await expect(page.locator(".fila-tab tbody tr")).to_have_count(4)
        first = await page.locator(".fila-tab tbody tr").first.bounding_box()
        assert first is not None
        assert first["y"] < (260 if phone else 200)
        assert round(first["height"]) in range(39, 45)
        await approve(page, f"mesa-fila-{theme}-{width}")
        await page.get_by_text("Filtros", exact=True).click()
        await page.get_by_label("Pendência", exact=False).first.check()
        await approve(page, f"mesa-filtros-{theme}-{width}")
        await page.get_by_role("button", name="Aplicar").click()
        await expect(page.get_by_role("list", name="Filtros em vigor")).to_contain_text("Situação sugerida: Pendência")
        await page.locator(".fila-tab tbody th a").first.click()
        await expect(page.locator(".reqs li").first).to_have_class("er")
        await approve(page, f"mesa-analise-{theme}-{width}")
        await page.locator(".reqs .ok a").nth(3).click()
        await expect(page.locator("#folha img.desenho")).to_be_visible()
        await approve(page, f"mesa-pagina-{theme}-{width}")
        if phone:
            await page.get_by_role("navigation", name="Partes da mesa").get_by_role("link", name="Análise").click()
        reason = page.get_by_label("Motivo, que quem se inscreveu lê")
        assert "Cláusula" in await reason.input_value()
        await page.locator("#decisao").get_by_text("Inabilitar").click()
        await reason.fill("não")
        await page.get_by_role("button", name="Decidir e próximo").click()
        await expect(page.get_by_role("alert")).to_contain_text("A decisão não foi guardada")
        await expect(reason).to_have_value("não")
        await approve(page, f"mesa-recusa-{theme}-{width}")
        await page.locator("#decisao").get_by_text("Pedir documento").click()
        await reason.fill("Envie a certidão que falta até sexta-feira.")
        await page.get_by_role("button", name="Decidir e próximo").click()
        await expect(page.locator(".desfazer")).to_contain_text(": pendência")
        await approve(page, f"mesa-feito-{theme}-{width}")
        await page.get_by_role("button", name="Desfazer").click()
        await expect(page.get_by_role("heading", name="Sua decisão")).to_be_visible()
        await page.go_back()
        await page.goto(f"{amostra}/P007?visao=todos&doc=7&vista=pagina")
        await expect(page.get_by_text("Mostrar o que está escondido").or_(page.locator("#folha"))).to_be_visible()
        await page.goto(f"{amostra}?visao=minhas")
        await expect(page.get_by_role("heading", name="Nada nesta visão")).to_be_visible()
        await approve(page, f"mesa-vazia-{theme}-{width}")


async def test_a_reason_goes_with_its_decision_and_what_somebody_wrote_stays(
    shared_server: Any, gestora: str, container: Container, scope: Scope, database: Database, urls: tuple[str, str]
) -> None:
    empty_queue(urls[0])
    await screen(container, scope, database, 1)
    async with opened(shared_server.address, "light", 1280) as page:
        await let_in(page, gestora)
        await page.goto(f"{MESA}/P0001?visao=todos")
        reason, chosen = page.get_by_label("Motivo, que quem se inscreveu lê"), page.locator("#decisao")
        await chosen.get_by_text("Pedir documento").click()
        await reason.fill("Falta a certidão municipal.")
        await page.get_by_role("button", name="Só decidir").click()
        await page.wait_for_url("**ato=*", wait_until="load")
        await expect(reason).to_have_value("Falta a certidão municipal.")
        await chosen.get_by_text("Habilitar").click()
        await expect(reason).to_have_value("")
        await chosen.get_by_text("Pedir documento").click()
        await expect(reason).to_have_value("Falta a certidão municipal.")
        await reason.fill("Falta a certidão, que chegou vencida.")
        await chosen.get_by_text("Inabilitar").click()
        await expect(reason).to_have_value("Falta a certidão, que chegou vencida.")


async def test_all_of_the_mesa_works_without_scripts(
    shared_server: Any, gestora: str, container: Container, scope: Scope, database: Database, urls: tuple[str, str]
) -> None:
    empty_queue(urls[0])
    await screen(container, scope, database, 4)
    async with opened(shared_server.address, scripts=False) as page:
        await let_in(page, gestora)
        await page.goto(MESA)
        await page.get_by_label("Procurar por título").fill("p0003")
        await page.get_by_role("button", name="Procurar").click()
        await expect(page.locator(".fila-tab tbody tr")).to_have_count(1)
        await page.get_by_role("link", name="tirar a procura").click()
        await page.get_by_role("columnheader", name="Projeto").get_by_role("link").click()
        await expect(page.get_by_role("columnheader", name="Projeto")).to_have_attribute("aria-sort", "ascending")
        await page.locator('summary[aria-label="Salvar esta visão com um nome"]').click()
        await page.get_by_label("Nome da visão").fill("Por título")
        await page.get_by_role("button", name="Salvar visão").click()
        await expect(page.get_by_role("navigation", name="Visões").get_by_role("link", name="Por título")).to_have_attribute(
            "aria-current", "true"
        )
        await page.locator(".fila-tab tbody th a").first.click()
        await page.get_by_role("button", name="Decidir e próximo").click()
        await expect(page.locator(".desfazer")).to_contain_text(": habilitado")
        await page.get_by_role("button", name="Desfazer").click()
        await expect(page.get_by_role("heading", name="Sua decisão")).to_be_visible()
        await page.goto(MESA)
        await page.get_by_label("Marcar P0002").check()
        await page.get_by_label("Marcar P0004").check()
        await page.locator("#lote").get_by_role("button", name="Habilitar").click()
        await page.get_by_role("button", name="Habilitar 2 projetos").click()
        await expect(page.locator(".desfazer")).to_contain_text("2 projetos: habilitado")
        await page.get_by_label("Sobre quais projetos").select_option("todos")
        await page.locator("#lote").get_by_role("button", name="Habilitar").click()
        await page.get_by_role("button", name="Habilitar 2 projetos").click()
        await expect(page.get_by_role("heading", name="Tudo decidido")).to_be_visible()
