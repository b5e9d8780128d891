"""A file read in this very process; `leitor.Leitor` is what gives each one a process of its own. Source: design, Habilitação."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from typing import Final

from crivo.triagem.documentos.conteudo import Conteudo, DocumentoIlegivel, unread
from crivo.triagem.documentos.docx import read_docx
from crivo.triagem.documentos.imagem import read_imagem
from crivo.triagem.documentos.lido import DocumentoLido, Leitura
from crivo.triagem.documentos.limites import PADRAO, Limites
from crivo.triagem.documentos.odt import read_odt
from crivo.triagem.documentos.pdf import read_pdf
from crivo.triagem.documentos.planilha import read_planilha
from crivo.triagem.documentos.texto_puro import read_texto_puro
from crivo.triagem.documentos.tipo import recognise
from crivo.triagem.edital import Formato

_READERS: Final[Mapping[Formato, Callable[[bytes, Limites], Conteudo]]] = {
    "pdf": read_pdf,
    "docx": read_docx,
    "odt": read_odt,
    "xlsx": read_planilha,
    "csv": read_texto_puro,
    "txt": read_texto_puro,
    "jpg": read_imagem,
    "png": read_imagem,
    "tiff": read_imagem,
}


def read_document(arquivo: str, content: bytes, limites: Limites = PADRAO) -> DocumentoLido:
    """What `content` says, by its own format; `arquivo` is a label and no path. Never raises for what a file holds."""
    if len(content) > limites.max_bytes:
        return unread(arquivo, content, "grande_demais")
    if not content.strip(b"\x00\t\n\r "):
        return unread(arquivo, content, "vazio")
    formato: Formato | None = None
    try:
        formato = recognise(content, limites)
        if formato is None:
            return unread(arquivo, content, "desconhecido")
        lido = _READERS[formato](content, limites)
    except DocumentoIlegivel as error:
        return unread(arquivo, content, error.leitura, formato)
    except MemoryError:
        return unread(arquivo, content, "grande_demais", formato)
    return DocumentoLido(
        arquivo=arquivo,
        sha256=hashlib.sha256(content).hexdigest(),
        tamanho_bytes=len(content),
        formato=formato,
        leitura=_how(lido),
        paginas=lido.paginas,
        ocultos=lido.ocultos,
        total_paginas=lido.total_paginas,
        quer_ocr=lido.quer_ocr,
    )


def _how(lido: Conteudo) -> Leitura:
    return "lido" if any(pagina.texto for pagina in lido.paginas) else lido.leitura
