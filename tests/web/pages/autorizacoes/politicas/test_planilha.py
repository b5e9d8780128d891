"""A spreadsheet of regras on a page that needs no script. Source: design, RF3."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from html import unescape

import httpx
import pytest

from crivo.bootstrap import Container
from crivo.kernel.access import Usuario
from crivo.kernel.tenancy import Scope
from planilhas_de_politicas import aurora, estrela, livro

SignedIn = Callable[[Scope, str], Awaitable[httpx.AsyncClient]]
NewPerson = Callable[..., Awaitable[Usuario]]
PLANILHA = "/politicas/planilha"


@pytest.fixture
async def gestora(scope: Scope, new_person: NewPerson, signed_in: SignedIn) -> httpx.AsyncClient:
    return await signed_in(scope, (await new_person(scope, "gestor")).ator)


def fields_of(page: str) -> dict[str, str]:
    """The form of the columns, as a browser would send it."""
    form = page.split("<form")[1] if 'name="guardada"' in page.split("<form")[1] else page.split("<form")[2]
    fields = {name: unescape(value) for name, value in re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', form)}
    fields |= {name: unescape(value) for name, value in re.findall(r'<input id="[^"]+" name="([^"]+)" type="text" value="([^"]*)"', form)}
    for name, inner in re.findall(r'<select[^>]* name="([^"]+)"[^>]*>(.*?)</select>', form, re.DOTALL):
        chosen = re.search(r'value="([^"]*)" selected', inner)
        fields[name] = chosen[1] if chosen else ""
    return fields


async def sent(gestora: httpx.AsyncClient, content: bytes) -> str:
    csrf = re.search(r'name="csrf" value="([^"]+)"', (await gestora.get(PLANILHA)).text)
    assert csrf
    return (await gestora.post(PLANILHA, data={"csrf": csrf[1]}, files={"planilha": ("rol.xlsx", content)})).text


async def test_columns_are_shown_changed_and_kept_as_a_draft(gestora: httpx.AsyncClient, container: Container, scope: Scope) -> None:
    shown = await sent(gestora, aurora())
    fields = fields_of(shown)
    assert (fields["administradora_id"], fields["vigencia_fim"], fields["documento"]) == ("AUR-9", "31/12/2026", "")
    assert fields["campo-8"] == "observacoes"
    fields |= {"documento": "Rol", "campo-8": "ignorar"}
    again = (await gestora.post(PLANILHA, data={**fields, "acao": "ler"})).text
    assert "Importar 3 regras como rascunho" in again
    done = await gestora.post(PLANILHA, data={**fields_of(again), "acao": "importar"})
    assert "Guardada como rascunho" in done.text
    (kept,) = await container.politicas.listar(scope)
    assert (kept.administradora_id, kept.status, kept.regras_total) == ("AUR-9", "rascunho", 3)
    assert "do último arquivo desta administradora" in await sent(gestora, aurora())


async def test_faults_stand_by_their_cell_beside_the_row(gestora: httpx.AsyncClient, container: Container, scope: Scope) -> None:
    shown = await sent(gestora, estrela())
    assert "Plan1!C2" in shown
    assert "40304361 · Hemograma · talvez" in shown
    refused = await gestora.post(PLANILHA, data={**fields_of(shown), "acao": "importar"})
    assert "O que corrigir" in refused.text
    assert await container.politicas.listar(scope) == []


async def test_what_a_cell_holds_is_shown_as_text(gestora: httpx.AsyncClient) -> None:
    shown = await sent(gestora, livro(("P", [["Código", "Cobertura", '"><b>x'], ["1", "<script>", "<i>"]])))
    assert "<script>alert" not in shown
    assert "&lt;script&gt;" in shown
    assert "<b>x" not in shown


@pytest.mark.parametrize(
    ("content", "palavras"), [(b"%PDF-1.7", "Este é um PDF"), (b"", "Escolha uma planilha"), (b"PK\x03\x04", "danificada")]
)
async def test_what_is_no_spreadsheet_says_what_to_do(gestora: httpx.AsyncClient, content: bytes, palavras: str) -> None:
    assert palavras in await sent(gestora, content)


async def test_a_version_is_downloaded_in_every_format(gestora: httpx.AsyncClient, published: str) -> None:
    page = (await gestora.get(f"/politicas/{published}")).text
    for formato in ("xlsx", "csv", "json", "yaml"):
        assert f"/politicas/{published}/baixar?formato={formato}" in page
        file = await gestora.get(f"/politicas/{published}/baixar?formato={formato}")
        assert file.status_code == 200
        assert file.headers["content-disposition"].endswith(f'.{formato}"')
    assert (await gestora.get(f"/politicas/{published}/baixar?formato=pdf")).status_code == 303  # back, with a word
