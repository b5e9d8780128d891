"""How a beneficiary's link is refused."""

from __future__ import annotations

from typing import ClassVar

from crivo.kernel.errors import CrivoError, Kind


class LinkNotFound(CrivoError):
    """There is no such link, or it opens no more: which of both is told to nobody."""

    codigo: ClassVar[str] = "link_nao_encontrado"
    kind: ClassVar[Kind] = Kind.ABSENT
    titulo: ClassVar[str] = "Este link não abre mais"

    def __init__(self) -> None:
        super().__init__(
            "O endereço pode estar incompleto, o prazo dele pode ter passado, ou foi feito outro depois. "
            "Peça um link novo a quem fez o pedido por você: a clínica, o hospital ou o seu plano."
        )


class CodigoErrado(CrivoError):
    """The code is not that of the link; `restam` is how many tries are left."""

    codigo: ClassVar[str] = "codigo_errado"
    kind: ClassVar[Kind] = Kind.INVALID
    titulo: ClassVar[str] = "O código não confere"

    def __init__(self, restam: int) -> None:
        tries = "Resta 1 tentativa." if restam == 1 else f"Restam {restam} tentativas."
        super().__init__(f"Confira os seis algarismos que você recebeu. {tries}", campo="codigo")
        self.restam = restam
