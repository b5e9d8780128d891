"""What a `Leitor` and the process that reads for it say to each other: MessagePack, each message after its length."""

from __future__ import annotations

import struct
from typing import Final

import msgspec

from crivo.triagem.documentos.limites import Limites

LENGTH: Final = struct.Struct(">Q")  # bytes of the message that follows


class Pedido(msgspec.Struct, frozen=True, gc=False, tag="ler"):
    """A file to read; the answer is a `DocumentoLido`."""

    content: bytes
    limites: Limites


class PedidoDeDesenho(msgspec.Struct, frozen=True, gc=False, tag="desenhar"):
    """A page, from 1, to draw so many pixels wide; the answer is a `Desenho`."""

    content: bytes
    limites: Limites
    pagina: int
    largura: int


class PedidoDeDisposicao(msgspec.Struct, frozen=True, gc=False, tag="dispor"):
    """A page, from 1, whose letters are to be placed, with what it hides where `ocultos`; the answer is a `Disposicao`."""

    content: bytes
    limites: Limites
    pagina: int
    ocultos: bool


Mensagem = Pedido | PedidoDeDesenho | PedidoDeDisposicao
