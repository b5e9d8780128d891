"""How what is asked of deliveries is refused."""

from __future__ import annotations

from typing import ClassVar

from crivo.kernel.errors import CrivoError, Kind


class DestinoNotFound(CrivoError):
    """No destination of that id in this tenant, or it was removed."""

    codigo: ClassVar[str] = "destino_nao_encontrado"
    kind: ClassVar[Kind] = Kind.ABSENT
    titulo: ClassVar[str] = "Destino não encontrado"


class DestinoInvalido(CrivoError):
    """A destination that decisions cannot be sent to as it is written."""

    codigo: ClassVar[str] = "destino_invalido"
    kind: ClassVar[Kind] = Kind.INVALID
    titulo: ClassVar[str] = "Não é possível entregar neste destino"


class DestinoNoutraSituacao(CrivoError):
    """What was asked cannot be done to a destination, or a delivery, as it is now."""

    codigo: ClassVar[str] = "destino_noutra_situacao"
    kind: ClassVar[Kind] = Kind.CONFLICT
    titulo: ClassVar[str] = "O destino já não está assim"


class DestinosDemais(CrivoError):
    """The organisation has as many destinations as one may."""

    codigo: ClassVar[str] = "destinos_demais"
    kind: ClassVar[Kind] = Kind.CONFLICT
    titulo: ClassVar[str] = "Já há muitos destinos"


class EntregaNotFound(CrivoError):
    """No delivery of that id to that destination."""

    codigo: ClassVar[str] = "entrega_nao_encontrada"
    kind: ClassVar[Kind] = Kind.ABSENT
    titulo: ClassVar[str] = "Entrega não encontrada"
