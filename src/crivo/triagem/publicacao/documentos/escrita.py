"""A version, or a draft, in each format. What has no PDF in it is written here; a PDF is made in a process of its own."""

from __future__ import annotations

from datetime import datetime
from typing import Literal, assert_never

from crivo.triagem.publicacao.conteudo import Conteudo, encode
from crivo.triagem.publicacao.documentos import em_docx, em_html, em_planilha
from crivo.triagem.publicacao.documentos.dados import open_data, sheet
from crivo.triagem.publicacao.documentos.resultado import lay_out
from crivo.triagem.publicacao.documentos.selo import Selo


def write(conteudo: Conteudo, selo: Selo | None, em: datetime, formato: Literal["html", "docx", "xlsx", "csv", "json"]) -> bytes:
    """The file. Of a version the same bytes each time; the JSON is the bytes that the digest is of."""
    match formato:
        case "html":
            return em_html.render(lay_out(conteudo, selo, em))
        case "docx":
            return em_docx.write(lay_out(conteudo, selo, em))
        case "xlsx":
            return em_planilha.write(lay_out(conteudo, selo, em), sheet(conteudo))
        case "csv":
            return open_data(conteudo, selo)
        case "json":
            return encode(conteudo)
        case _:
            assert_never(formato)
