"""What a reader of one format hands back, and how it says that a file cannot be read."""

from __future__ import annotations

import hashlib
from typing import ClassVar

from crivo.kernel.errors import CrivoError, Kind
from crivo.triagem.documentos.lido import DocumentoLido, Leitura, Pagina, TrechoOculto
from crivo.triagem.edital import Formato, Value


class Conteudo(Value, frozen=True):
    """The pages of a file and what it hides; `leitura`: why nothing of it was read, where it opened and nothing was.

    `quer_ocr`: it has an image that nothing here can read.
    """

    paginas: tuple[Pagina, ...] = ()
    ocultos: tuple[TrechoOculto, ...] = ()
    total_paginas: int = 0
    leitura: Leitura = "vazio"
    quer_ocr: bool = False


class DocumentoIlegivel(CrivoError):
    """A file that cannot be read; `leitura` says why, as a `DocumentoLido` does."""

    codigo: ClassVar[str] = "documento_ilegivel"
    kind: ClassVar[Kind] = Kind.INVALID
    titulo: ClassVar[str] = "O documento não pôde ser lido"

    def __init__(self, leitura: Leitura) -> None:
        super().__init__("O documento não pôde ser lido. Confira o arquivo e envie de novo.")
        self.leitura = leitura


def unread(arquivo: str, content: bytes, leitura: Leitura, formato: Formato | None = None) -> DocumentoLido:
    """A file of which nothing was read, and why."""
    return DocumentoLido(arquivo, hashlib.sha256(content).hexdigest(), len(content), formato, leitura)
