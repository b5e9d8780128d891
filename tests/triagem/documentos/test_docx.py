"""What a DOCX says, and what of it nobody sees."""

from __future__ import annotations

from typing import Any

import pytest

from crivo.triagem.documentos.leitura import read_document
from crivo.triagem.documentos.lido import DocumentoLido, TrechoOculto
from documentos import (
    HONESTO,
    ORDEM,
    TRUQUES_DOCX,
    docx,
    element,
    replaced_part,
    run_with,
    set_color,
    set_white_on_dark,
)

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
WHITE = '<w:color w:val="FFFFFF"/>'


def hidden(lido: DocumentoLido) -> list[TrechoOculto]:
    return [trecho for trecho in lido.ocultos if trecho.truque != "metadado"]


def body(inner: str) -> bytes:
    """A DOCX whose body is written by hand."""
    spaces = " ".join(
        f'xmlns:{prefix}="{uri}"'
        for prefix, uri in (
            ("w", W),
            ("mc", "http://schemas.openxmlformats.org/markup-compatibility/2006"),
            ("wps", "http://schemas.microsoft.com/office/word/2010/wordprocessingShape"),
            ("a", "http://schemas.openxmlformats.org/drawingml/2006/main"),
            ("wp", "http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"),
            ("w14", "http://schemas.microsoft.com/office/word/2010/wordml"),
        )
    )
    xml = f'<?xml version="1.0"?><w:document {spaces}><w:body>{inner}</w:body></w:document>'
    return replaced_part(docx(), "word/document.xml", xml.encode())


def run(text: str, properties: str = "") -> str:
    return f"<w:r><w:rPr>{properties}</w:rPr><w:t>{text}</w:t></w:r>"


def box(fill: str, text: str) -> str:
    words = f"<w:txbxContent><w:p>{run(text, WHITE)}</w:p></w:txbxContent>"
    return f"<w:p><w:r><wps:wsp><wps:spPr>{fill}</wps:spPr><wps:txbx>{words}</wps:txbx></wps:wsp></w:r></w:p>"


@pytest.mark.parametrize("name", TRUQUES_DOCX)
def test_a_trick_is_seen_through_and_its_text_left_out(name: str) -> None:
    write, truque = TRUQUES_DOCX[name]
    lido = read_document("projeto.docx", docx(write=write))
    assert [trecho.truque for trecho in hidden(lido)] == [truque]
    assert "nota" in hidden(lido)[0].texto
    assert all(line in lido.texto for line in HONESTO)
    assert "nota" not in lido.texto


def test_body_tables_headers_and_footers_are_read() -> None:
    def write(document: Any) -> None:
        document.add_table(1, 2).cell(0, 1).text = "Cachê do grupo: R$ 4.000,00"
        document.sections[0].header.paragraphs[0].text = "Associação Mandacaru"
        document.sections[0].footer.paragraphs[0].text = "Página única"

    lido = read_document("projeto.docx", docx(write=write))
    assert {*HONESTO, "Cachê do grupo: R$ 4.000,00", "Associação Mandacaru", "Página única"} <= set(lido.texto.splitlines())
    assert hidden(lido) == []


def test_a_text_box_is_read_once_though_it_is_written_twice() -> None:
    inside = f"<w:txbxContent><w:p>{run('Na caixa')}</w:p></w:txbxContent>"
    twice = f'<mc:AlternateContent><mc:Choice Requires="wps">{inside}</mc:Choice><mc:Fallback>{inside}</mc:Fallback></mc:AlternateContent>'
    assert read_document("p.docx", body(f"<w:p><w:r>{twice}</w:r></w:p>")).texto == "Na caixa"


def test_of_a_choice_that_no_program_understands_the_fallback_is_read() -> None:
    choice = f'<mc:Choice Requires="x9">{run("Só no arquivo")}</mc:Choice><mc:Fallback>{run("Na página")}</mc:Fallback>'
    assert read_document("p.docx", body(f"<w:p><mc:AlternateContent>{choice}</mc:AlternateContent></w:p>")).texto == "Na página"


def test_white_on_dark_is_honest_by_run_cell_and_box() -> None:
    cell = f'<w:tbl><w:tr><w:tc><w:tcPr><w:shd w:val="clear" w:fill="1F3864"/></w:tcPr><w:p>{run("Na célula", WHITE)}</w:p></w:tc></w:tr></w:tbl>'
    dark = box('<a:solidFill><a:srgbClr val="203040"/></a:solidFill>', "Na caixa escura")
    lido = read_document("p.docx", body(cell + dark))
    assert lido.texto.split("\n") == ["Na célula", "Na caixa escura"]
    assert hidden(read_document("p.docx", docx(write=run_with("Faixa", set_white_on_dark)))) == []
    assert hidden(lido) == []


def test_white_in_a_white_box_is_hidden() -> None:
    lido = read_document("p.docx", body(box('<a:solidFill><a:srgbClr val="FFFFFF"/></a:solidFill>', "Na caixa branca")))
    assert [(trecho.texto, trecho.truque) for trecho in hidden(lido)] == [("Na caixa branca", "sem_cor")]


def test_a_box_far_off_the_paper_is_hidden() -> None:
    place = "<wp:positionH><wp:posOffset>-90000000</wp:posOffset></wp:positionH>"
    anchor = f"<wp:anchor>{place}<w:txbxContent><w:p>{run('Longe daqui')}</w:p></w:txbxContent></wp:anchor>"
    lido = read_document("p.docx", body(f"<w:p><w:r><w:drawing>{anchor}</w:drawing></w:r></w:p>"))
    assert [(trecho.texto, trecho.truque) for trecho in hidden(lido)] == [("Longe daqui", "fora_da_pagina")]


def test_text_filled_with_nothing_is_hidden() -> None:
    lido = read_document("p.docx", body(f"<w:p>{run('Sem tinta', '<w14:textFill><w14:noFill/></w14:textFill>')}</w:p>"))
    assert [(trecho.texto, trecho.truque) for trecho in hidden(lido)] == [("Sem tinta", "invisivel")]


def test_styles_that_are_based_on_each_other_in_a_ring_end() -> None:
    styles = f'<w:styles xmlns:w="{W}">' + "".join(
        f'<w:style w:type="character" w:styleId="{own}"><w:basedOn w:val="{other}"/></w:style>' for own, other in (("A", "B"), ("B", "A"))
    )
    styled = '<w:rStyle w:val="A"/>'
    package = replaced_part(body(f"<w:p>{run('Texto', styled)}</w:p>"), "word/styles.xml", f"{styles}</w:styles>".encode())
    assert read_document("p.docx", package).texto == "Texto"


def test_comments_properties_and_descriptions_of_pictures_are_kept_apart() -> None:
    def write(document: Any) -> None:
        document.core_properties.subject = ORDEM
        paragraph = document.add_paragraph("Um parágrafo comentado.")
        document.add_comment(paragraph.runs, "Rever o orçamento", author="Fulana", initials="F")

    lido = read_document("p.docx", docx(write=write))
    assert {ORDEM, "Rever o orçamento"} <= {trecho.texto for trecho in lido.ocultos if trecho.truque == "metadado"}
    assert "Rever" not in lido.texto
    assert hidden(lido) == []


def test_hidden_words_in_a_row_are_one_passage() -> None:
    def write(document: Any) -> None:
        paragraph = document.add_paragraph("Visível ")
        for word in ORDEM.split():
            set_color(paragraph.add_run(word))
            paragraph.add_run(" ")
        paragraph._p.append(element("w:bookmarkEnd", id="1"))

    assert [trecho.texto for trecho in hidden(read_document("p.docx", docx(write=write)))] == [ORDEM]
