"""What a `Leitor` and the process that reads for it say to each other: MessagePack, each message after its length."""

from __future__ import annotations

import struct
from typing import Final

import msgspec

from crivo.triagem.documentos.limites import Limites

LENGTH: Final = struct.Struct(">Q")  # bytes of the message that follows


class Pedido(msgspec.Struct, frozen=True, gc=False):
    """A file to read; the answer is a `DocumentoLido`."""

    content: bytes
    limites: Limites
