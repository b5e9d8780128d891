"""A document as DOCX, for those who lay out an official gazette: real styles, tables whose headings are repeated on each page.

The same document gives the same bytes: dates inside are its own, and the parts of the package carry none of today.
"""

from __future__ import annotations

import io
import re
import zipfile
from datetime import UTC
from typing import Any, Final, assert_never

from docx import Document
from docx.document import Document as Documento
from docx.enum.section import WD_ORIENT
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.shared import Cm, Pt, RGBColor

from crivo.triagem.publicacao.documentos.folha import Fatos, Folha, Paragrafo, Tabela

_ZIP_DATE: Final = (1980, 1, 1, 0, 0, 0)
_NOT_XML: Final = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_BLUE: Final = RGBColor(0x0C, 0x32, 0x6F)
_PROPERTY_CHARS: Final = 255  # of a property of a DOCX
_LITERAL: Final = "Literal"
_PLAIN: Final = "Texto da tabela"
_TITLE: Final = "Title"


def write(folha: Folha) -> bytes:
    """The file. Characters that no XML can hold are shown as `�`."""
    document = Document()
    _prepare(document, folha)
    if folha.orgao:
        document.add_paragraph(_clean(folha.orgao))
    document.add_paragraph(_clean(folha.titulo), style=_TITLE)
    for bloco in folha.abertura:
        _add(document, bloco)
    for secao in folha.secoes:
        document.add_heading(_clean(secao.titulo), level=secao.nivel - 1)
        for bloco in secao.blocos:
            _add(document, bloco)
    out = io.BytesIO()
    document.save(out)
    return _undated(out)


def _prepare(document: Documento, folha: Folha) -> None:
    em = folha.em.astimezone(UTC).replace(tzinfo=None)
    core = document.core_properties
    core.title, core.author, core.subject = (_clean(one)[:_PROPERTY_CHARS] for one in (folha.titulo, folha.orgao, folha.assunto))
    core.created = core.modified = em
    core.language, core.last_modified_by, core.comments, core.revision = "pt-BR", "", "", 1
    styles = document.styles
    for name, size in ((_TITLE, 18), ("Heading 1", 13), ("Heading 2", 11)):
        styles[name].font.size, styles[name].font.color.rgb = Pt(size), _BLUE
    styles["Normal"].font.size = Pt(10)
    _speak_portuguese(styles["Normal"])
    for name, size in ((_PLAIN, 8), (_LITERAL, 8)):
        made = styles.add_style(name, 1)
        made.base_style, made.font.size = styles["Normal"], Pt(size)
        made.paragraph_format.space_after = Pt(0 if name == _PLAIN else 6)
    styles[_LITERAL].font.name = "Courier New"
    section = document.sections[0]
    wide, high = (Cm(29.7), Cm(21)) if folha.deitada else (Cm(21), Cm(29.7))
    section.orientation = WD_ORIENT.LANDSCAPE if folha.deitada else WD_ORIENT.PORTRAIT
    section.page_width, section.page_height = wide, high
    section.left_margin = section.right_margin = Cm(1.6)
    section.top_margin = section.bottom_margin = Cm(1.8)
    if folha.marca:
        head = section.header.paragraphs[0]
        head.text, head.alignment = _clean(folha.marca), 1
        head.runs[0].font.bold, head.runs[0].font.color.rgb = True, RGBColor(0x8A, 0x0F, 0x0F)
    foot = section.footer.paragraphs[0]
    foot.style = _PLAIN
    foot.add_run(f"{_clean(folha.pe)} · Página ")
    _field(foot, "PAGE")
    foot.add_run(" de ")
    _field(foot, "NUMPAGES")


def _add(document: Documento, bloco: Tabela | Fatos | Paragrafo) -> None:
    match bloco:
        case Paragrafo():
            style = {"aviso": "Intense Quote", "literal": _LITERAL, "corrido": "Normal"}[bloco.estilo]
            document.add_paragraph(_clean(bloco.texto), style=style)
        case Fatos():
            for nome, dito in bloco.itens:
                line = document.add_paragraph()
                line.paragraph_format.space_after = Pt(2)
                line.add_run(f"{_clean(nome)}: ").bold = True
                line.add_run(_clean(dito))
        case Tabela() if not bloco.linhas:
            document.add_paragraph(_clean(bloco.vazia))
        case Tabela():
            document.add_paragraph(_clean(bloco.titulo), style="Caption").paragraph_format.keep_with_next = True
            _table(document, bloco)
        case _:
            assert_never(bloco)


def _table(document: Documento, bloco: Tabela) -> None:
    """Element by element: the library's own way looks at every cell again for each new one."""
    section = document.sections[0]
    room = (section.page_width or 0) - (section.left_margin or 0) - (section.right_margin or 0)
    shares = sum(one.largura for one in bloco.colunas)
    widths = [str(round(room * one.largura / shares / 635)) for one in bloco.colunas]  # in twentieths of a point
    made = document.add_table(0, len(bloco.colunas))
    made.style, made.autofit = "Table Grid", False
    table = made._tbl  # noqa: SLF001 - the element under it; the library offers no other way to it
    table.tblPr.append(_element("w:tblCaption", val=_clean(bloco.titulo)[:_PROPERTY_CHARS]))
    for column, width in zip(table.tblGrid.iterchildren(), widths, strict=True):
        column.set(qn("w:w"), width)
    right = [one.numero for one in bloco.colunas]
    plain = document.styles[_PLAIN].style_id
    heads = tuple([one.titulo for one in bloco.colunas])
    table.append(_row(heads, widths, right, plain, head=True))
    for linha in bloco.linhas:
        table.append(_row(linha, widths, right, plain, head=False))
    document.add_paragraph()


def _row(cells: tuple[str, ...], widths: list[str], right: list[bool], style: str, *, head: bool) -> Any:
    row = OxmlElement("w:tr")
    properties = _under(row, "w:trPr")
    properties.append(_element("w:cantSplit"))
    if head:
        properties.append(_element("w:tblHeader"))
    for cell, width, at_right in zip(cells, widths, right, strict=True):
        inside = _under(row, "w:tc")
        about = _under(inside, "w:tcPr")
        about.append(_element("w:tcW", w=width, type="dxa"))
        if head:
            about.append(_element("w:shd", val="clear", color="auto", fill="E7EDF7"))
        paragraph = _under(inside, "w:p")
        of_paragraph = _under(paragraph, "w:pPr")
        of_paragraph.append(_element("w:pStyle", val=style))
        if at_right:
            of_paragraph.append(_element("w:jc", val="right"))
        run = _under(paragraph, "w:r")
        if head:
            _under(run, "w:rPr").append(_element("w:b"))
        text = _under(run, "w:t")
        text.set("{http://www.w3.org/XML/1998/namespace}space", "preserve")
        text.text = _clean(cell)
    return row


def _under(parent: Any, tag: str) -> Any:
    made = OxmlElement(tag)
    parent.append(made)
    return made


def _element(tag: str, **values: str) -> Any:
    made = OxmlElement(tag)
    for name, value in values.items():
        made.set(qn(f"w:{name}"), value)
    return made


def _field(paragraph: Any, instruction: str) -> None:
    field = _element("w:fldSimple", instr=instruction)
    _under(_under(field, "w:r"), "w:t").text = "1"
    paragraph._p.append(field)  # noqa: SLF001 - as above


def _speak_portuguese(style: Any) -> None:
    properties = style.element.get_or_add_rPr()
    for one in properties.findall(qn("w:lang")):
        properties.remove(one)
    properties.append(_element("w:lang", val="pt-BR"))


def _clean(text: str) -> str:
    return _NOT_XML.sub("�", text)


def _undated(made: io.BytesIO) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(made) as source, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as target:
        for one in source.infolist():
            entry = zipfile.ZipInfo(one.filename, _ZIP_DATE)
            entry.compress_type, entry.create_system, entry.external_attr = zipfile.ZIP_DEFLATED, 0, 0
            target.writestr(entry, source.read(one))
    return out.getvalue()
