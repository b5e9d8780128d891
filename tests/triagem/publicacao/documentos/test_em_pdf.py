"""A published result as PDF/A: what an archive asks of it, read back from its own structure. Source: ISO 19005-2, ISO 14289-1."""

from __future__ import annotations

import asyncio
import io
import time
from collections.abc import Iterator
from typing import Any

import pytest
from pypdf import PdfReader
from pypdf.generic import DictionaryObject, IndirectObject

from crivo.triagem.erros import DocumentoExtenso, DocumentoNaoFeito
from crivo.triagem.palavras import shown
from crivo.triagem.publicacao.conteudo import Conteudo
from crivo.triagem.publicacao.documentos.em_pdf import AUSENTE, compose
from crivo.triagem.publicacao.documentos.impressora import LINHAS_MAXIMO, Impressora
from crivo.triagem.publicacao.documentos.resultado import lay_out
from publicados import EM, conteudo, hostil, linha, selo_of


def root_of(reader: PdfReader) -> Any:
    return reader.trailer["/Root"]


def pdf_of(de: Conteudo, *, draft: bool = False) -> bytes:
    return compose(lay_out(de, None if draft else selo_of(de), EM))


@pytest.fixture(scope="module")
def reader() -> PdfReader:
    return PdfReader(io.BytesIO(pdf_of(hostil(3))))


def objects(reader: PdfReader) -> Iterator[Any]:
    for number in range(1, len(reader.xref_objStm) + sum(map(len, reader.xref.values())) + 1):
        found = reader.get_object(IndirectObject(number, 0, reader))
        if isinstance(found, DictionaryObject):
            yield found


def test_it_says_that_it_is_pdf_a_2a_and_pdf_ua_1(reader: PdfReader) -> None:
    xmp = root_of(reader)["/Metadata"].get_data().decode()
    assert "<pdfaid:part>2</pdfaid:part>" in xmp
    assert "<pdfaid:conformance>A</pdfaid:conformance>" in xmp
    assert "<pdfuaid:part>1</pdfuaid:part>" in xmp
    assert "/Encrypt" not in reader.trailer


def test_colours_mean_the_same_everywhere(reader: PdfReader) -> None:
    (intent,) = root_of(reader)["/OutputIntents"]
    assert intent.get_object()["/S"] == "/GTS_PDFA1"
    assert "/DestOutputProfile" in intent.get_object()


def test_it_is_tagged_and_says_its_language_and_title(reader: PdfReader) -> None:
    root = root_of(reader)
    assert root["/MarkInfo"]["/Marked"] is True or root["/MarkInfo"]["/Marked"] == True  # noqa: E712 - pypdf has its own booleans
    assert root["/Lang"] == "pt-BR"
    assert root["/ViewerPreferences"]["/DisplayDocTitle"]
    assert reader.metadata is not None
    assert reader.metadata.title == 'Resultado preliminar: Edital <b>nº 4</b> #eval("x") =1+1'
    kinds = [one["/S"] for one in objects(reader) if one.get("/Type") == "/StructElem" or ("/S" in one and "/P" in one)]
    assert {"/Table", "/THead", "/TBody", "/TR", "/TH", "/TD", "/H1", "/H2", "/L"} <= set(kinds)


def test_every_font_is_inside(reader: PdfReader) -> None:
    descriptors = [one for one in objects(reader) if one.get("/Type") == "/FontDescriptor"]
    assert descriptors
    assert all({"/FontFile", "/FontFile2", "/FontFile3"} & set(one) for one in descriptors)


def test_it_runs_nothing_and_reaches_for_nothing(reader: PdfReader) -> None:
    for one in objects(reader):
        assert not {"/JS", "/JavaScript", "/AA", "/EmbeddedFile", "/F"} & set(one) or one.get("/Type") == "/Filespec", one
        assert one.get("/S") not in {"/URI", "/Launch", "/GoToR", "/JavaScript", "/SubmitForm"}


def test_bookmarks_lead_to_each_category(reader: PdfReader) -> None:
    outline: Any = reader.outline
    (title,) = [one for one in outline if not isinstance(one, list)]
    inside = [one.title for one in next(one for one in outline if isinstance(one, list)) if not isinstance(one, list)]
    assert title.title.startswith("Resultado preliminar")
    assert inside[:4] == ["Categoria 1", "Categoria 2", "Categoria 3", "Sem lugar"]


def test_each_page_has_its_number_and_where_to_check_it(reader: PdfReader) -> None:
    for at, page in enumerate(reader.pages, 1):
        text = page.extract_text()
        assert f"Página {at} de {len(reader.pages)}" in text
        assert "Código K3V7QX2MPA4TZ6WB · confira em https://crivo.exemplo/publicacoes/serra-clara/K3V7QX2MPA4TZ6WB" in text


@pytest.mark.parametrize("de", [conteudo(), hostil(1), hostil(3)], ids=["no rows", "one category", "three categories"])
def test_every_row_can_be_read_back(de: Conteudo) -> None:
    text = "".join("".join(page.extract_text().split()) for page in PdfReader(io.BytesIO(pdf_of(de))).pages).replace("\u200b", "")
    for one in de.linhas:
        told = "".join(shown(one.projeto.titulo).split())
        assert one.lugar.projeto_id in text
        if told.isascii():
            assert told in text, told
    assert "529.982.247" not in text


def test_headings_of_a_table_are_repeated_where_it_goes_on() -> None:
    de = conteudo([linha(f"P{at:03}", f"Projeto {at}", "Música", at) for at in range(1, 121)])
    pages = [page.extract_text() for page in PdfReader(io.BytesIO(pdf_of(de))).pages]
    assert len(pages) > 2
    assert all("Proponente" in text for text in pages if "Projeto 1" in text or "Projeto 5" in text)


def test_letters_that_no_font_draws_are_shown_and_told() -> None:
    text = "".join(page.extract_text() for page in PdfReader(io.BytesIO(pdf_of(hostil()))).pages)
    assert AUSENTE in text
    assert "há um caractere que as fontes deste documento" in " ".join(text.split())


def test_a_draft_is_marked_on_every_page() -> None:
    pages = PdfReader(io.BytesIO(pdf_of(hostil(3), draft=True))).pages
    assert len(pages) > 1
    assert all("RASCUNHO: ainda não publicado" in page.extract_text().split("\n")[0] for page in pages)


def test_the_same_version_is_the_same_bytes() -> None:
    assert pdf_of(hostil(2)) == pdf_of(hostil(2))


def test_what_is_to_be_copied_is_whole() -> None:
    text = "".join(page.extract_text() for page in PdfReader(io.BytesIO(pdf_of(hostil()))).pages)
    assert selo_of(hostil()).publicada.sha256 in text
    assert "printf '%s' 'ED-2026-04:P101' | sha256sum" in text


async def test_a_process_of_its_own_makes_the_same_bytes() -> None:
    folha = lay_out(hostil(), selo_of(hostil()), EM)
    first, second = await asyncio.gather(Impressora().imprimir(folha), Impressora(lugares=2).imprimir(folha))
    assert first == second == compose(folha)


async def test_a_list_that_is_too_long_is_refused_with_what_to_take_instead() -> None:
    de = conteudo([linha(f"P{at}", "Projeto", "Música", at) for at in range(1, LINHAS_MAXIMO + 2)])
    with pytest.raises(DocumentoExtenso, match="Baixe o HTML, a planilha ou o CSV"):
        await Impressora().imprimir(lay_out(de, selo_of(de), EM))


async def test_a_pdf_that_takes_too_long_is_given_up() -> None:
    began = time.monotonic()
    with pytest.raises(DocumentoNaoFeito, match="HTML"):
        await Impressora(segundos=0.05).imprimir(lay_out(hostil(), selo_of(hostil()), EM))
    assert time.monotonic() - began < 10


def test_a_thousand_projects_are_a_pdf_before_anybody_gives_up() -> None:
    de = conteudo([linha(f"P{at:05}", f"Projeto {at} de samba de roda no interior", "Música", at) for at in range(1, 1_001)])
    began = time.monotonic()
    assert pdf_of(de).startswith(b"%PDF-")
    assert time.monotonic() - began < 30
