"""How a TISS message is refused, and how its answer is."""

from __future__ import annotations

from typing import ClassVar

from crivo.kernel.errors import CrivoError, Kind


class MensagemIlegivel(CrivoError):
    """Bytes that are no XML that may be read: damaged, of another encoding than they declare, or with a document type."""

    codigo: ClassVar[str] = "tiss_ilegivel"
    kind: ClassVar[Kind] = Kind.MALFORMED
    titulo: ClassVar[str] = "A mensagem TISS não pôde ser lida"


class MensagemRecusada(CrivoError):
    """XML that is no request of TISS 4 that is decided here; each fault is a problem, with its line."""

    codigo: ClassVar[str] = "tiss_recusado"
    kind: ClassVar[Kind] = Kind.INVALID
    titulo: ClassVar[str] = "A mensagem TISS não foi aceita"


class SemGuia(CrivoError):
    """A decision whose pedido did not come as a TISS guia: there is no guia to answer."""

    codigo: ClassVar[str] = "sem_guia_tiss"
    kind: ClassVar[Kind] = Kind.INVALID
    titulo: ClassVar[str] = "Esta decisão não veio de uma guia TISS"

    def __init__(self) -> None:
        super().__init__(
            "A resposta TISS repete o cabeçalho da guia, e este pedido chegou por outro caminho. "
            "Leia a decisão em JSON, ou envie a guia por POST /api/autorizacoes/tiss."
        )
