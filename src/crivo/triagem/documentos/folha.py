"""A page of a document as it looks: its drawing, and where each of its letters stands."""

from __future__ import annotations

from typing import Final, Literal

from crivo.triagem.documentos.lido import Leitura, TruqueOculto
from crivo.triagem.edital import Formato, Value

EstadoDaFolha = (
    Leitura
    | Literal[
        "sem_folha",  # a text or a table, which has no pages of its own
        "sem_pagina",  # the document has no page of that number
    ]
)
COM_FOLHA: Final[frozenset[Formato]] = frozenset({"pdf", "jpg", "png", "tiff"})
PARTES: Final = 65_535  # of a side of the page, in which the place of a letter is told


class Caixa(Value, frozen=True):
    """A rectangle in percent of the page as it is shown: 0 is its left and its top."""

    esquerda: float
    topo: float
    largura: float
    altura: float


class Oculto(Value, frozen=True):
    """A hidden text of a page with its place, a box for each of its lines; with none where it lies off the paper."""

    texto: str
    truque: TruqueOculto
    caixas: tuple[Caixa, ...] = ()


class Desenho(Value, frozen=True):
    """A page as a PNG, which is empty where `estado` is not `lido`."""

    estado: EstadoDaFolha
    png: bytes = b""


class Disposicao(Value, frozen=True):
    """The letters of a page and where they stand; a page that is an image has none. Sizes in points, or in pixels of an image.

    `lugares`: left, top, right and bottom of each letter of `texto` as four big-endian 16-bit numbers in `PARTES` of the page, all four
    zero for a letter without a place. `escondidas`: a byte for each letter, 1 where nobody sees it.
    """

    estado: EstadoDaFolha
    total: int = 0
    largura: float = 0.0
    altura: float = 0.0
    texto: str = ""
    lugares: bytes = b""
    escondidas: bytes = b""
    ocultos: tuple[Oculto, ...] = ()
