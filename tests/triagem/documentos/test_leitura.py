"""Files of every kind, and files that are broken, locked, empty, bombed, or not what their name says."""

from __future__ import annotations

import io
import zipfile

import openpyxl
import pytest

from crivo.triagem.documentos.leitura import read_document
from crivo.triagem.documentos.lido import DocumentoLido
from crivo.triagem.documentos.limites import Limites
from documentos import (
    HONESTO,
    bombed_docx,
    deep_pdf,
    docx,
    encrypted_pdf,
    entity_bombed_docx,
    image_bomb_pdf,
    image_bytes,
    in_size,
    one_page_pdf,
    pdf,
    png_claiming,
    reaching_out_docx,
    replaced_part,
    text_pdf,
    with_base,
    zipped,
)

GOOD = text_pdf(HONESTO)
PAGE = b"BT /F1 12 Tf 60 700 Td (Texto honesto do projeto) Tj ET"


def read(content: bytes, limites: Limites | None = None) -> DocumentoLido:
    return read_document("anexo.bin", content, limites or Limites())


def told(content: bytes) -> tuple[str | None, str]:
    lido = read(content)
    return lido.formato, lido.leitura


def test_a_file_is_told_by_content_size_and_hash() -> None:
    lido = read_document("certidao.docx", GOOD)
    assert (lido.arquivo, lido.formato, lido.leitura, lido.tamanho_bytes) == ("certidao.docx", "pdf", "lido", len(GOOD))
    assert len(lido.sha256) == 64
    assert lido.texto.splitlines() == list(HONESTO)


def test_what_cannot_be_read_says_why() -> None:
    assert told(b"") == (None, "vazio")
    assert told(b" \n\x00\t ") == (None, "vazio")
    assert told(pdf(lambda _: None)) == ("pdf", "vazio")
    assert told(GOOD[: len(GOOD) // 2]) == ("pdf", "corrompido")
    assert told(b"%PDF-1.7\n" + bytes(range(256)) * 20) == ("pdf", "corrompido")
    assert told(encrypted_pdf("senha")) == ("pdf", "protegido")
    assert told(docx()[:3000]) == (None, "corrompido")
    assert told(image_bytes("PNG")[:4000]) == ("png", "corrompido")
    assert told(b"MZ" + bytes(400) + b"%PDF-1.7 nao sou") == (None, "desconhecido")
    assert told(b"<!DOCTYPE html><p>oi</p>") == (None, "desconhecido")
    assert told(bytes(range(256)) * 9) == (None, "desconhecido")
    assert told(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600)) == (None, "desconhecido")
    assert told(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(60) + "EncryptedPackage".encode("utf-16-le")) == (None, "protegido")


def test_a_pdf_that_only_its_owner_may_change_is_read_by_anybody() -> None:
    assert read(encrypted_pdf("")).texto.splitlines() == list(HONESTO)


def test_a_long_file_is_read_up_to_the_limit_and_says_how_many_pages_it_has() -> None:
    lido = read(text_pdf(*([f"Página {number}"] for number in range(500))), Limites(max_paginas=40))
    assert (lido.leitura, len(lido.paginas), lido.total_paginas) == ("lido", 40, 500)
    assert lido.paginas[-1].texto == "Página 39"


def test_a_file_over_the_limit_of_bytes_is_not_opened() -> None:
    assert read(GOOD, Limites(max_bytes=len(GOOD) - 1)).leitura == "grande_demais"
    assert read(GOOD, Limites(max_bytes=len(GOOD))).leitura == "lido"


@pytest.mark.parametrize(
    "make", [bombed_docx, image_bomb_pdf, lambda: png_claiming(60_000, 60_000)], ids=["zip", "imagem no pdf", "imagem"]
)
def test_a_bomb_of_size_is_told_and_not_unpacked(make: object) -> None:
    assert callable(make)
    assert read(make()).leitura == "grande_demais"


@pytest.mark.parametrize("make", [entity_bombed_docx, reaching_out_docx])
def test_xml_that_defines_entities_is_refused(make: object) -> None:
    assert callable(make)
    lido = read(make())
    assert (lido.formato, lido.leitura, lido.texto) == ("docx", "corrompido", "")


def test_xml_nested_without_end_is_damage() -> None:
    assert told(replaced_part(docx(), "word/document.xml", b"<a>" * 90_000 + b"</a>" * 90_000)) == ("docx", "corrompido")


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_package_with_two_parts_of_one_name_is_damage() -> None:
    buffer = io.BytesIO(docx())
    with zipfile.ZipFile(buffer, "a") as archive:
        archive.writestr("word/document.xml", b"<outro/>")
    assert told(buffer.getvalue()) == (None, "corrompido")


def test_claims_about_pages_are_not_believed() -> None:
    for claim in (b"1000000000", b"-5", b"0"):
        lido = read(one_page_pdf(PAGE, count=claim))
        assert (lido.leitura, len(lido.paginas), lido.total_paginas) == ("lido", 1, 1)


def test_odd_structures_end_soon() -> None:
    assert told(deep_pdf()) == ("pdf", "corrompido")
    assert told(one_page_pdf(b"q " * 300_000 + PAGE)) == ("pdf", "lido")
    assert told(one_page_pdf(PAGE, b"/X " + b"[" * 100_000 + b"]" * 100_000))[0] == "pdf"


@pytest.mark.parametrize("media", [b"[0 0 9e8 9e8]", b"[0 0 0 0]", b"[0 0 14400 14400]", b"[600 900 0 0]"])
def test_a_page_of_any_size_is_read(media: bytes) -> None:
    assert read(one_page_pdf(PAGE, media=media)).texto == "Texto honesto do projeto"


def test_type_is_that_of_the_first_bytes_when_a_file_is_two_at_once() -> None:
    lido = read(GOOD + docx("Outro texto, que só o Word mostra"))
    assert (lido.formato, lido.texto.splitlines()) == ("pdf", list(HONESTO))
    assert told(zipped({"a.txt": GOOD, "word/document.xml": b"<a/>"}, zipfile.ZIP_STORED)) == (None, "desconhecido")


def test_text_past_the_limit_is_left_out_or_too_large() -> None:
    assert len(read(b"palavra " * 1000, Limites(max_letras=500)).texto) <= 500
    assert read(docx("palavra " * 1000), Limites(max_letras=500)).leitura == "grande_demais"
    lido = read(text_pdf(*([HONESTO] * 9)), Limites(max_letras=500))
    assert (lido.leitura, len(lido.paginas), lido.total_paginas) == ("lido", 3, 9)


def test_a_pixel_font_is_no_text_of_the_page() -> None:
    lido = read(pdf(with_base(in_size("Texto de um ponto que ninguém lê", 1))))
    assert "um ponto" not in lido.texto


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_plain_text_is_read_in_the_encodings_people_use(encoding: str) -> None:
    lido = read("Relatório de atividades\nAção única, “boa”".encode(encoding))
    assert (lido.formato, lido.texto) == ("txt", "Relatório de atividades\nAção única, “boa”")


def test_a_table_of_text_is_csv() -> None:
    assert told(b"item;valor\nsom;100\nluz;200\n") == ("csv", "lido")
    assert told(b"item,valor,total\nsom,1,2\nluz,3,4\n") == ("csv", "lido")
    assert told(b"Uma frase, outra.\nMais uma, sim.\n") == ("txt", "lido")


def test_a_workbook_is_read_sheet_by_sheet_and_its_hidden_ones_kept_apart() -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.append(["Item", "Valor"])
    sheet.append(["Cachê", 4000])
    book.create_sheet("Rascunho").append(["texto guardado"])
    book["Rascunho"].sheet_state = "hidden"
    buffer = io.BytesIO()
    book.save(buffer)
    lido = read(buffer.getvalue())
    assert (lido.formato, lido.texto, lido.total_paginas) == ("xlsx", "Item | Valor\nCachê | 4000", 1)
    assert "texto guardado" in [trecho.texto for trecho in lido.ocultos]


def odt(content: str, **parts: str) -> bytes:
    spaces = " ".join(
        f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{uri}:1.0"'
        for name, uri in (("office", "office"), ("text", "text"), ("style", "style"), ("fo", "xsl-fo-compatible"))
    )
    mimetype = "application/vnd.oasis.opendocument.text"
    return zipped({"mimetype": mimetype, "content.xml": f"<office:document-content {spaces}>{content}</office:document-content>", **parts})


def test_an_odt_is_read_and_what_it_hides_is_told() -> None:
    style = '<style:style style:name="T1"><style:text-properties {}/></style:style>'
    body = '<text:p>Plano <text:span text:style-name="T1">de trabalho</text:span></text:p>'
    assert read(odt(body)).texto == "Plano de trabalho"
    for properties, truque in (('text:display="none"', "vanish"), ('fo:color="#ffffff"', "sem_cor"), ('fo:font-size="1pt"', "minusculo")):
        lido = read(odt(style.format(properties) + body))
        assert (lido.formato, lido.texto) == ("odt", "Plano")
        assert [(trecho.texto, trecho.truque) for trecho in lido.ocultos] == [("de trabalho", truque)]


def test_an_odt_with_a_password_is_protected() -> None:
    manifest = '<m:manifest xmlns:m="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"><m:encryption-data/></m:manifest>'
    assert told(odt("", **{"META-INF/manifest.xml": manifest})) == ("odt", "protegido")


@pytest.mark.parametrize(("kind", "formato"), [("JPEG", "jpg"), ("PNG", "png"), ("TIFF", "tiff")])
def test_an_image_waits_for_ocr_where_there_is_none(kind: str, formato: str) -> None:
    assert told(image_bytes(kind)) == (formato, "sem_ocr")
