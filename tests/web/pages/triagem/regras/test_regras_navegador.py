"""Rules for places written in a real browser, with our script and without it: what they give is seen to change before they are kept."""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from msgspec.structs import replace
from playwright.async_api import Page, expect

from chamadas import Importacao, importacao
from crivo.bootstrap import Container
from crivo.kernel.access import Sessoes, Usuario
from crivo.kernel.tenancy import Scope
from crivo.triagem.classificacao.definicao import Cota, Vagas
from crivo.triagem.condicao import Condicao
from crivo.triagem.edital import AvaliacaoDada, Avaliador
from navegador import IS_MISSING, Theme, approve, let_in, opened
from triagem_web import EDITAL, empty_queue

pytestmark = pytest.mark.skipif(IS_MISSING, reason="no Chromium was found on this machine")
PAGINA = f"/admin/editais/{EDITAL}/classificacao"
QUEM = (Avaliador("Rita Melo", "rita@avalia.exemplo"), Avaliador("Davi Sena", "davi@avalia.exemplo"))
NOTAS = {"P0001": 9, "P0002": 8, "P0003": 7, "P0004": 5}


@pytest.fixture
async def gestora(urls: tuple[str, str], container: Container, scope: Scope, new_person: Callable[..., Any]) -> str:
    """A link of somebody who manages an edital with notas and no rules; the last project opts for a cota."""
    empty_queue(urls[0])
    given = importacao(4, avaliadores=QUEM)
    notas = {codigo: {"C1": Decimal(nota), "C2": Decimal(nota)} for codigo, nota in NOTAS.items()}
    dadas = tuple(AvaliacaoDada(codigo, quem.email, notas[codigo]) for codigo in NOTAS for quem in QUEM)
    projetos = [
        replace(one, categoria="Música", campos={**one.campos, "cota": "negra" if one.id == "P0003" else "não"})
        for one in given.chamada.projetos
    ]
    await container.triagem.importar(scope, Importacao(replace(given.chamada, avaliacoes=dadas, projetos=projetos), given.arquivos))
    person: Usuario = await new_person(scope, "gestor")
    return await Sessoes(container.database, container.clock).create_link(scope, person.ator)


async def open_row(page: Page, lugar: str) -> None:
    row = page.locator(f"#{lugar}")
    if not await row.locator("details").first.evaluate("details => details.open"):
        await row.locator("summary").first.click()


async def seen(page: Page, scripts: bool, *texts: str) -> None:
    """What the preview shows: by itself where there is a script, at a press where there is none."""
    if not scripts:
        await page.get_by_role("button", name="Ver o que daria").click()
    for text in texts:
        await expect(page.locator("#previa")).to_contain_text(text, use_inner_text=True)


@pytest.mark.parametrize(("theme", "width", "scripts"), [("dark", 1280, True), ("light", 390, True), ("light", 1280, False)])
async def test_rules_are_written_from_nothing_seen_at_work_and_kept(
    shared_server: Any, gestora: str, container: Container, scope: Scope, theme: Theme, width: int, scripts: bool
) -> None:
    name = f"regras-{theme}-{width}{'' if scripts else '-sem-script'}"
    async with opened(shared_server.address, theme, width, scripts, refused=422) as page:
        await let_in(page, gestora)
        await page.goto(f"/admin/editais/{EDITAL}/triagem-ia")
        await page.get_by_text("Mais", exact=True).click()
        await page.get_by_role("link", name="Regras de classificação").click()
        await expect(page.locator("#previa")).to_contain_text("aqui aparece quem entraria")
        if scripts:
            await approve(page, f"{name}-vazia")
        await page.get_by_role("button", name="Usar as regras de costume").click()
        await seen(page, scripts, "Ainda não há vagas", "Desclassificados\n1")
        await page.get_by_role("button", name="Dar vagas a Música").click()
        await expect(page.locator("#vagas-0-categoria")).to_have_value("Música")
        await page.locator("#vagas-0-total").fill("2")
        await seen(page, scripts, "2 selecionados para 2 vagas", "até 80,00")
        await open_row(page, "vagas-0")
        await page.locator("#vagas-0").get_by_role("button", name="Cota", exact=True).click()
        cota = page.locator("#vagas-0-cotas-0")
        await expect(cota.locator("#vagas-0-cotas-0-vagas")).to_have_value("1")
        await cota.locator("#vagas-0-cotas-0-id").fill("NEGRAS")
        await cota.locator("#vagas-0-cotas-0-quando-campo").fill("cota")
        await cota.locator("#vagas-0-cotas-0-quando-valor").fill("negra")
        await seen(page, scripts, "Cota NEGRAS", "até 70,00")
        if scripts:
            await expect(page.locator("#vagas-0-cotas-0-quando-valor")).to_have_attribute("list", re.compile("valores-[0-9]+"))
            await approve(page, f"{name}-cota")
        await open_row(page, "vagas-0")
        await page.locator("#vagas-0-total").fill("0")
        await page.get_by_role("button", name="Rever e salvar").click()
        await expect(page.locator("#erros")).to_contain_text("Vagas, Música")
        if scripts:
            await expect(page.locator("#erros")).to_be_focused()
            await approve(page, f"{name}-erros")
        await page.locator("#vagas-0-total").fill("2")
        await page.get_by_role("button", name="Rever e salvar").click()
        await expect(page.locator("#mudancas")).to_contain_text("Música: 2 vagas: 1 de ampla concorrência e 1 da cota NEGRAS.")
        if scripts:
            await expect(page.locator("#mudancas")).to_be_focused()
            await approve(page, f"{name}-confere")
        await page.get_by_role("button", name="Confirmar e salvar").click()
        await expect(page.get_by_text("Alteração gravada.")).to_be_visible()
        await expect(page.locator("#previa")).to_contain_text("Ninguém muda de situação")
    kept = (await container.chamadas.abrir(scope, EDITAL)).chamada.edital.classificacao
    assert kept is not None
    assert kept.vagas == (Vagas("Música", 2, None, (Cota("NEGRAS", Condicao("cota", "igual", "negra"), 1),)),)
    places = await container.lugares.resultado(scope, EDITAL)
    assert {one.inscrito.id: one.vaga for one in places.lugares if one.vaga} == {"P0001": "AMPLA", "P0003": "NEGRAS"}


async def test_a_row_that_came_without_another_page_is_asked_about_before_it_is_left(shared_server: Any, gestora: str) -> None:
    async with opened(shared_server.address) as page:
        await let_in(page, gestora)
        await page.goto(PAGINA)
        await page.get_by_role("button", name="Ordem de inscrição").click()
        await expect(page.locator("#desempate-0")).to_contain_text("Quem enviou primeiro")
        asked: list[str] = []

        async def stay(dialog: Any) -> None:
            asked.append(dialog.type)
            await dialog.accept()

        page.on("dialog", stay)
        await page.goto("/admin/editais")
        assert asked == ["beforeunload"]
