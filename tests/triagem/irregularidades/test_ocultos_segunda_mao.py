"""Ways of hiding text that the readers were not built on, each beside an honest use that looks like it."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls
from docx.shared import Pt, RGBColor
from PIL import Image
from pypdf import PdfWriter
from pypdf.generic import ArrayObject, DictionaryObject, FloatObject, NameObject, NumberObject, TextStringObject
from reportlab.lib.colors import Color, white
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from crivo.triagem.documentos.leitura import read_document
from crivo.triagem.documentos.lido import ProjetoLido
from crivo.triagem.edital import Projeto, Proponente
from crivo.triagem.irregularidades.ocultos import find_texto_oculto
from documentos import (
    CERTIDAO,
    HONESTO,
    ORDEM,
    at,
    docx,
    element,
    hidden_layer_pdf,
    one_page_pdf,
    pdf,
    rewritten_pdf,
    run_with,
    scan_pdf,
    stream,
    text_pdf,
    watermark,
    with_base,
)

SHOWN = b"BT /F1 11 Tf 60 700 Td (Texto honesto da pagina do projeto, com doze sessoes.) Tj ET\n"
IN_PDF = ORDEM.encode("cp1252")
DARK = (30, 60, 90)
TILE = b"/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 9 9] /XStep 9 /YStep 9 /Resources << >> "
SPOT = b"/ColorSpace << /CS1 [/Separation /Tinta /DeviceCMYK << /FunctionType 2 /Domain [0 1] /C0 [0 0 0 0] /C1 [0 0 0 1] /N 1 >>] >>"


def by_hand(body: bytes, resources: bytes = b"", *more: bytes) -> bytes:
    return one_page_pdf(SHOWN + body, resources, *more)


def dictionary(**entries: Any) -> DictionaryObject:
    return DictionaryObject({NameObject(f"/{name}"): value for name, value in entries.items()})


def noted(text: str, *, flags: int = 4, rect: tuple[int, ...] = (60, 480, 400, 500), ink: str = "0 g", field: bool = False) -> bytes:
    """A page with an annotation, or a `field` of a form that is filled in."""

    def change(writer: PdfWriter) -> None:
        note = dictionary(
            Type=NameObject("/Annot"),
            Subtype=NameObject("/Widget" if field else "/FreeText"),
            Rect=ArrayObject([FloatObject(side) for side in rect]),
            F=NumberObject(flags),
            DA=TextStringObject(f"/Helv 11 Tf {ink}"),
        )
        note.update(dictionary(FT=NameObject("/Tx"), T=TextStringObject("campo"), V=TextStringObject(text)) if field else {})
        note.update({} if field else dictionary(Contents=TextStringObject(text)))
        added = writer._add_object(note)
        writer.pages[0][NameObject("/Annots")] = ArrayObject([added])
        if field:
            writer._root_object[NameObject("/AcroForm")] = dictionary(Fields=ArrayObject([added]))

    return rewritten_pdf(text_pdf(HONESTO), change)


def turned_and_cropped(writer: PdfWriter) -> None:
    page = writer.pages[0]
    page[NameObject("/CropBox")] = ArrayObject([FloatObject(side) for side in (0, 400, 595, 842)])
    page.rotate(90)


def in_cmyk(text: str, *ink: float) -> bytes:
    def draw(canvas: Canvas) -> None:
        canvas.setFillColorCMYK(*ink)
        canvas.drawString(60, 500, text)

    return pdf(with_base(draw))


def with_picture(text: str, *, over: bool) -> bytes:
    """Text under a dark picture, or white `over` it."""

    def draw(canvas: Canvas) -> None:
        picture = ImageReader(Image.new("RGB", (400, 60), DARK))
        if not over:
            canvas.drawString(60, 500, text)
        canvas.drawImage(picture, 50, 480, 520, 50)
        if over:
            canvas.setFillColor(white)
            canvas.drawString(60, 500, text)

    return pdf(with_base(draw))


def nearly_the_cell(canvas: Canvas) -> None:
    canvas.setFillColor(Color(0.95, 0.95, 0.95))
    canvas.rect(50, 490, 520, 25, stroke=1, fill=1)
    canvas.setFillColor(Color(0.94, 0.94, 0.95))
    canvas.drawString(60, 500, ORDEM)


def squeezed(canvas: Canvas) -> None:
    writing = canvas.beginText(60, 500)
    writing.setHorizScale(1)
    writing.textLine(ORDEM)
    writing.setHorizScale(100)
    canvas.drawText(writing)


def footer(canvas: Canvas) -> None:
    canvas.setFont("Helvetica", 6)
    canvas.drawString(400, 30, "Página 12 de 34 - Associação Mandacaru")


def in_outline(canvas: Canvas) -> None:
    writing = canvas.beginText(60, 500)
    writing.setTextRenderMode(2)
    writing.setFont("Helvetica-Bold", 30)
    writing.setFillColor(white)
    writing.textLine("FESTIVAL DE RUA")
    writing.setTextRenderMode(0)
    canvas.drawText(writing)


HIDING_PDF: Mapping[str, bytes] = {
    "matriz de texto que reduz": by_hand(b"BT /F1 100 Tf 0.005 0 0 0.005 60 500 Tm (%s) Tj ET" % IN_PDF),
    "letra de tamanho negativo": by_hand(b"BT /F1 -0.5 Tf 60 500 Td (%s) Tj ET" % IN_PDF),
    "achatado pela matriz": by_hand(b"BT /F1 11 Tf 1 0 0 0.001 60 500 Tm (%s) Tj ET" % IN_PDF),
    "espremido": pdf(with_base(squeezed)),
    "branco em CMYK": in_cmyk(ORDEM, 0, 0, 0, 0),
    "quase branco em CMYK": in_cmyk(ORDEM, 0.01, 0.01, 0.02, 0),
    "tinta especial sem tinta": by_hand(b"/CS1 cs 0 scn BT /F1 11 Tf 60 500 Td (%s) Tj ET" % IN_PDF, SPOT),
    "padrão branco": by_hand(
        b"/Pattern cs /P1 scn BT /F1 11 Tf 60 500 Td (%s) Tj ET" % IN_PDF,
        b"/Pattern << /P1 6 0 R >>",
        stream(b"1 1 1 rg 0 0 9 9 re f", TILE),
    ),
    "sob imagem escura": with_picture(ORDEM, over=False),
    "anotação escondida": noted(ORDEM, flags=2),
    "anotação que não se mostra": noted(ORDEM, flags=32),
    "anotação sem área": noted(ORDEM, rect=(0, 0, 0, 0)),
    "campo escondido": noted(ORDEM, flags=2, field=True),
    "campo sem área": noted(ORDEM, rect=(0, 0, 0, 0), field=True),
    "campo branco": noted(ORDEM, ink="1 g", field=True),
    "recorte mínimo": by_hand(b"q 300 300 0.1 0.1 re W n BT /F1 11 Tf 60 500 Td (%s) Tj ET Q" % IN_PDF),
    "fora do recorte de página girada": rewritten_pdf(pdf(with_base(at(ORDEM, 60, 100))), turned_and_cropped),
    "modo invisível no meio da linha": by_hand(
        b"BT /F1 11 Tf 60 500 Td (Orcamento em anexo. ) Tj 3 Tr (%s) Tj 0 Tr ( Cronograma.) Tj ET" % IN_PDF
    ),
    "da cor da célula": pdf(with_base(nearly_the_cell)),
}
HONEST_PDF: Mapping[str, bytes] = {
    "marca-d'água clara": pdf(with_base(watermark("CÓPIA DIGITAL"))),
    "branco sobre imagem escura": with_picture("Mostra de cinema da praça, edição de 2026", over=True),
    "rodapé de seis pontos": pdf(with_base(footer)),
    "camada de OCR sobre a digitalização": scan_pdf(layer=CERTIDAO),
    "cinza em CMYK": in_cmyk("Documento gerado pelo sistema da prefeitura", 0, 0, 0, 0.5),
    "anotação à vista": noted("Conferido pela coordenação do coletivo"),
    "campo preenchido": noted("Associação Cultural Mandacaru do Sertão", field=True),
    "matriz de texto que amplia": by_hand(b"BT /F1 1 Tf 10 0 0 10 60 500 Tm (Equipe e cronograma da oficina) Tj ET"),
    "título espelhado": by_hand(b"BT /F1 -11 Tf 500 500 Td (Titulo espelhado do programa da mostra) Tj ET"),
    "página girada": rewritten_pdf(pdf(with_base(at("Mapa do palco e da praça", 60, 60))), lambda writer: writer.pages[0].rotate(90)),
    "camada ligada": hidden_layer_pdf("Planta do palco com medidas").replace(b"/OFF [6 0 R] ", b"/ON  [6 0 R] "),
    "letras só de contorno": pdf(with_base(in_outline)),
}


def in_cell(text: str, ink: str, fill: str) -> Callable[[Any], None]:
    def write(document: Any) -> None:
        cell = document.add_table(1, 1).cell(0, 0)
        cell._tc.get_or_add_tcPr().append(element("w:shd", val="clear", fill=fill))
        cell.paragraphs[0].add_run(text).font.color.rgb = RGBColor.from_string(ink)

    return write


def with_property(name: str, **attributes: str) -> Callable[[Any], None]:
    return run_with(ORDEM, lambda run: run._r.get_or_add_rPr().append(element(name, **attributes)))


def hidden_by_the_style_behind_its_style(document: Any) -> None:
    base = document.styles.add_style("Parágrafo oculto", 1)
    base.font.hidden = True
    document.styles.add_style("Parágrafo derivado", 1).base_style = base
    document.add_paragraph(ORDEM, style="Parágrafo derivado")


def in_box(text: str, style: str) -> Callable[[Any], None]:
    def write(document: Any) -> None:
        document.add_paragraph()._p.append(
            parse_xml(
                f'<w:r {nsdecls("w")} xmlns:v="urn:schemas-microsoft-com:vml"><w:pict><v:shape style="position:absolute;{style}"><v:textbox>'
                f"<w:txbxContent><w:p><w:r><w:t>{text}</w:t></w:r></w:p></w:txbxContent></v:textbox></v:shape></w:pict></w:r>"
            )
        )

    return write


def computed(code: str) -> Callable[[Any], None]:
    """A field that shows 12 and is computed from `code`."""

    def write(document: Any) -> None:
        paragraph = document.add_paragraph("Total: ")._p
        for kind in ("begin", "code", "separate", "shown", "end"):
            run = element("w:r")
            part = element("w:fldChar", fldCharType=kind) if kind in {"begin", "separate", "end"} else element("w:instrText")
            if kind == "code":
                part.text = code
            elif kind == "shown":
                part = element("w:t")
                part.text = "12"
            run.append(part)
            paragraph.append(run)

    return write


def in_white_header(document: Any) -> None:
    document.sections[0].header.paragraphs[0].add_run(ORDEM).font.color.rgb = RGBColor(255, 255, 255)


def indented(text: str, points: float) -> Callable[[Any], None]:
    def write(document: Any) -> None:
        document.add_paragraph(text).paragraph_format.left_indent = Pt(points)

    return write


def with_data_beside(text: str) -> bytes:
    buffer = io.BytesIO(docx())
    with zipfile.ZipFile(buffer, "a") as package:
        package.writestr("customXml/item9.xml", f"<dados>{text}</dados>")
    return buffer.getvalue()


HIDING_DOCX: Mapping[str, bytes] = {
    "oculto pelo estilo por trás do estilo": docx(write=hidden_by_the_style_behind_its_style),
    "branco em célula branca": docx(write=in_cell(ORDEM, "FFFFFF", "FFFFFF")),
    "da cor da célula": docx(write=in_cell(ORDEM, "EEECE1", "EEECE1")),
    "meio ponto": docx(write=with_property("w:sz", val="1")),
    "cor do tema": docx(write=with_property("w:color", val="auto", themeColor="background1")),
    "abaixado para fora da folha": docx(write=with_property("w:position", val="-3000")),
    "recuado para fora da folha": docx(write=indented(ORDEM, -1500)),
    "caixa fora da folha": docx(write=in_box(ORDEM, "left:-3000pt;top:10pt;width:100pt;height:20pt")),
    "caixa escondida": docx(write=in_box(ORDEM, "left:10pt;width:100pt;height:20pt;visibility:hidden")),
    "caixa sem altura": docx(write=in_box(ORDEM, "left:10pt;width:100pt;height:0pt")),
    "código de campo": docx(write=computed(f' COMMENTS "{ORDEM}" ')),
    "cabeçalho branco": docx(write=in_white_header),
    "dados ao lado do texto": with_data_beside(ORDEM),
}
HONEST_DOCX: Mapping[str, bytes] = {
    "branco em célula azul": docx(write=in_cell("Cronograma de execução", "FFFFFF", "1F3864")),
    "caixa à vista": docx(write=in_box("Quadro com o resumo do orçamento", "left:50pt;top:50pt;width:200pt;height:80pt")),
    "número de página": docx(write=computed(r" PAGE  \* MERGEFORMAT ")),
    "soma": docx(write=computed(r' =SUM(ABOVE) \# "#.##0,00" ')),
    "cinza": docx(write=run_with("Versão de trabalho do coletivo", lambda run: setattr(run.font.color, "rgb", RGBColor(150, 150, 150)))),
    "seis pontos": docx(write=run_with("Impresso pela gráfica do bairro", lambda run: setattr(run.font, "size", Pt(6)))),
    "recuado": docx(write=indented("Citação recuada da mestra do reisado", -20)),
    "sobrescrito": docx(write=run_with("o", lambda run: run._r.get_or_add_rPr().append(element("w:position", val="12")))),
    "dados ao lado do texto": with_data_beside("Fontes consultadas na pesquisa"),
}


def signs(name: str, content: bytes) -> list[str]:
    lido = ProjetoLido(Projeto("P1", "Cine na Praça", Proponente("Ana")), (read_document(name, content),))
    return [sign.tipo for sign in find_texto_oculto([lido])]


@pytest.mark.parametrize("way", HIDING_PDF)
def test_text_hidden_in_a_pdf_is_a_sign(way: str) -> None:
    assert signs("p.pdf", HIDING_PDF[way]) == ["texto_oculto"]


@pytest.mark.parametrize("way", HIDING_DOCX)
def test_text_hidden_in_a_docx_is_a_sign(way: str) -> None:
    assert signs("p.docx", HIDING_DOCX[way]) == ["texto_oculto"]


@pytest.mark.parametrize("use", HONEST_PDF)
def test_an_honest_use_in_a_pdf_is_none(use: str) -> None:
    assert signs("p.pdf", HONEST_PDF[use]) == []


@pytest.mark.parametrize("use", HONEST_DOCX)
def test_an_honest_use_in_a_docx_is_none(use: str) -> None:
    assert signs("p.docx", HONEST_DOCX[use]) == []
