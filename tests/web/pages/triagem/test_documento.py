"""Documents of projects: read as text, and only ever kept as files."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from hashlib import sha256 as hash_of

import httpx
import pytest

from chamadas import importacao
from crivo.bootstrap import Container
from crivo.kernel.access import Usuario, find_usuario
from crivo.kernel.clock import SystemClock
from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import Scope
from crivo.triagem.documentos.lido import DocumentoLido, Pagina, Palavra
from crivo.triagem.storage import arquivos
from seguimento import wait_for_end
from triagem_web import AVALIADORA, EDITAL, empty_queue, screening

SignedIn = Callable[[Scope, str], Awaitable[httpx.AsyncClient]]
NewPerson = Callable[..., Awaitable[Usuario]]
FIRST = f"/admin/editais/{EDITAL}/projetos/P0001/documentos/1"


@pytest.fixture(autouse=True)
async def _imported(urls: tuple[str, str], container: Container, scope: Scope) -> None:
    empty_queue(urls[0])
    await container.triagem.importar(scope, importacao(3, EDITAL, documentos=2, avaliadores=[AVALIADORA]))


@pytest.fixture
async def gestora(scope: Scope, new_person: NewPerson, signed_in: SignedIn) -> httpx.AsyncClient:
    return await signed_in(scope, (await new_person(scope, "gestor")).ator)


@pytest.fixture
async def rita(scope: Scope, database: Database, signed_in: SignedIn) -> httpx.AsyncClient:
    """Whoever judges P0001 and P0002."""
    async with database.unit_of_work(scope) as uow:
        usuario = await find_usuario(uow, AVALIADORA.email)
    assert usuario is not None
    return await signed_in(scope, usuario.ator)


async def test_a_document_is_shown_as_it_was_read_with_the_evidence_marked(
    gestora: httpx.AsyncClient, container: Container, scope: Scope, database: Database
) -> None:
    assert "Ninguém leu este documento ainda" in (await gestora.get(FIRST)).text
    await container.triagem.executar(scope, EDITAL)
    async with screening(database):
        assert (await wait_for_end(container.triagem, scope, EDITAL)).status == "concluida"
    shown = (await gestora.get(FIRST)).text
    assert 'id="pagina-1"' in shown
    assert re.search(r'<mark title="REQ-1">conteúdo de documentos/1/0.txt</mark>', shown)
    assert "Documento 1 de 2" in shown
    link = f'href="{FIRST}#pagina-1"'
    assert link in (await gestora.get(f"/admin/editais/{EDITAL}/triagem-ia?projeto=P0001")).text
    assert "<mark" not in (await gestora.get(FIRST.removesuffix("1") + "2")).text


async def test_a_scan_says_which_words_were_read_with_doubt_and_which_page_was_not_read(
    gestora: httpx.AsyncClient, container: Container, scope: Scope, database: Database
) -> None:
    texto = "Certidão de Ana, CPF 529.982.247-25\nVálida até 30/11/2026"
    doubtful = ("30/11/2026", "529.982.247-25")
    palavras = tuple(Palavra(word, 0.4 if word in doubtful else 0.95, (0.1, 0.1, 0.2, 0.2)) for word in texto.split())
    paginas = (Pagina(1, texto, por_ocr=True, palavras=palavras), Pagina(2, "", nao_lida=True))
    content = b"conte\xc3\xbado de documentos/1/0.txt"
    lido = DocumentoLido("a.pdf", "0" * 64, len(content), "pdf", "lido", paginas, (), 2)
    async with database.unit_of_work(scope) as uow:
        await arquivos.keep_lido(uow, "de outra máquina", hash_of(content).digest(), lido, SystemClock().now())
    shown = (await gestora.get(FIRST)).text
    assert '<span class="incerto">30/11/2026<span class="so-leitor"> (leitura incerta)</span></span>' in shown
    assert '<span class="incerto">***.982.247-**<span' in shown
    assert "2 palavras de leitura incerta" in shown
    assert "Válida até <span" in shown
    assert "Esta página é uma imagem e não foi lida" in shown


async def test_a_file_leaves_only_to_be_kept(gestora: httpx.AsyncClient) -> None:
    kept = await gestora.get(f"{FIRST}/arquivo")
    assert kept.content == "conteúdo de documentos/1/0.txt".encode()
    assert kept.headers["content-disposition"] == "attachment; filename*=UTF-8''0.txt"
    assert kept.headers["content-type"] == "application/octet-stream"
    assert kept.headers["x-content-type-options"] == "nosniff"
    policy = "default-src 'none'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; sandbox"
    assert kept.headers["content-security-policy"] == policy


@pytest.mark.parametrize("rest", ["", "/arquivo"])
async def test_whoever_judges_opens_the_documents_of_their_own_projects_alone(rita: httpx.AsyncClient, rest: str) -> None:
    """Triagem 6/5: ("avaliadores veem apenas projetos atribuídos a eles")."""
    assert (await rita.get(FIRST + rest)).status_code == 200
    assert (await rita.get(FIRST.replace("P0001", "P0003") + rest)).status_code == 404


@pytest.mark.parametrize("which", ["0", "3", "-1", "1e3", "99999999999", "um", "²"])
async def test_a_document_that_is_not_there_is_absent(gestora: httpx.AsyncClient, which: str) -> None:
    assert (await gestora.get(FIRST.removesuffix("1") + which)).status_code == 404


async def test_the_project_of_whoever_judges_leads_to_its_documents(rita: httpx.AsyncClient) -> None:
    assert f'href="{FIRST}"' in (await rita.get(f"/avaliacao/P0001?edital={EDITAL}")).text
