"""A page of a file drawn in this very process, as whoever opens the file would see it; only that page is looked at."""

from __future__ import annotations

from crivo.triagem.documentos.conteudo import DocumentoIlegivel
from crivo.triagem.documentos.folha import COM_FOLHA, Desenho
from crivo.triagem.documentos.imagem import as_png, draw_imagem
from crivo.triagem.documentos.limites import Limites
from crivo.triagem.documentos.pdfium import Pdf
from crivo.triagem.documentos.tipo import recognise


def draw_page(content: bytes, pagina: int, largura: int, limites: Limites) -> Desenho:
    """Page `pagina`, from 1, as a PNG `largura` pixels wide or fewer; why not, where it cannot be. Never raises for what a file holds."""
    if not content.strip(b"\x00\t\n\r "):
        return Desenho("vazio")
    try:
        formato = recognise(content, limites)
        if formato not in COM_FOLHA:
            return Desenho("desconhecido" if formato is None else "sem_folha")
        png = _pdf(content, pagina, largura, limites) if formato == "pdf" else draw_imagem(content, pagina, largura, limites)
    except DocumentoIlegivel as error:
        return Desenho(error.leitura)
    except MemoryError:
        return Desenho("grande_demais")
    return Desenho("sem_pagina") if png is None else Desenho("lido", png)


def _pdf(content: bytes, pagina: int, largura: int, limites: Limites) -> bytes | None:
    with Pdf(content, limites.max_pixels) as pdf:
        if not 1 <= pagina <= pdf.claimed_pages:
            return None
        pixels = pdf.drawn(pagina, largura)
    if pixels is None:
        raise DocumentoIlegivel("corrompido")
    return as_png(pixels)
