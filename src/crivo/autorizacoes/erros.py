"""How a use case of decisions is refused."""

from __future__ import annotations

from typing import ClassVar

from crivo.kernel.errors import CrivoError, Kind


class AutorizacaoNotFound(CrivoError):
    """No decision of that id in this tenant."""

    codigo: ClassVar[str] = "autorizacao_nao_encontrada"
    kind: ClassVar[Kind] = Kind.ABSENT
    titulo: ClassVar[str] = "Autorização não encontrada"


class ChaveReutilizada(CrivoError):
    """An idempotency key came back with another body."""

    codigo: ClassVar[str] = "chave_de_idempotencia_reutilizada"
    kind: ClassVar[Kind] = Kind.INVALID
    titulo: ClassVar[str] = "A chave de idempotência já foi usada com outro pedido"


class ChaveInvalida(CrivoError):
    """An idempotency key that cannot be kept."""

    codigo: ClassVar[str] = "chave_de_idempotencia_invalida"
    kind: ClassVar[Kind] = Kind.INVALID
    titulo: ClassVar[str] = "A chave de idempotência não serve"
