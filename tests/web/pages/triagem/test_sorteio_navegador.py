"""A draw, a round of calibration and an impediment in a real browser, without scripts and with them, on a phone and in both themes."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from decimal import Decimal
from typing import Any

import pytest
from playwright.async_api import Page, expect

from casa_avaliada import TODOS, chamada
from crivo.bootstrap import Container
from crivo.kernel.access import Sessoes, Usuario
from crivo.kernel.tenancy import Scope
from crivo.triagem.julgamento import NotaDada
from navegador import IS_MISSING, Theme, approve, fits, let_in, opened
from sujeitos import as_person

pytestmark = pytest.mark.skipif(IS_MISSING, reason="no Chromium was found on this machine")
BASE = "/admin/editais/ED-1"
NewPerson = Callable[..., Awaitable[Usuario]]


@pytest.fixture
async def manager(container: Container, scope: Scope, new_person: NewPerson) -> Usuario:
    await container.triagem.importar(scope, chamada(6))
    return await new_person(scope, "gestor")


@pytest.fixture
async def gestora(container: Container, scope: Scope, manager: Usuario) -> str:
    return await Sessoes(container.database, container.clock).create_link(scope, manager.ator)


@pytest.fixture
async def tres(container: Container, scope: Scope, manager: Usuario, new_person: NewPerson) -> list[Usuario]:
    people = [await new_person(scope, "avaliador", email=f"{nome}@avalia.exemplo") for nome in ("rita", "davi", "bia")]
    for one in people:
        await container.quem_avalia.incluir(as_person(scope, manager), "ED-1", one.id)
    return people


async def look(page: Page, scripts: bool, name: str) -> None:
    """axe is a script itself: where there are none, that nothing is wider than the window is looked at."""
    if scripts:
        await approve(page, name)
    assert await fits(page), name


@pytest.mark.parametrize(("theme", "width", "scripts"), [("light", 1280, True), ("dark", 390, True), ("light", 1280, False)])
async def test_projects_are_drawn_seen_before_given_and_taken_back(
    shared_server: Any, gestora: str, tres: list[Usuario], container: Container, scope: Scope, theme: Theme, width: int, scripts: bool
) -> None:
    async with opened(shared_server.address, theme, width, scripts) as page:
        await let_in(page, gestora)
        await page.goto(f"{BASE}/avaliadores")
        await page.get_by_role("link", name="Sortear quem avalia").click()
        await expect(page.get_by_label("Semente")).to_have_value("SEMENTE-1")
        await look(page, scripts, f"sorteio-{theme}-{width}")
        await page.get_by_label("No máximo, por pessoa").fill("3")
        await page.get_by_role("button", name="Ver a prévia").click()
        await expect(page.get_by_text("gente faltando").first).to_be_visible()
        await look(page, scripts, f"sorteio-falta-{theme}-{width}")
        await page.get_by_role("link", name="Mudar o sorteio").click()
        await page.get_by_role("button", name="Ver a prévia").click()
        await expect(page.get_by_text("Nada acontece antes de você confirmar")).to_be_visible()
        assert [one.projetos for one in (await container.quem_avalia.equipe(scope, "ED-1")).pessoas] == [0, 0, 0]
        await page.get_by_role("button", name="Dar 12 entregas sorteadas").click()
        await expect(page.get_by_text("Sorteio, semente SEMENTE-1: 6 projetos dados, 12 entregas").first).to_be_visible()
        await look(page, scripts, f"sorteio-dado-{theme}-{width}")
        assert [one.projetos for one in (await container.quem_avalia.equipe(scope, "ED-1")).pessoas] == [4, 4, 4]
        await page.get_by_role("button", name=re.compile("Desfazer ?: Sorteio")).click()
        await expect(page.get_by_text("nada mais dele vale")).to_be_visible()
        assert [one.projetos for one in (await container.quem_avalia.equipe(scope, "ED-1")).pessoas] == [0, 0, 0]


@pytest.mark.parametrize(("theme", "width"), [("light", 1280), ("dark", 390)])
async def test_until_all_have_sent_the_common_projects_the_rest_is_closed_to_who_judges(
    shared_server: Any,
    gestora: str,
    manager: Usuario,
    tres: list[Usuario],
    container: Container,
    scope: Scope,
    theme: Theme,
    width: int,
) -> None:
    lia, rita = as_person(scope, manager), tres[0]
    previa = await container.distribuicao.prever(lia, "ED-1", ["P0006"], [rita.id])
    await container.distribuicao.dar(lia, "ED-1", ["P0006"], [rita.id], previa.prevista)
    link = await Sessoes(container.database, container.clock).create_link(scope, rita.ator)
    async with opened(shared_server.address, theme, width) as page:
        await let_in(page, gestora)
        await page.goto(f"{BASE}/calibracao")
        await look(page, True, f"calibracao-comecar-{theme}-{width}")
        await page.get_by_label("Códigos dos 3 projetos").fill(" ".join(TODOS))
        await page.get_by_role("button", name="Ver a prévia").click()
        await look(page, True, f"calibracao-previa-{theme}-{width}")
        await page.get_by_role("button", name="Começar a calibração").click()
        await expect(page.get_by_text("Os demais projetos estão fechados", exact=True)).to_be_visible()
    async with opened(shared_server.address, theme, width, refused=409) as page:
        await let_in(page, link)
        await page.goto("/avaliacao")
        await expect(page.get_by_text("1 projeto seu espera a calibração no edital ED-1.")).to_be_visible()
        await expect(page.get_by_text("P0006")).to_have_count(0)
        await look(page, True, f"calibracao-fila-{theme}-{width}")
        await page.goto("/avaliacao/P0006?edital=ED-1")
        await expect(page.get_by_role("heading", name="Este projeto ainda não abriu")).to_be_visible()
        for who in tres:
            for at, codigo in enumerate(TODOS):
                notas = [NotaDada("C1", Decimal(3 + 2 * at)), NotaDada("C2", Decimal(8))]
                await container.julgamento.registrar_notas(as_person(scope, who), "ED-1", codigo, notas)
        await page.goto("/avaliacao/P0006?edital=ED-1")
        await page.goto("/avaliacao")
        await expect(page.get_by_text("espera a calibração")).to_have_count(0)
        await page.get_by_role("link", name="Projeto 6").first.click()
        await page.wait_for_url("**/avaliacao/P0006?*", wait_until="load")
    async with opened(shared_server.address, theme, width) as page:
        await let_in(page, await Sessoes(container.database, container.clock).create_link(scope, manager.ator))
        await page.goto(f"{BASE}/calibracao")
        await expect(page.get_by_text("Os demais projetos estão abertos", exact=True)).to_be_visible()
        await look(page, True, f"calibracao-acordo-{theme}-{width}")


async def test_whoever_judges_declares_an_impediment_and_whoever_manages_reads_it(
    shared_server: Any, gestora: str, manager: Usuario, tres: list[Usuario], container: Container, scope: Scope
) -> None:
    lia, rita = as_person(scope, manager), tres[0]
    previa = await container.distribuicao.prever(lia, "ED-1", ["P0001", "P0002"], [rita.id])
    await container.distribuicao.dar(lia, "ED-1", ["P0001", "P0002"], [rita.id], previa.prevista)
    async with opened(shared_server.address) as page:
        await let_in(page, await Sessoes(container.database, container.clock).create_link(scope, rita.ator))
        await page.goto("/avaliacao/P0001?edital=ED-1&vista=analise")
        await page.get_by_text("Não posso avaliar este projeto").click()
        await page.locator("#motivo").fill("Sou prima de quem propõe.")
        await look(page, True, "impedimento-light-1280")
        await page.get_by_role("button", name="Declarar impedimento").click()
        await expect(page.get_by_text("Registrado: este projeto não é mais seu.")).to_be_visible()
        await expect(page.get_by_text("P0001")).to_have_count(0)
    async with opened(shared_server.address, "dark", 390) as page:
        await let_in(page, gestora)
        await page.goto(f"{BASE}/avaliadores?pessoa={rita.id}")
        await expect(page.get_by_text("Sou prima de quem propõe.")).to_be_visible()
        await look(page, True, "impedimento-gestao-dark-390")
        await page.get_by_role("button", name=re.compile("Desfazer ?: .*P0001")).click()
        await expect(page.get_by_text("Desfeito", exact=True)).to_be_visible()
    assert [one.projeto_id for one in await container.julgamento.meus_projetos(as_person(scope, rita))] == ["P0001", "P0002"]
