"""A whole call on its pages, from the form of the edital to the final list that anybody opens. Source: design, The whole life of a call."""

from __future__ import annotations

import io
import json
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from openpyxl import load_workbook
from playwright.async_api import FilePayload, Page, expect

from chamadas import Falsos
from crivo.bootstrap import Container
from crivo.kernel.access import Sessoes, Usuario
from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import Scope
from navegador import IS_MISSING, approve, let_in, opened
from seguimento import wait_for_end
from triagem_web import empty_queue, screening

pytestmark = pytest.mark.skipif(IS_MISSING, reason="no Chromium was found on this machine")
BASE = "/admin/editais/ED-8"
CATEGORIA = "Criação"
NOTAS = {"P1": 9, "P2": 8, "P3": 7, "P4": 6}
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


@pytest.fixture
async def pessoas(
    urls: tuple[str, str], container: Container, scope: Scope, new_person: Callable[..., Awaitable[Usuario]]
) -> tuple[str, str]:
    """Links of two who manage."""
    empty_queue(urls[0])
    sessoes = Sessoes(container.database, container.clock)
    first, second = [await sessoes.create_link(scope, (await new_person(scope, "gestor")).ator) for _ in range(2)]
    return first, second


@pytest.fixture
async def avaliadores(scope: Scope, new_person: Callable[..., Awaitable[Usuario]]) -> list[Usuario]:
    return [await new_person(scope, "avaliador", email=f"{nome}@avalia.exemplo") for nome in ("rita", "davi")]


async def test_a_call_goes_from_its_form_to_the_final_list(
    shared_server: Any,
    pessoas: tuple[str, str],
    avaliadores: list[Usuario],
    container: Container,
    scope: Scope,
    database: Database,
    tmp_path: Path,
) -> None:
    async with opened(shared_server.address) as page:
        await let_in(page, pessoas[0])
        await write_edital(page)
        await bring_judges(page, avaliadores)
        await write_rules(page)
        await page.goto(f"{BASE}/triagem-ia")
        await page.get_by_role("button", name="Executar Triagem Completa").click()
        async with screening(database, Falsos().achadores()):
            assert (await wait_for_end(container.triagem, scope, "ED-8")).status == "concluida"
        await draw(page)
        await bring_notas(page, tmp_path)
        await page.goto(BASE)
        await expect(page.locator(".passos > [aria-current=step]")).to_contain_text("Resultado preliminar")
        await page.get_by_role("link", name="Conferir e publicar").first.click()
        await page.get_by_role("link", name="Ver e publicar").click()
        await page.get_by_label("Recursos até o fim do dia").fill("")
        await page.get_by_role("button", name="Publicar a versão 1").click()
        await expect(page.get_by_text("Publicado. A versão está abaixo")).to_be_visible()
        await file_recurso(page)
    async with opened(shared_server.address) as page:
        await let_in(page, pessoas[1])
        await answer_recurso(page)
        await page.goto(f"{BASE}/resultado?fase=final")
        await page.get_by_role("link", name="Ver e publicar").click()
        await page.get_by_role("button", name="Publicar a versão 2").click()
        await expect(page.get_by_text("Publicado. A versão está abaixo")).to_be_visible()
        await page.goto(BASE)
        await expect(page.get_by_text("10 de 10 passos")).to_be_visible()
        await approve(page, "chamada-inteira")
    last = (await container.resultados.versoes(scope, "ED-8"))[0]
    async with opened(shared_server.address) as page:  # nobody is signed in
        await page.goto(f"/publicacoes/{scope.tenant_id}/{last.codigo}")
        rows = page.locator("table tbody tr")
        assert [await rows.nth(at).locator("th").inner_text() for at in range(2)] == ["Projeto P3\nP3 · Ana 3", "Projeto P1\nP1 · Ana 1"]
        await expect(rows.nth(1)).to_contain_text("Selecionado")
        await expect(rows.nth(2)).to_contain_text("Suplente")


async def write_edital(page: Page) -> None:
    """From a template, with four projects out of a file."""
    await page.goto("/admin/editais/novo")
    await page.get_by_label("Começar de um modelo").select_option("lei-14903-execucao")
    await page.get_by_role("button", name="Usar").click()
    await page.locator("#edital-id").fill("ED-8")
    await page.get_by_label("até o dia").first.fill("2026-09-15")
    await page.get_by_label("Inscrições, do dia").fill("2026-08-01")
    await page.get_by_role("button", name="Criar edital").click()
    await page.wait_for_url(f"**{BASE}/projetos**")
    projetos = [
        {
            "id": codigo,
            "titulo": f"Projeto {codigo}",
            "resumo": f"O {codigo}.",
            "categoria": CATEGORIA,
            "proponente": {"nome": f"Ana {codigo[1]}"},
        }
        for codigo in NOTAS
    ]
    content = json.dumps({"projetos": projetos}).encode()
    await page.get_by_label("Arquivo dos projetos").set_input_files(FilePayload(name="projetos.json", mimeType="", buffer=content))
    await page.get_by_role("button", name="Trazer projetos").click()
    await expect(page.get_by_text("4 projetos estão no edital")).to_be_visible()


async def bring_judges(page: Page, avaliadores: Sequence[Usuario]) -> None:
    """Both who can judge."""
    for one in avaliadores:
        await page.goto(f"{BASE}/avaliadores")
        await page.get_by_label("Pôr mais alguém para avaliar").select_option(str(one.id))
        await page.get_by_role("button", name="Pôr para avaliar").click()


async def write_rules(page: Page) -> None:
    """The usual ones, and two vagas."""
    await page.goto(f"{BASE}/classificacao")
    await page.get_by_role("button", name="Usar as regras de costume").click()
    await page.get_by_role("button", name=f"Dar vagas a {CATEGORIA}").click()
    await page.locator("#vagas-0-total").fill("2")
    await page.get_by_role("button", name="Rever e salvar").click()
    await page.get_by_role("button", name="Confirmar e salvar").click()
    await expect(page.get_by_text("Alteração gravada.")).to_be_visible()


async def draw(page: Page) -> None:
    """Each project to both."""
    await page.goto(f"{BASE}/sorteio")
    await page.get_by_role("button", name="Ver a prévia").click()
    await page.get_by_role("button", name="Dar 8 entregas sorteadas").click()
    await expect(page.get_by_text("4 projetos dados, 8 entregas").first).to_be_visible()


async def bring_notas(page: Page, folder: Path) -> None:
    """The model of the edital, filled in: a nota a project in every critério, all of them habilitado."""
    await page.goto(f"{BASE}/notas")
    async with page.expect_download() as model:
        await page.get_by_role("link", name="Baixe o modelo deste edital").click()
    await (await model.value).save_as(folder / "notas.xlsx")
    book = load_workbook(folder / "notas.xlsx")
    for sheet, fill in (
        ("Notas", lambda codigo, head: None if head in ("Projeto", "Avaliador", "Parecer") else NOTAS[codigo]),
        ("Habilitação", decide),
    ):
        rows = book[sheet]
        heads = [cell.value for cell in rows[1]]
        for row in rows.iter_rows(min_row=2):
            codigo = str(row[0].value)
            for head, cell in zip(heads, row, strict=True):
                value = fill(codigo, str(head))
                if value is not None:
                    cell.value = value
    written = io.BytesIO()
    book.save(written)
    await page.get_by_label("Planilha de notas").set_input_files(FilePayload(name="notas.xlsx", mimeType=XLSX, buffer=written.getvalue()))
    await page.get_by_role("button", name="Conferir a planilha").click()
    await page.get_by_role("button", name="Importar").click()
    await expect(page.get_by_text("As notas e habilitações da planilha já valem")).to_be_visible()


def decide(codigo: str, head: str) -> str | None:
    """What stands in a column of the sheet of habilitações."""
    return "habilitado" if head == "Situação" else None


async def file_recurso(page: Page) -> None:
    """On paper, against the nota of the third."""
    await page.goto(f"{BASE}/recursos/novo")
    await page.get_by_label("Código do projeto").fill("P3")
    await page.get_by_role("radio", name="O resultado").check()
    await page.get_by_label("Dia em que foi entregue").fill("2026-01-05")
    await page.get_by_label("O que foi pedido").fill("Peço que as notas sejam vistas de novo: o plano de trabalho não foi lido.")
    await page.get_by_label("Só se veio fora do prazo").fill("O edital não fixou prazo, e a comissão o recebe.")
    await page.get_by_role("button", name="Registrar o recurso").click()
    await expect(page.get_by_text("Recurso registrado.")).to_be_visible()


async def answer_recurso(page: Page) -> None:
    """By somebody else, who revises every nota of it."""
    await page.goto(f"{BASE}/recursos/1")
    await page.get_by_role("radio", name="Provido: quem recorreu tem razão").check()
    await page.locator("textarea[name=motivo]").fill("O plano de trabalho foi lido, e as notas sobem.")
    for group in await page.get_by_role("group", name="nota de").all():
        await group.get_by_label("Nota nova").fill("10")
        await group.get_by_label("Por que muda").fill("O plano de trabalho foi lido.")
    await page.get_by_role("button", name="Ver o antes e o depois").click()
    await expect(page.get_by_role("row", name="P3")).to_contain_text("Entra")
    await page.get_by_role("button", name="Gravar a resposta").click()
    await page.locator("summary", has_text="Desfazer a resposta").click()
    await expect(page.get_by_role("button", name="Desfazer a resposta")).to_be_visible()
