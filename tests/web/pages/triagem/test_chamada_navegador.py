"""An edital written in a real browser: with our script and without it, light and dark, desktop and phone."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Page, expect

from chamadas import Falsos, importacao
from crivo.bootstrap import Container
from crivo.kernel.access import Sessoes, Usuario
from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import Scope
from navegador import IS_MISSING, Theme, approve, let_in, opened
from seguimento import wait_for_end
from triagem_web import EDITAL, empty_queue, screening

pytestmark = pytest.mark.skipif(IS_MISSING, reason="no Chromium was found on this machine")
NOVO = "/admin/editais/novo"


@pytest.fixture
async def gestora(urls: tuple[str, str], container: Container, scope: Scope, new_person: Callable[..., Any]) -> str:
    """A link of somebody who manages."""
    empty_queue(urls[0])
    person: Usuario = await new_person(scope, "gestor")
    return await Sessoes(container.database, container.clock).create_link(scope, person.ator)


async def open_row(page: Page, lugar: str) -> None:
    row = page.locator(f"#{lugar}")
    if not await row.locator("details").first.evaluate("details => details.open"):
        await row.locator("summary").first.click()


@pytest.mark.parametrize(("theme", "width", "scripts"), [("dark", 390, True), ("light", 1280, False)])
async def test_a_call_is_written_from_a_template_and_gets_its_projects(
    shared_server: Any, gestora: str, container: Container, scope: Scope, tmp_path: Path, theme: Theme, width: int, scripts: bool
) -> None:
    name = f"chamada-{theme}-{width}{'' if scripts else '-sem-script'}"
    async with opened(shared_server.address, theme, width, scripts, refused=422) as page:
        await let_in(page, gestora)
        await page.goto("/admin/editais")
        if scripts:
            await approve(page, f"{name}-lista")
        await page.get_by_role("link", name="Novo edital").click()
        await page.get_by_label("Começar de um modelo").select_option("lei-14903-execucao")
        await page.get_by_role("button", name="Usar").click()
        await expect(page.get_by_text("confira com o seu jurídico")).to_be_visible()
        await page.get_by_role("button", name="Criar edital").click()
        errors = page.locator("#erros")
        await expect(errors).to_contain_text("Dados do edital: Preencha este campo.")
        if scripts:
            await expect(errors).to_be_focused()
            await approve(page, f"{name}-erros")
        await errors.get_by_role("link").first.click()
        if scripts:
            await expect(page.locator("#edital-id")).to_be_focused()
        await page.locator("#edital-id").fill("ED-7")
        await page.get_by_label("até o dia").first.fill("2026-09-15")
        await page.get_by_label("Inscrições, do dia").fill("2026-08-01")
        await page.locator("#requisitos").get_by_role("button", name="Documento", exact=True).click()
        await expect(page.locator("#requisitos-8")).to_be_visible()
        await open_row(page, "requisitos-8")
        await page.locator("#requisitos-8-documento").select_option("CARTA_ANUENCIA")
        await page.locator("#requisitos-8-descricao").fill("Carta de quem cede o espaço")
        if scripts:
            await page.locator("#requisitos-8-validade-regra").select_option("emitido_no_maximo_dias_antes")
            await expect(page.locator("#requisitos-8-validade-dias")).to_be_visible()
            await page.locator("#requisitos-8-validade-dias").fill("30")
            await approve(page, f"{name}-aberto")
        await page.get_by_role("button", name="Subir REQ-9").click()
        await expect(page.locator("#requisitos-7")).to_contain_text("Carta de quem cede o espaço")
        await page.locator("#requisitos-0").get_by_role("button", name="Retirar REQ-1").click()
        await expect(page.locator("#requisitos-0")).to_contain_text("sai quando você salvar")
        if scripts:
            await approve(page, f"{name}-requisitos")
        await page.get_by_role("button", name="Criar edital").click()
        await page.wait_for_url("**/admin/editais/ED-7/projetos**")
        chamada = (await container.chamadas.abrir(scope, "ED-7")).chamada
        assert [one.id for one in chamada.requisitos] == ["REQ-2", "REQ-3", "REQ-4", "REQ-5", "REQ-6", "REQ-7", "REQ-9", "REQ-8"]
        file = tmp_path / "projetos.json"
        file.write_text(json.dumps({"projetos": [{"id": "P1", "titulo": "Roda", "resumo": "Samba", "proponente": {"nome": "Ana"}}]}))
        await page.get_by_label("Arquivo dos projetos").set_input_files(file)
        await page.get_by_role("button", name="Trazer projetos").click()
        await expect(page.get_by_text("1 projeto está no edital")).to_be_visible()
        if scripts:
            await approve(page, f"{name}-projetos")
    assert (await container.chamadas.abrir(scope, "ED-7")).projetos == 1


@pytest.mark.parametrize(("theme", "width", "scripts"), [("dark", 1280, True), ("light", 390, False)])
async def test_a_change_shows_its_effect_and_what_it_changes_before_it_is_kept(
    shared_server: Any, gestora: str, container: Container, scope: Scope, database: Database, theme: Theme, width: int, scripts: bool
) -> None:
    name = f"mudanca-{theme}-{width}{'' if scripts else '-sem-script'}"
    await container.triagem.importar(scope, importacao(6, EDITAL))
    await container.triagem.executar(scope, EDITAL)
    async with screening(database, Falsos().achadores()):
        await wait_for_end(container.triagem, scope, EDITAL)
    async with opened(shared_server.address, theme, width, scripts) as page:
        await let_in(page, gestora)
        await page.goto(f"/admin/editais/{EDITAL}/triagem-ia")
        await page.get_by_role("link", name="Editar o edital").click()
        await page.locator("#proprios").get_by_role("button", name="Tipo de documento").click()
        await open_row(page, "proprios-0")
        await page.locator("#proprios-0-nome").fill("Conteúdo do projeto")
        await page.locator("#proprios-0-palavras").fill("conteúdo de")
        await open_row(page, "requisitos-0")
        await page.locator("#requisitos-0-documento").select_option("ESTATUTO")
        await page.get_by_role("button", name="Ver o efeito").click()
        effect = page.locator("#efeito")
        await expect(effect).to_contain_text("6 projetos mudariam de sugestão")
        await expect(effect).to_contain_text("as palavras mostram 6 arquivos")
        if scripts:
            await expect(effect).to_be_focused()
            await approve(page, f"{name}-efeito")
        await page.get_by_role("button", name="Rever e salvar").click()
        await expect(page.locator("#mudancas")).to_contain_text("Estatuto")
        if scripts:
            await approve(page, f"{name}-confere")
        await page.get_by_role("button", name="Confirmar e salvar").click()
        await expect(page.get_by_text("Alteração gravada.")).to_be_visible()
    aberta = await container.chamadas.abrir(scope, EDITAL)
    assert (aberta.visto, aberta.projetos, [one.id for one in aberta.chamada.edital.documentos_proprios]) == (2, 6, ["DOC-1"])


async def test_leaving_with_something_unsaved_is_asked_about(shared_server: Any, gestora: str) -> None:
    async with opened(shared_server.address) as page:
        await let_in(page, gestora)
        await page.goto(NOVO)
        await page.locator("#edital-nome").fill("Um edital")
        asked: list[str] = []

        async def stay(dialog: Any) -> None:
            asked.append(dialog.type)
            await dialog.accept()

        page.on("dialog", stay)
        await page.goto("/admin/editais")
        assert asked == ["beforeunload"]
