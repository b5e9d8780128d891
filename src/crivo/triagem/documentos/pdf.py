"""A PDF read page by page: what a person sees of it, and what it holds besides."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np
from msgspec.structs import replace

from crivo.triagem.documentos.camada_ocr import find_layer, is_scan
from crivo.triagem.documentos.conteudo import Conteudo, DocumentoIlegivel
from crivo.triagem.documentos.largura_zero import split_unseen
from crivo.triagem.documentos.lido import Pagina, TrechoOculto
from crivo.triagem.documentos.limites import Limites
from crivo.triagem.documentos.marcacao import read_xmp
from crivo.triagem.documentos.ocr import Leitora
from crivo.triagem.documentos.pdf_ocultos import find_hidden, passages
from crivo.triagem.documentos.pdfium import Note, Pdf, Pixels, Sheet
from crivo.triagem.documentos.pixels import changed, counts
from crivo.triagem.documentos.tesseract import find_tesseract
from crivo.triagem.documentos.texto import clean, from_codes

_OCR_DOTS_PER_INCH: Final = 300
_NOTES_SCALE: Final = 2.0  # pixels a point
_FEW_LETTERS: Final = 100  # of a stamp or a page number on a scan
_MOST_DAMAGED: Final = 20  # pages in a row that cannot be opened, after which the rest is not there


class _Read:
    """A PDF while it is read."""

    def __init__(self, limites: Limites) -> None:
        self._limites = limites
        self.leitora = Leitora(find_tesseract(), limites)
        self.paginas: list[Pagina] = []
        self.ocultos: list[TrechoOculto] = []

    def take(self, sheet: Sheet) -> int:
        """Read a page; how many letters it has."""
        hidden, drawn = find_hidden(sheet)
        in_image = self._read_image(sheet) if hidden.tricks and is_scan(sheet) else None
        layer = find_layer(sheet, hidden, drawn, in_image.texto if in_image is not None and not in_image.nao_lida else None)
        hidden.mask[layer] = False
        seen = from_codes(sheet.letters.codes[~hidden.mask].tolist())
        notes = list(_seen_notes(sheet))
        texto = clean("\n".join((seen, *(note.text for note, visible in notes if visible))))
        texto, unseen = split_unseen(texto)
        pagina = Pagina(sheet.number, texto, bool(texto) and bool(layer.any()))
        if len(texto) < _FEW_LETTERS and (is_scan(sheet) or (not texto and not _is_blank(drawn.whole))):
            in_image = in_image or self._read_image(sheet)
            pagina = in_image if in_image.texto else replace(pagina, por_ocr=False, nao_lida=in_image.nao_lida)
        self.paginas.append(pagina)
        self.ocultos += (TrechoOculto(clean(text), trick, sheet.number) for trick, text in passages(sheet, hidden))
        self.ocultos += (TrechoOculto(text, "largura_zero", sheet.number) for text in unseen)
        self.ocultos += (TrechoOculto(clean(note.text), "metadado", sheet.number) for note, visible in notes if not visible)
        return len(sheet.letters.codes)

    def _read_image(self, sheet: Sheet) -> Pagina:
        return self.leitora.pagina(sheet.number, lambda: sheet.picture(_OCR_DOTS_PER_INCH))


def read_pdf(content: bytes, limites: Limites) -> Conteudo:
    """The pages of a PDF, up to the limits. Raises DocumentoIlegivel."""
    read = _Read(limites)
    with Pdf(content, limites.max_pixels) as pdf:
        found, damaged, letters = 0, 0, 0
        for number in range(1, min(pdf.claimed_pages, limites.max_paginas) + 1):
            sheet = pdf.sheet(number)
            if sheet is None:
                damaged += 1
                if damaged == _MOST_DAMAGED:
                    break
                continue
            found, damaged = number, 0
            letters += read.take(sheet)
            if letters > limites.max_letras:
                break
        if not found:
            raise DocumentoIlegivel("corrompido")
        total = found if damaged else pdf.claimed_pages
        about = (*pdf.metadata(), *read_xmp(content[: limites.max_bytes]))
    ocultos = (*read.ocultos, *(TrechoOculto(clean(text), "metadado") for text in dict.fromkeys(about)))
    told = tuple(hidden for hidden in ocultos if hidden.texto)
    return Conteudo(tuple(read.paginas), told, total, read.leitora.leitura, read.leitora.faltou)


def _is_blank(pixels: Pixels) -> bool:
    colors = pixels[..., :3]
    return bool((colors == colors[0, 0]).all())


def _seen_notes(sheet: Sheet) -> Iterator[tuple[Note, bool]]:
    """Annotations and fields, each with whether its words can be seen on the page."""
    notes = list(sheet.notes())
    drawn = [note for note in notes if note.drawn]
    if drawn:
        scale = sheet.scale(_NOTES_SCALE)
        paint = changed(sheet.draw(scale), sheet.draw(scale, notes=True))
        painted = counts(paint, np.array([note.box for note in drawn]) * scale) > 0
        yield from zip(drawn, painted.tolist(), strict=True)
    yield from ((note, False) for note in notes if not note.drawn)
