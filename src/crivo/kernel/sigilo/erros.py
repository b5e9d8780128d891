"""What may go wrong between what is sealed and whoever wants to read it."""

from __future__ import annotations

from typing import ClassVar

from crivo.kernel.errors import CrivoError, Kind


class DadosApagados(CrivoError):
    """What was asked for was erased at the person's own request, or when its time was over. Source: LGPD, art. 16 and 18."""

    codigo: ClassVar[str] = "dados_apagados"
    kind: ClassVar[Kind] = Kind.GONE
    titulo: ClassVar[str] = "Dados apagados a pedido"

    def __init__(self) -> None:
        super().__init__(
            "Os dados pessoais deste registro foram apagados, a pedido da pessoa ou por fim do prazo de guarda. "
            "Ficam o número, as datas e o resultado; o documento não volta."
        )


class DadosViolados(CrivoError):
    """What is stored was not sealed by its own key in its own place: somebody wrote over it or moved it."""

    codigo: ClassVar[str] = "dados_violados"
    kind: ClassVar[Kind] = Kind.CONFLICT
    titulo: ClassVar[str] = "O registro foi mexido"

    def __init__(self) -> None:
        super().__init__(
            "O que está guardado neste registro não é o que foi gravado. Rode 'crivo auditoria verificar' e avise quem cuida do banco."
        )


class ChaveMestraErrada(CrivoError):
    """The master key is away, unreadable, or not the one that this database was sealed under."""

    codigo: ClassVar[str] = "chave_mestra_errada"
    kind: ClassVar[Kind] = Kind.MISUSE
    titulo: ClassVar[str] = "A chave mestra não serve"


class ChaveExposta(CrivoError):
    """Others than its owner may read the file of a key."""

    codigo: ClassVar[str] = "chave_exposta"
    kind: ClassVar[Kind] = Kind.MISUSE
    titulo: ClassVar[str] = "Outras contas podem ler uma chave"


class ListaDeApagadosIlegivel(CrivoError):
    """The list of destroyed keys is there, or its folder is not one, and it cannot be read."""

    codigo: ClassVar[str] = "lista_de_apagados_ilegivel"
    kind: ClassVar[Kind] = Kind.MISUSE
    titulo: ClassVar[str] = "A lista do que foi apagado não abre"
