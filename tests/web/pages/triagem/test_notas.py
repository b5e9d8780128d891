"""Notas in a spreadsheet, on a page that needs no script: the model, the faults by cell, the preview, and nothing before it is confirmed."""

from __future__ import annotations

import io
import re
from collections.abc import Awaitable, Callable
from decimal import Decimal
from html import unescape

import httpx
import openpyxl
import pytest

from chamadas import importacao
from crivo.bootstrap import Container
from crivo.kernel.access import Usuario
from crivo.kernel.tenancy import Scope
from crivo.triagem.edital import Avaliador
from planilhas import livro
from triagem_web import EDITAL

SignedIn = Callable[[Scope, str], Awaitable[httpx.AsyncClient]]
NewPerson = Callable[..., Awaitable[Usuario]]
NOTAS = f"/admin/editais/{EDITAL}/notas"
RITA = Avaliador("Rita Melo", "rita@avalia.exemplo", ("P0001", "P0002"))
GOOD = livro(
    ("P0001", "Rita Melo", "8,5", 7, "Bom."), ("P0002", "bia@avalia.exemplo", 6, 5, None), habilitacao=[("P0003", "inabilitado", "Fora.")]
)


@pytest.fixture(autouse=True)
async def _imported(container: Container, scope: Scope) -> None:
    await container.triagem.importar(scope, importacao(3, EDITAL, avaliadores=(RITA,)))


@pytest.fixture
async def gestora(scope: Scope, new_person: NewPerson, signed_in: SignedIn) -> httpx.AsyncClient:
    return await signed_in(scope, (await new_person(scope, "gestor")).ator)


def form_of(page: str, action: str) -> dict[str, str]:
    form = re.search(rf'<form[^>]*action="{re.escape(action)}"[^>]*>(.*?)</form>', page, re.DOTALL)
    assert form, action
    return {name: unescape(value) for name, value in re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', form[1])}


async def sent(gestora: httpx.AsyncClient, content: bytes) -> httpx.Response:
    page = await gestora.get(NOTAS)
    fields = {name: value for name, value in form_of(page.text, NOTAS).items() if name == "csrf"}
    return await gestora.post(NOTAS, data=fields, files={"planilha": ("notas.xlsx", content)})


async def kept(container: Container, scope: Scope) -> dict[tuple[str, str], Decimal]:
    return {(one.projeto_id, one.criterio): one.nota for one in await container.julgamento.notas(scope, EDITAL)}


async def test_the_model_is_downloaded_filled_in_foreseen_and_brought_in(
    gestora: httpx.AsyncClient, container: Container, scope: Scope
) -> None:
    model = await gestora.get(f"{NOTAS}/modelo")
    assert 'filename="notas-ED-1.xlsx"' in model.headers["content-disposition"]
    book = openpyxl.load_workbook(io.BytesIO(model.content))
    sheet = book["Notas"]
    assert [[sheet.cell(row, column).value for column in (1, 3)] for row in (2, 3, 4)] == [
        ["P0001", "Rita Melo"],
        ["P0002", "Rita Melo"],
        ["P0003", None],
    ]
    sheet["D2"], sheet["E2"] = 8.5, "7"
    out = io.BytesIO()
    book.save(out)
    previewed = await sent(gestora, out.getvalue())
    assert (previewed.status_code, "Importar 2 notas" in previewed.text, "5 linhas em branco" in previewed.text) == (200, True, True)
    assert await kept(container, scope) == {}
    done = await gestora.post(f"{NOTAS}/trazer", data=form_of(previewed.text, f"{NOTAS}/trazer"))
    assert (done.status_code, done.headers["location"]) == (303, f"{NOTAS}?ok=notas")
    assert await kept(container, scope) == {("P0001", "C1"): Decimal("8.5"), ("P0001", "C2"): Decimal(7)}
    assert "já valem" in (await gestora.get(done.headers["location"])).text


async def test_who_comes_to_judge_is_shown_before(gestora: httpx.AsyncClient) -> None:
    page = (await sent(gestora, GOOD)).text
    assert "Quem passa a avaliar este edital" in page
    assert "bia@avalia.exemplo" in page
    assert "Importar 4 notas e 1 habilitação" in page


async def test_every_fault_is_shown_by_its_cell_and_comes_back_noted_in_the_spreadsheet(
    gestora: httpx.AsyncClient, container: Container, scope: Scope
) -> None:
    refused = await sent(gestora, livro(("P0001", "Rita Melo", 12, "x", None), ("P0001", "Rita Melo", 1, 1, None)))
    assert refused.status_code == 422
    for said in ("Há 3 problemas na planilha", "Notas!C2", "12 passa do máximo 10 de C1 (Mérito).", "Notas!D2", "Notas!B3"):
        assert said in refused.text
    form = form_of(refused.text, NOTAS)
    noted = await gestora.post(NOTAS, data=form | {"acao": "anotar"})
    sheet = openpyxl.load_workbook(io.BytesIO(noted.content))["Notas"]
    assert sheet["F2"].value.startswith("Notas!C2: 12 passa")
    assert await kept(container, scope) == {}


async def test_what_changed_between_the_preview_and_the_confirmation_is_shown_again(
    gestora: httpx.AsyncClient, container: Container, scope: Scope
) -> None:
    first = (await sent(gestora, GOOD)).text
    other = (await sent(gestora, livro(("P0001", "Rita Melo", 2, 2, None)))).text
    await gestora.post(f"{NOTAS}/trazer", data=form_of(other, f"{NOTAS}/trazer"))
    changed = await gestora.post(f"{NOTAS}/trazer", data=form_of(first, f"{NOTAS}/trazer"))
    assert (changed.status_code, "Algo mudou desde a prévia" in changed.text, "2,00" in changed.text) == (409, True, True)
    assert (await kept(container, scope))["P0001", "C1"] == Decimal(2)
    done = await gestora.post(f"{NOTAS}/trazer", data=form_of(changed.text, f"{NOTAS}/trazer"))
    assert done.status_code == 303
    again = (await sent(gestora, GOOD)).text
    assert "Nada mudaria" in again
    assert "Importar" not in again.split("Enviar outra planilha")[0].split("<form")[-1].replace("Não importar", "")


@pytest.mark.parametrize(
    ("content", "status", "palavras"),
    [
        (b"", 422, "Falta a planilha"),
        (b"%PDF-1.7", 400, "Este é um PDF"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 99, 400, "formato antigo do Excel"),
    ],
)
async def test_what_is_no_spreadsheet_is_told_on_the_page(gestora: httpx.AsyncClient, content: bytes, status: int, palavras: str) -> None:
    refused = await sent(gestora, content)
    assert (refused.status_code, palavras in refused.text) == (status, True)


async def test_a_confirmation_that_was_tampered_with_keeps_nothing(gestora: httpx.AsyncClient, container: Container, scope: Scope) -> None:
    form = form_of((await sent(gestora, GOOD)).text, f"{NOTAS}/trazer")
    for changed in ({"guardada": "não é"}, {"guardada": ""}, {"prevista": "0" * 32}, {"csrf": "x"}):
        assert (await gestora.post(f"{NOTAS}/trazer", data=form | changed)).status_code in (403, 409, 422)
    assert await kept(container, scope) == {}


async def test_whoever_judges_has_no_such_page(scope: Scope, new_person: NewPerson, signed_in: SignedIn) -> None:
    rita = await signed_in(scope, (await new_person(scope, "avaliador")).ator)
    assert (await rita.get(NOTAS)).status_code == 403
    assert (await rita.get(f"{NOTAS}/modelo")).status_code == 403
