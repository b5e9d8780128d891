"""Documents of projects: read as text, and only ever kept as files."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from dataclasses import replace
from hashlib import sha256 as hash_of

import httpx
import msgspec
import pytest

from chamadas import Arquivo, Falsos, importacao
from crivo.bootstrap import Container
from crivo.kernel.access import Usuario, find_usuario
from crivo.kernel.clock import SystemClock
from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import Scope
from crivo.triagem.documentos.leitura import read_document
from crivo.triagem.documentos.lido import DocumentoLido, Pagina, Palavra
from crivo.triagem.edital import Proponente
from crivo.triagem.storage import arquivos
from documentos import ORDEM, TRUQUES_PDF, lines, pdf
from seguimento import wait_for_end
from triagem_web import AVALIADORA, EDITAL, empty_queue, screening

SignedIn = Callable[[Scope, str], Awaitable[httpx.AsyncClient]]
NewPerson = Callable[..., Awaitable[Usuario]]
PAPEL = pdf(lines("Certidão negativa", "Válida até 20/12/2026"), TRUQUES_PDF["branco"][0])
FIRST = f"/admin/editais/{EDITAL}/projetos/P0001/documentos/1"
SECOND = FIRST.removesuffix("1") + "2"


async def read(arquivo: str, content: bytes) -> DocumentoLido:
    return read_document(arquivo, content)


@pytest.fixture(autouse=True)
async def _imported(urls: tuple[str, str], container: Container, scope: Scope) -> None:
    empty_queue(urls[0])
    made = importacao(3, EDITAL, documentos=2, avaliadores=[AVALIADORA])
    drawable = {nome: Arquivo(PAPEL) for nome in made.arquivos if nome.endswith("/1.txt")}
    await container.triagem.importar(scope, replace(made, arquivos={**made.arquivos, **drawable}))


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
    async with screening(database, replace(Falsos().achadores(), ler=read)):
        assert (await wait_for_end(container.triagem, scope, EDITAL)).status == "concluida"
    shown = (await gestora.get(FIRST)).text
    assert 'id="pagina-1"' in shown
    assert re.search(r'<mark title="REQ-1">conteúdo de documentos/1/0.txt</mark>', shown)
    assert "documento 1 de 2" in shown
    link = f'href="{FIRST}?pagina=1"'
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


@pytest.mark.parametrize("rest", ["", "/arquivo", "/paginas/1.png"])
async def test_whoever_judges_opens_the_documents_of_their_own_projects_alone(rita: httpx.AsyncClient, rest: str) -> None:
    """Triagem 6/5: ("avaliadores veem apenas projetos atribuídos a eles")."""
    assert (await rita.get(SECOND + rest)).status_code == 200
    assert (await rita.get(SECOND.replace("P0001", "P0003") + rest)).status_code == 404


@pytest.mark.parametrize("which", ["0", "3", "-1", "1e3", "99999999999", "um", "²"])
async def test_a_document_that_is_not_there_is_absent(gestora: httpx.AsyncClient, which: str) -> None:
    assert (await gestora.get(FIRST.removesuffix("1") + which)).status_code == 404


async def test_the_project_of_whoever_judges_leads_to_its_documents(rita: httpx.AsyncClient) -> None:
    here = f"/avaliacao/P0001?edital={EDITAL}"
    assert f'href="{here}&amp;doc=1&amp;vista=pagina"' in (await rita.get(here)).text
    assert f'href="{FIRST}/arquivo"' in (await rita.get(f"{here}&doc=1&vista=pagina")).text


async def test_a_page_is_an_image_that_is_asked_for_each_time_and_sent_once(gestora: httpx.AsyncClient) -> None:
    sent = await gestora.get(f"{SECOND}/paginas/1.png?largura=240")
    assert sent.headers["content-type"] == "image/png"
    assert sent.headers["cache-control"] == "private, no-cache"
    assert sent.headers["x-content-type-options"] == "nosniff"
    assert "sandbox" in sent.headers["content-security-policy"]
    assert sent.content.startswith(b"\x89PNG")
    again = await gestora.get(f"{SECOND}/paginas/1.png?largura=240", headers={"if-none-match": sent.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert (await gestora.get(f"{SECOND}/paginas/1.png?largura=240", headers={"if-none-match": '"outra"'})).status_code == 200


@pytest.mark.parametrize("which", ["0", "3", "-1", "1e3", "99999999999", "um", "²"])
async def test_a_page_that_is_not_there_is_absent(gestora: httpx.AsyncClient, which: str) -> None:
    assert (await gestora.get(f"{SECOND}/paginas/{which}.png")).status_code == 404


@pytest.mark.parametrize(("query", "status"), [("?largura=0", 303), ("?largura=x", 303), ("?largura=100000", 200), ("?largura=1", 200)])
async def test_a_width_that_is_out_of_reason_is_left_out_or_bounded(gestora: httpx.AsyncClient, query: str, status: int) -> None:
    assert (await gestora.get(f"{SECOND}/paginas/1.png{query}")).status_code == status


async def test_the_page_of_a_document_shows_it_and_the_way_to_the_others(gestora: httpx.AsyncClient) -> None:
    shown = (await gestora.get(f"{SECOND}?pagina=1")).text
    assert f'src="{SECOND}/paginas/1.png?largura=1200"' in shown
    assert f'href="{SECOND}?pagina=2"' in shown
    assert "Página 1 de 2" in shown
    assert 'loading="lazy"' in shown
    assert " style=" not in shown


async def test_what_a_page_hides_is_shown_in_its_place_to_whoever_manages_alone(
    gestora: httpx.AsyncClient, rita: httpx.AsyncClient
) -> None:
    managed = (await gestora.get(f"{SECOND}?pagina=2")).text
    assert re.search(rf'<g class="escondido".*?<rect x="10[^"]*%".*?letra da cor do fundo.*?{re.escape(ORDEM[:40])}', managed, re.DOTALL)
    judged = (await rita.get(f"{SECOND}?pagina=2")).text
    assert f'src="{SECOND}/paginas/2.png?largura=1200"' in judged
    assert ORDEM[:40] not in judged
    assert "escondido" not in judged.replace("escondidos", "").lower()


async def test_a_page_beyond_the_last_says_how_many_there_are(gestora: httpx.AsyncClient) -> None:
    answer = await gestora.get(f"{SECOND}?pagina=900")
    assert answer.status_code == 200
    assert "Este documento tem 2 páginas, e esta não é uma delas." in answer.text


async def test_a_text_is_shown_on_a_sheet_and_says_that_it_has_no_pages(gestora: httpx.AsyncClient) -> None:
    answer = await gestora.get(FIRST)
    assert "Este arquivo não tem páginas fixas" in answer.text
    assert ".png" not in answer.text
    assert (await gestora.get(f"{FIRST}/paginas/1.png")).status_code == 404


@pytest.mark.parametrize("query", ["?pagina=-1", "?ver=outra", "?zoom=7", "?pagina=x"])
async def test_an_address_that_asks_for_what_there_is_not_shows_the_document_all_the_same(gestora: httpx.AsyncClient, query: str) -> None:
    answer = await gestora.get(SECOND + query)
    assert (answer.status_code, answer.headers["location"]) == (303, SECOND)


async def test_the_pages_of_a_project_that_was_erased_are_gone(gestora: httpx.AsyncClient, container: Container, scope: Scope) -> None:
    made = importacao(1, "ED-2", documentos=2)
    (first,) = made.chamada.projetos
    hers = msgspec.structs.replace(first, proponente=Proponente("Iolanda Quintanilha", cpf_cnpj="529.982.247-25"))
    arquivos = {nome: Arquivo(PAPEL) for nome in made.arquivos}
    await container.triagem.importar(
        scope, replace(made, chamada=msgspec.structs.replace(made.chamada, projetos=(hers,)), arquivos=arquivos)
    )
    address = SECOND.replace(EDITAL, "ED-2")
    kept = await gestora.get(f"{address}/paginas/1.png")
    assert kept.status_code == 200
    await container.pessoas.apagar(scope, "529.982.247-25", "pedido da titular")
    assert (await gestora.get(f"{address}/paginas/1.png")).status_code == 404
    assert (await gestora.get(f"{address}/paginas/1.png", headers={"if-none-match": kept.headers["etag"]})).status_code == 404
    assert (await gestora.get(address)).status_code == 404
