"""Projects judged on the mesa of whoever judges in a real browser: by keys alone, on a telephone, without scripts, light and dark."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from playwright.async_api import Page, expect

from chamadas import Falsos, importacao
from crivo.bootstrap import Container
from crivo.kernel.access import Sessoes, find_usuario
from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import Scope
from crivo.triagem.achados import Achadas
from crivo.triagem.edital import Avaliador
from navegador import IS_MISSING, approve, let_in, opened
from seguimento import wait_for_end
from triagem_web import EDITAL, empty_queue, screening

pytestmark = pytest.mark.skipif(IS_MISSING, reason="no Chromium was found on this machine")
RITA = Avaliador("Rita Melo", "rita@avalia.exemplo", ("P0001", "P0002", "P0003"))


async def compare_nothing(*_: object) -> Achadas:
    return Achadas((), {})


@pytest.fixture
async def rita(urls: tuple[str, str], container: Container, scope: Scope, database: Database) -> str:
    """A link of whoever judges three of four projects that were screened."""
    empty_queue(urls[0])
    await container.triagem.importar(scope, importacao(4, EDITAL, avaliadores=[RITA]))
    await container.triagem.executar(scope, EDITAL)
    async with screening(database, replace(Falsos().achadores(), irregularidades=compare_nothing)):
        assert (await wait_for_end(container.triagem, scope, EDITAL)).status == "concluida"
    async with database.unit_of_work(scope) as uow:
        found = await find_usuario(uow, RITA.email)
    assert found is not None
    return await Sessoes(container.database, container.clock).create_link(scope, found.ator)


async def scrolls(page: Page) -> bool:
    return bool(await page.evaluate("document.documentElement.scrollHeight > innerHeight"))


async def give(page: Page, *notas: str) -> None:
    """Each nota that lacks, by the keys that lead to it."""
    for nota in notas:
        await page.keyboard.press("n")
        await page.keyboard.type(nota)
        await page.keyboard.press("Escape")


async def test_three_projects_are_judged_and_sent_by_keys_alone(shared_server: Any, rita: str, container: Container, scope: Scope) -> None:
    """Triagem 5.2/1, Triagem 5.2/2, Triagem 5.2/3: Seed, Na tela do avaliador: ícone discreto, tooltip ao clicar, puramente informativo."""
    async with opened(shared_server.address, refused=422) as page:
        await let_in(page, rita)
        await page.goto("/avaliacao", wait_until="load")
        first = await page.locator(".fila-tab tbody tr").first.bounding_box()
        assert first is not None
        assert (first["y"] < 200, round(first["height"]) in range(39, 45)) == (True, True)
        await approve(page, "minha-fila-light-1280")
        await page.keyboard.press("j")
        await page.wait_for_url("**/avaliacao/P0001?*", wait_until="load")
        assert not await scrolls(page)  # nota and what is done with it are in view
        await expect(page.get_by_label("Sua nota").first).to_be_in_viewport()
        await expect(page.get_by_role("button", name="Enviar e ir ao próximo")).to_be_in_viewport()
        await expect(page.get_by_role("button", name="Dica IA")).to_have_count(0)  # not before one's own nota
        await approve(page, "minha-mesa-light-1280")
        await page.keyboard.press("/")
        await page.keyboard.type("jn?")
        await page.keyboard.press("Control+Enter")  # whoever looks for a project sends none
        await expect(page.locator("#procura")).to_have_value("jn?")
        await page.locator("#procura").fill("")
        await page.keyboard.press("Escape")
        await page.keyboard.press("n")
        await page.keyboard.type("8,5")
        await page.keyboard.press("Tab")
        await page.keyboard.type("Mestre reconhecido, j k.")
        await page.get_by_role("button", name="grave para ver a dica").first.press("Enter")
        await page.get_by_role("button", name="Dica IA").press("Enter")
        await expect(page.get_by_text("Só informa. A nota é sua.")).to_be_visible()
        await approve(page, "minha-dica-light-1280")
        await page.keyboard.press("Escape")
        await expect(page.get_by_text("Só informa. A nota é sua.")).to_be_hidden()
        await expect(page.get_by_label("Sua nota").first).to_have_value("8,5")
        await page.keyboard.press("Control+Enter")
        await expect(page.get_by_role("alert")).to_be_focused()  # a nota lacks
        await approve(page, "minha-recusa-light-1280")
        await page.keyboard.press("Tab")
        await page.keyboard.press("Enter")
        await expect(page.get_by_label("Sua nota").nth(1)).to_be_focused()
        await page.keyboard.type("7")
        for following in ("P0002", "P0003", None):
            await page.keyboard.press("Control+Enter")
            await expect(page.get_by_role("heading", name="Confira antes de enviar")).to_be_visible()
            if following == "P0002":
                await approve(page, "minha-conferencia-light-1280")
            await expect(page.get_by_role("button", name="Enviar avaliação")).to_be_focused()
            await page.keyboard.press("Enter")
            await page.wait_for_url(f"**/avaliacao/{following}?*" if following else "**/avaliacao", wait_until="load")
            if following:
                await give(page, "6", "5,25")
        await expect(page.get_by_text("3 de 3 enviados")).to_be_visible()
    assert len(await container.julgamento.notas(scope, EDITAL)) == 6


async def test_a_project_is_judged_on_a_telephone_one_part_at_a_time(shared_server: Any, rita: str) -> None:
    async with opened(shared_server.address, "dark", 390) as page:
        await let_in(page, rita)
        await page.goto("/avaliacao")
        await approve(page, "minha-fila-dark-390")
        await page.get_by_text("Filtros", exact=True).click()
        await page.get_by_label("Por começar").check()
        await page.get_by_role("button", name="Aplicar").click()
        await page.locator(".fila-tab tbody th a").first.click()
        parts = page.get_by_role("navigation", name="Partes da mesa")
        await expect(page.get_by_role("heading", name="Resumo")).to_be_visible()
        await expect(page.get_by_label("Sua nota").first).to_be_hidden()
        assert not await scrolls(page)
        await approve(page, "minha-leitura-dark-390")
        await parts.get_by_role("link", name="Notas").click()
        await expect(page.get_by_role("heading", name="Resumo")).to_be_hidden()
        assert not await scrolls(page)
        await page.get_by_label("Sua nota").first.fill("9")
        await page.get_by_label("Sua nota").nth(1).fill("8")
        await approve(page, "minhas-notas-dark-390")
        await page.get_by_role("button", name="Salvar rascunho").click()
        await expect(page.get_by_text("2 de 2 critérios com nota")).to_be_visible()
        await page.get_by_role("button", name="Dica IA").first.click()
        await approve(page, "minha-dica-dark-390")
        await page.get_by_role("button", name="Fechar a dica").click()
        await page.get_by_role("link", name="Trechos").first.click()
        await expect(page.locator("mark, .etiqueta").first).to_be_visible()
        await parts.get_by_role("link", name="Notas").click()
        await page.get_by_role("button", name="Enviar e ir ao próximo").click()
        await approve(page, "minha-conferencia-dark-390")
        await page.get_by_role("button", name="Enviar avaliação").click()
        await page.wait_for_url("**/avaliacao/P0002?*situacao=a-fazer*")
        await expect(page.get_by_role("heading", level=1)).to_contain_text("P0002")
        await page.go_back()
        await parts.get_by_role("link", name="Fila").click()
        await expect(page.locator(".fila-tab tbody tr")).to_have_count(2)  # the same filter, without the one that was sent


async def test_a_judge_drafts_and_sends_without_scripts(shared_server: Any, rita: str) -> None:
    async with opened(shared_server.address, scripts=False) as page:
        await let_in(page, rita)
        await page.goto("/avaliacao")
        await page.get_by_label("Procurar por título").fill("p0002")
        await page.get_by_role("button", name="Procurar").click()
        await page.locator(".fila-tab tbody th a").click()
        await page.get_by_label("Sua nota").first.fill("7")
        await page.get_by_label("Sua nota").nth(1).fill("6")
        await page.get_by_role("button", name="Salvar rascunho").click()
        await page.get_by_role("button", name="Enviar e ir ao próximo").click()
        await page.get_by_role("button", name="Enviar avaliação").click()
        await expect(page.get_by_role("heading", level=1)).to_contain_text("P0003")


async def test_what_was_typed_outlives_a_reload(shared_server: Any, rita: str) -> None:
    async with opened(shared_server.address) as page:
        await let_in(page, rita)
        await page.goto(f"/avaliacao/P0001?edital={EDITAL}")
        await page.get_by_label("Por quê").first.fill("Um parecer longo, escrito com calma.")
        await page.reload()
        await expect(page.get_by_label("Por quê").first).to_have_value("Um parecer longo, escrito com calma.")


async def test_what_is_put_back_after_a_reload_takes_nothing_from_what_another_tab_has_stored(shared_server: Any, rita: str) -> None:
    address = f"/avaliacao/P0001?edital={EDITAL}&vista=analise"
    async with opened(shared_server.address, refused=409) as page:
        await let_in(page, rita)
        await page.goto(address)
        await page.get_by_label("Por quê").first.fill("Só nesta aba.")
        other = await page.context.new_page()
        await other.goto(address)
        await other.get_by_label("Sua nota").nth(1).fill("9,5")
        await other.get_by_label("Sua nota").nth(1).press("Enter")  # as people do in a field: it is kept, and nothing else is done
        await expect(other.get_by_text("1 de 2 critérios com nota")).to_be_visible()
        await other.get_by_label("Por quê").first.fill("Na outra aba.")
        await other.get_by_role("button", name="Salvar rascunho").click()
        await expect(other.get_by_label("Por quê").first).to_have_value("Na outra aba.")
        await page.reload()
        await expect(page.get_by_label("Por quê").first).to_have_value("Só nesta aba.")
        await expect(page.get_by_label("Sua nota").nth(1)).to_have_value("9,5")
        await page.get_by_role("button", name="Salvar rascunho").click()
        await expect(page.get_by_text("Isto mudou em outra aba ou aparelho")).to_be_visible()
        await expect(page.get_by_text("“Na outra aba.”")).to_be_visible()
        await expect(page.get_by_label("Sua nota").nth(1)).to_have_value("9,5")


async def test_what_came_back_refused_outlives_more_writing_and_a_reload(shared_server: Any, rita: str) -> None:
    address = f"/avaliacao/P0001?edital={EDITAL}&vista=analise"
    async with opened(shared_server.address, refused=422) as page:
        await let_in(page, rita)
        await page.goto(address)
        await page.get_by_label("Sua nota").first.fill("onze")
        await page.get_by_role("button", name="Salvar rascunho").click()
        await expect(page.get_by_text("Escreva a nota com algarismos")).to_be_visible()
        await page.get_by_label("Por quê").nth(1).fill("Mais uma frase.")
        await page.goto(address)
        await expect(page.get_by_label("Sua nota").first).to_have_value("onze")
        await expect(page.get_by_label("Por quê").nth(1)).to_have_value("Mais uma frase.")
