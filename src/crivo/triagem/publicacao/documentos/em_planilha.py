"""A result as a spreadsheet: what it is and how to check it on one sheet, every row on the other, numbers as numbers.

Every text is written as text, so that nothing in it can be a formula or a link. The same result gives the same bytes.
"""

from __future__ import annotations

import io
import re
from datetime import UTC
from decimal import Decimal
from typing import Any, Final

import xlsxwriter

from crivo.triagem.exportacao.celulas import Celula, Coluna, Tabela
from crivo.triagem.exportacao.para_xlsx import CELULA_MAXIMO
from crivo.triagem.publicacao.documentos.folha import Fatos, Folha, Paragrafo

_OPTIONS: Final = {"constant_memory": True, "strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}
_NOT_XML: Final = re.compile("[^\t\n\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_FORMATS: Final[dict[str, dict[str, Any]]] = {
    "titulo": {"bold": True, "font_size": 16},
    "rotulo": {"bold": True, "valign": "top"},
    "marca": {"bold": True, "font_color": "#8A0F0F", "text_wrap": True, "valign": "top"},
    "cabecalho": {"bold": True, "text_wrap": True, "valign": "top", "font_color": "#FFFFFF", "bg_color": "#071D41", "border": 1},
    "texto": {"valign": "top", "num_format": "@"},
    "longo": {"valign": "top", "text_wrap": True, "num_format": "@"},
    "nota": {"valign": "top", "num_format": "#,##0.00##"},
    "inteiro": {"valign": "top", "num_format": "#,##0"},
}


def write(folha: Folha, tabela: Tabela) -> bytes:
    """The workbook: `Sobre` has the facts of the document and how to check it, the other sheet the rows."""
    out = io.BytesIO()
    with xlsxwriter.Workbook(out, _OPTIONS) as book:
        created = folha.em.astimezone(UTC).replace(tzinfo=None)
        book.set_properties({"title": _fit(folha.titulo)[:255], "company": _fit(folha.orgao)[:255], "created": created})
        formats = {name: book.add_format(style) for name, style in _FORMATS.items()}
        _about(_sheet(book, "Sobre", folha), folha, formats)
        _rows(book, _sheet(book, tabela.titulo, folha), tabela, formats)
    return out.getvalue()


def _about(sheet: Any, folha: Folha, formats: dict[str, Any]) -> None:
    sheet.set_column(0, 0, 34)
    sheet.set_column(1, 1, 90)
    sheet.write_string(0, 0, _fit(folha.titulo), formats["titulo"])
    row = 1
    if folha.marca:
        sheet.write_string(row, 0, folha.marca, formats["marca"])
        row += 1
    for bloco in folha.abertura:
        for nome, dito in bloco.itens if isinstance(bloco, Fatos) else ():
            sheet.write_string(row, 0, _fit(nome), formats["rotulo"])
            sheet.write_string(row, 1, _fit(dito), formats["longo"])
            row += 1
    for secao in folha.secoes[-1:]:
        sheet.write_string(row + 1, 0, _fit(secao.titulo), formats["rotulo"])
        for at, bloco in enumerate(one for one in secao.blocos if isinstance(one, Paragrafo)):
            sheet.write_string(row + 1 + at, 1, _fit(bloco.texto), formats["longo"])


def _rows(book: Any, sheet: Any, tabela: Tabela, formats: dict[str, Any]) -> None:
    # Screen readers look for a name that begins so, to say the heading of each cell.
    book.define_name(f"'{tabela.titulo}'!ColumnTitle", f"='{tabela.titulo}'!$A$1")
    sheet.repeat_rows(0)
    sheet.freeze_panes(1, 1)
    for column, coluna in enumerate(tabela.colunas):
        sheet.set_column(column, column, coluna.largura)
        sheet.write_string(0, column, _fit(coluna.titulo), formats["cabecalho"])
    last = 0
    for last, linha in enumerate(tabela.linhas, start=1):
        for column, (coluna, celula) in enumerate(zip(tabela.colunas, linha, strict=True)):
            _cell(sheet, last, column, coluna, celula, formats)
    sheet.autofilter(0, 0, last, len(tabela.colunas) - 1)


def _cell(sheet: Any, row: int, column: int, coluna: Coluna, celula: Celula, formats: dict[str, Any]) -> None:
    if isinstance(celula, str):
        sheet.write_string(row, column, _fit(celula), formats["longo" if coluna.tipo == "longo" else "texto"])
    elif isinstance(celula, int | Decimal | float):
        sheet.write_number(row, column, float(celula), formats["nota" if coluna.tipo == "nota" else "inteiro"])


def _sheet(book: Any, nome: str, folha: Folha) -> Any:
    sheet = book.add_worksheet(nome)
    sheet.set_landscape()
    sheet.set_paper(9)  # A4
    sheet.fit_to_pages(1, 0)
    if folha.marca:
        sheet.set_header(f"&C&B{folha.marca}")
    sheet.set_footer("&RPágina &P de &N")
    return sheet


def _fit(texto: str) -> str:
    return _NOT_XML.sub("�", texto)[:CELULA_MAXIMO]
