"""Where the letters of a page stand, and those that nobody sees, read in this very process."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray

from crivo.triagem.documentos.camada_ocr import find_layer
from crivo.triagem.documentos.conteudo import DocumentoIlegivel
from crivo.triagem.documentos.folha import COM_FOLHA, PARTES, Disposicao, Oculto
from crivo.triagem.documentos.imagem import size_imagem
from crivo.triagem.documentos.lido import TruqueOculto
from crivo.triagem.documentos.limites import Limites
from crivo.triagem.documentos.linhas import lines_of
from crivo.triagem.documentos.pdf_ocultos import Hidden, find_hidden
from crivo.triagem.documentos.pdfium import Pdf, Sheet
from crivo.triagem.documentos.texto import clean, from_codes
from crivo.triagem.documentos.tipo import recognise

_MOST_LETTERS: Final = 60_000  # of one page, beyond which nothing is boxed


def lay_out(content: bytes, pagina: int, limites: Limites, *, ocultos: bool) -> Disposicao:
    """The letters of page `pagina`, from 1, with what it hides where `ocultos`. Never raises for what a file holds."""
    if not content.strip(b"\x00\t\n\r "):
        return Disposicao("vazio")
    try:
        formato = recognise(content, limites)
        if formato not in COM_FOLHA:
            return Disposicao("desconhecido" if formato is None else "sem_folha")
        if formato == "pdf":
            return _pdf(content, pagina, limites, ocultos=ocultos)
        size = size_imagem(content, pagina, limites)
    except DocumentoIlegivel as error:
        return Disposicao(error.leitura)
    except MemoryError:
        return Disposicao("grande_demais")
    return Disposicao("sem_pagina") if size is None else Disposicao("lido", *size)


def _pdf(content: bytes, pagina: int, limites: Limites, *, ocultos: bool) -> Disposicao:
    with Pdf(content, limites.max_pixels) as pdf:
        total = pdf.claimed_pages
        if not 1 <= pagina <= total:
            return Disposicao("sem_pagina", total)
        sheet = pdf.sheet(pagina)
        if sheet is None:
            return Disposicao("corrompido", total)
        width, height = sheet.size
        codes = sheet.letters.codes
        if len(codes) > _MOST_LETTERS:
            return Disposicao("lido", total, width, height)
        hidden = _hidden(sheet) if ocultos else Hidden(np.zeros(len(codes), np.bool_), {})
        boxes = _shares(sheet)
        # A letter of a pair of halves is told by the second of them.
        kept = np.flatnonzero((codes < 0xD800) | (codes > 0xDBFF))
        texto = "".join([_letter(codes, index) for index in kept.tolist()])
        return Disposicao(
            "lido",
            total,
            width,
            height,
            texto,
            boxes[kept].astype(">u2").tobytes(),
            hidden.mask[kept].astype(np.uint8).tobytes(),
            tuple([_told(sheet, own, truque) for truque, own in _passages(sheet, hidden)]),
        )


def _letter(codes: NDArray[np.int32], index: int) -> str:
    code = int(codes[index])
    if 0xDC00 <= code <= 0xDFFF:
        return from_codes((int(codes[index - 1]), code))[-1:] or " " if index else " "
    return chr(code)


def _hidden(sheet: Sheet) -> Hidden:
    """What the page hides, without the layer that a scanner's software laid over its image."""
    hidden, drawn = find_hidden(sheet)
    hidden.mask[find_layer(sheet, hidden, drawn, None)] = False
    return hidden


def _shares(sheet: Sheet) -> NDArray[np.float64]:
    """The boxes of the letters in parts of the page, cut where it ends; of a letter that is off it, or made up, all zero."""
    width, height = sheet.size
    boxes = sheet.letters.boxes / np.array([width, height, width, height]) * PARTES
    boxes = boxes.round().clip(0, PARTES)
    boxes[(boxes[:, 2] <= boxes[:, 0]) & (boxes[:, 3] <= boxes[:, 1])] = 0
    return np.asarray(boxes, np.float64)


def _passages(sheet: Sheet, hidden: Hidden) -> Iterator[tuple[TruqueOculto, NDArray[np.int64]]]:
    """The letters of each stretch that one trick hides, with the made-up blanks between them; what is seen in between ends a stretch."""
    objects = sheet.letters.objects
    trick: TruqueOculto | None = None
    run: list[int] = []
    for index in range(len(objects)) if hidden.mask.any() else ():
        if objects[index] == -1:
            run += [index] if run else []
            continue
        now = hidden.tricks.get(int(objects[index])) if hidden.mask[index] else None
        if now != trick and trick is not None and run:
            yield trick, np.array(run)
            run = []
        trick = now
        run += [index] if now is not None else []
    if trick is not None and run:
        yield trick, np.array(run)


def _told(sheet: Sheet, own: NDArray[np.int64], truque: TruqueOculto) -> Oculto:
    width, height = sheet.size
    boxes = sheet.letters.boxes[own].clip(0, [width, height, width, height])
    inside = (boxes[:, 2] > boxes[:, 0]) & (boxes[:, 3] > boxes[:, 1])
    return Oculto(clean(from_codes(sheet.letters.codes[own].tolist())), truque, lines_of(boxes[inside], sheet.size))
