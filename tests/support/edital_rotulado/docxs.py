"""DOCX papers in several layouts, and spreadsheets."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Any

from docx import Document
from docx.shared import Cm
from openpyxl import Workbook

from edital_rotulado.pdfs import photograph
from edital_rotulado.pdfs import render as render_pdf

Itens = Sequence[tuple[str, int, Decimal]]


def render(layout: str, linhas: list[str], mark: Callable[[Any], None] | None = None) -> bytes:
    """The bytes of a DOCX: `docx`, `docx_carta` (with header and footer), `docx_tabela`, `docx_fotos`; `mark` writes more into it."""
    document = Document()
    if layout == "docx_carta":
        document.sections[0].header.paragraphs[0].text = "Documento em papel timbrado"
        document.sections[0].footer.paragraphs[0].text = "Via única"
    if layout == "docx_tabela":
        _as_table(document, linhas)
    else:
        document.add_heading(linhas[0], level=1)
        for index, linha in enumerate(linhas[1:]):
            document.add_paragraph(linha)
            if layout == "docx_fotos" and index < 2:
                document.add_picture(_png(index + 2), width=Cm(7))
    if mark is not None:
        mark(document)
    return _saved(document)


def budget_xlsx(itens: Itens, titulo: str) -> bytes:
    """A budget as a workbook, with a sum that is a formula."""
    book = Workbook()
    sheet = book.active
    sheet.title = "Orçamento"
    sheet.append(["Planilha orçamentária", titulo])
    sheet.append(["Item", "Quantidade", "Valor unitário", "Valor total"])
    for descricao, quantidade, valor in itens:
        sheet.append([descricao, quantidade, float(valor), float(valor * quantidade)])
    sheet.append(["Total geral", None, None, float(sum(valor * quantidade for _, quantidade, valor in itens))])
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def budget_docx(itens: Itens, titulo: str) -> bytes:
    """A budget as a table in a text."""
    document = Document()
    document.add_heading("Orçamento detalhado", level=2)
    document.add_paragraph(titulo)
    table = document.add_table(rows=1, cols=4)
    for cell, text in zip(table.rows[0].cells, ("Rubrica", "Qtd.", "Preço unit. (R$)", "Subtotal (R$)"), strict=True):
        cell.text = text
    for descricao, quantidade, valor in itens:
        for cell, text in zip(table.add_row().cells, (descricao, str(quantidade), _reais(valor), _reais(valor * quantidade)), strict=True):
            cell.text = text
    return _saved(document)


def budget_pdf(itens: Itens, titulo: str) -> bytes:
    """A budget as a printed table."""
    linhas = ["ORÇAMENTO DO PROJETO", titulo, "Descrição da despesa|Quant. x valor unitário = total"]
    linhas += [f"{descricao}|{quantidade} x R$ {_reais(valor)} = R$ {_reais(valor * quantidade)}" for descricao, quantidade, valor in itens]
    return render_pdf("tabela", [*linhas, f"TOTAL|R$ {_reais(sum((v * q for _, q, v in itens), Decimal(0)))}"])


def _as_table(document: Any, linhas: list[str]) -> None:
    document.add_heading(linhas[0], level=1)
    table = document.add_table(rows=0, cols=2)
    table.style = "Table Grid"
    for linha in linhas[1:]:
        for cell, text in zip(table.add_row().cells, linha.split("|"), strict=True):
            cell.text = text


def _png(seed: int) -> io.BytesIO:
    out = io.BytesIO()
    photograph(seed).save(out, "PNG")
    out.seek(0)
    return out


def _reais(valor: Decimal) -> str:
    return f"{valor:,.2f}".translate(str.maketrans(",.", ".,"))


def _saved(document: Any) -> bytes:
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()
