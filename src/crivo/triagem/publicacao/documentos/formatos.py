"""The formats in which a result goes out, each with how it is called, and by what a file of it is known."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from typing import Final, Literal

from crivo.triagem.condicao import Value

FormatoDeSaida = Literal["html", "pdf", "docx", "xlsx", "csv", "json"]


class Formato(Value, frozen=True):
    """A format: what people call it, what it is good for, and what programs call it."""

    codigo: FormatoDeSaida
    nome: str
    para: str
    media_type: str


FORMATOS: Final[Mapping[FormatoDeSaida, Formato]] = {
    one.codigo: one
    for one in (
        Formato("pdf", "PDF", "para guardar e imprimir (PDF/A, acessível)", "application/pdf"),
        Formato("html", "HTML", "uma página só, acessível, que abre sem internet", "text/html; charset=utf-8"),
        Formato(
            "docx",
            "DOCX",
            "para o Diário Oficial",
            "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        ),
        Formato("xlsx", "Planilha", "para filtrar e somar", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
        Formato("csv", "CSV", "dados abertos", "text/csv; charset=utf-8"),
        Formato("json", "JSON", "o conteúdo exato de que o resumo é feito", "application/json"),
    )
}


def recognise(content: bytes) -> FormatoDeSaida | None:
    """Of which format a file seems to be, by how it begins; None where it is none of ours."""
    head = content[:512].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if head.startswith(b"%pdf-"):
        return "pdf"
    if head.startswith(b"pk\x03\x04"):
        return _zipped(content)
    if head.startswith(b"<!doctype html"):
        return "html"
    if head.startswith(b"{"):
        return "json"
    return "csv" if head.startswith(b"projeto_id;") else None


def _zipped(content: bytes) -> FormatoDeSaida | None:
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            names = set(archive.namelist())
    except (zipfile.BadZipFile, ValueError, NotImplementedError, UnicodeDecodeError):
        return None
    return "docx" if "word/document.xml" in names else "xlsx" if "xl/workbook.xml" in names else None
