"""What was read with doubt, and what was not read, as people see it: light and dark, desktop and phone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from typing import Any

import pytest
from playwright.async_api import expect

from chamadas import Arquivo, importacao
from crivo.bootstrap import Container
from crivo.kernel.access import Sessoes, Usuario
from crivo.kernel.tenancy import Scope
from crivo.triagem.documentos.lido import DocumentoLido, Pagina, Palavra, Regiao
from crivo.triagem.storage import arquivos
from documentos import image_bytes, scanned_page
from navegador import IS_MISSING, Theme, approve, let_in, opened
from triagem_web import empty_queue

pytestmark = pytest.mark.skipif(IS_MISSING, reason="no Chromium was found on this machine")
EDITAL = "ED-1"
TEXTO = (
    "PREFEITURA MUNICIPAL DE SERRA CLARA\nCERTIDÃO NEGATIVA DE DÉBITOS MUNICIPAIS\nContribuinte: Ana Braga\n"
    "CPF: 529.982.247-25\nEmitida em 20/08/2026.\nVálida até 20/12/2026."
)
DOUBTFUL = ("Braga", "20/12/2026.")


@pytest.fixture
async def lidos(urls: tuple[str, str], container: Container, scope: Scope) -> None:
    """A call of which one document was read with doubt, and another by nobody."""
    empty_queue(urls[0])
    made = importacao(2, EDITAL, documentos=2)
    scan = image_bytes("PNG", scanned_page())
    await container.triagem.importar(scope, replace(made, arquivos={**made.arquivos, "documentos/1/0.txt": Arquivo(scan)}))
    palavras = tuple(
        Palavra(word, 0.5 if word in DOUBTFUL else 0.95, (0.1, 0.1 + at / 40, 0.3, 0.12 + at / 40)) for at, word in enumerate(TEXTO.split())
    )
    regioes = (Regiao("carimbo", (0.6, 0.5, 0.8, 0.6)), Regiao("manuscrito", (0.3, 0.75, 0.6, 0.8)))
    pagina = Pagina(1, TEXTO, por_ocr=True, palavras=palavras, regioes=regioes)
    read = {
        "documentos/1/0.txt": DocumentoLido("a.png", "0" * 64, 10, "png", "lido", (pagina,), (), 1),
        "documentos/1/1.txt": DocumentoLido("b.jpg", "1" * 64, 10, "jpg", "sem_ocr", (Pagina(1, "", nao_lida=True),), (), 1, quer_ocr=True),
    }
    async with container.database.unit_of_work(scope) as uow:
        for arquivo, lido in read.items():
            content = scan if arquivo == "documentos/1/0.txt" else f"conteúdo de {arquivo}".encode()
            digest = sha256(content).digest()
            await arquivos.keep_lido(uow, "de outra máquina", digest, lido, container.clock.now())


@pytest.mark.usefixtures("lidos")
@pytest.mark.parametrize(("theme", "width"), [("dark", 390)])
async def test_doubt_is_shown_in_the_text_and_what_was_not_read_is_told(
    shared_server: Any, container: Container, scope: Scope, new_person: Callable[..., Any], theme: Theme, width: int
) -> None:
    person: Usuario = await new_person(scope, "gestor")
    link = await Sessoes(container.database, container.clock).create_link(scope, person.ator)
    async with opened(shared_server.address, theme, width) as page:
        await let_in(page, link)
        await page.goto(f"/admin/editais/{EDITAL}/projetos/P0001/documentos/1")
        drawn = page.locator(".leitura-incerta .duvida")
        await expect(drawn).to_have_count(2)
        await expect(page.get_by_role("img", name="Leitura incerta: Braga, certeza de 50%")).to_be_visible()
        await expect(page.get_by_role("img", name="Carimbo: o que está sob ele se confere no papel")).to_be_visible()
        await page.get_by_text("Nesta página: 2 palavras de leitura incerta, 1 carimbo e 1 manuscrito").click()
        await expect(page.locator(".da-imagem li")).to_have_count(4)
        await approve(page, f"leitura-incerta-na-folha-{theme}-{width}")
        await page.get_by_label("Mostrar a leitura incerta").uncheck()
        await expect(drawn.first).to_be_hidden()
        await page.goto(f"/admin/editais/{EDITAL}/projetos/P0001/documentos/1?ver=texto")
        await expect(page.locator(".texto-lido .incerto")).to_have_text(["Braga (leitura incerta)", "20/12/2026. (leitura incerta)"])
        await expect(page.get_by_text("2 palavras de leitura incerta")).to_be_visible()
        await approve(page, f"leitura-incerta-{theme}-{width}")
        await page.goto(f"/admin/editais/{EDITAL}/projetos/P0001/documentos/2")
        await expect(page.get_by_text("esta instalação não lê imagens")).to_be_visible()
        await page.goto(f"/admin/editais/{EDITAL}/triagem-ia")
        await expect(page.get_by_text("1 documento é imagem")).to_be_visible()
        await approve(page, f"imagens-nao-lidas-{theme}-{width}")
