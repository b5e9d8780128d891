"""How a beneficiary's link is refused."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Final

from crivo.autorizacoes.links.contracts import SituacaoDoLink
from crivo.kernel.errors import CrivoError, Kind


class LinkNotFound(CrivoError):
    """There is no such link."""

    codigo: ClassVar[str] = "link_nao_encontrado"
    kind: ClassVar[Kind] = Kind.ABSENT
    titulo: ClassVar[str] = "Este link não abre mais"

    def __init__(self) -> None:
        super().__init__(
            "O endereço pode estar incompleto: confira se você o copiou inteiro. "
            "Se ele estiver certo, peça um link novo a quem fez o pedido por você: a clínica, o hospital ou o seu plano."
        )


class LinkJaFeito(CrivoError):
    """Another link was made since whoever asks for one looked: the same form was sent again, or somebody was quicker."""

    codigo: ClassVar[str] = "link_ja_feito"
    kind: ClassVar[Kind] = Kind.CONFLICT
    titulo: ClassVar[str] = "O link já foi feito"


class LinkFechado(CrivoError):
    """The link was there and opens no more, which whoever has it is told with the reason: nobody finds one by trying."""

    codigo: ClassVar[str] = "link_fechado"
    kind: ClassVar[Kind] = Kind.GONE
    titulo: ClassVar[str] = "Este link não abre mais"

    def __init__(self, situacao: SituacaoDoLink) -> None:
        super().__init__(f"{_PORQUE[situacao]} Peça um link novo a quem fez o pedido por você: a clínica, o hospital ou o seu plano.")
        self.situacao = situacao


_PORQUE: Final[Mapping[SituacaoDoLink, str]] = {
    "em_uso": "",
    "vencido": "O prazo dele passou: um link abre por 30 dias.",
    "bloqueado": "Ele foi fechado porque o código foi digitado errado cinco vezes. A resposta continua guardada.",
    "revogado": "Quem o enviou o cancelou, ou fez outro depois. Se você recebeu um link mais novo, use aquele.",
}


class CodigoIncompleto(CrivoError):
    """What was typed is no six digits: no try is lost by it."""

    codigo: ClassVar[str] = "codigo_incompleto"
    kind: ClassVar[Kind] = Kind.INVALID
    titulo: ClassVar[str] = "O código tem seis algarismos"

    def __init__(self) -> None:
        super().__init__("Digite os seis algarismos, de 0 a 9, que você recebeu. Nenhuma tentativa foi gasta.", campo="codigo")


class CodigoErrado(CrivoError):
    """The code is not that of the link; `restam` is how many tries are left."""

    codigo: ClassVar[str] = "codigo_errado"
    kind: ClassVar[Kind] = Kind.INVALID
    titulo: ClassVar[str] = "O código não confere"

    def __init__(self, restam: int) -> None:
        tries = "Resta 1 tentativa." if restam == 1 else f"Restam {restam} tentativas."
        super().__init__(f"Confira os seis algarismos que você recebeu. {tries}", campo="codigo")
        self.restam = restam
