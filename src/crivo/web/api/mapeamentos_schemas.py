"""What the API takes and answers of mappings."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Any, Final
from uuid import UUID

import msgspec

from crivo.autorizacoes.contracts import Decisao, DecisaoFinal
from crivo.autorizacoes.mapeamento.efeito import Efeito
from crivo.autorizacoes.mapeamento.guardado import FormatoGuardado, Status
from crivo.autorizacoes.mapeamento.service import Previa
from crivo.web.problems import Fault


class MapeamentoResumo(msgspec.Struct, frozen=True):
    """A mapping without its document; `digest` is the SHA-256 of its canonical document, in hexadecimal."""

    id: UUID
    nome: str
    administradora_id: str
    versao: int
    status: Status
    digest: str
    criado_em: datetime
    publicado_em: datetime | None
    encerrado_em: datetime | None

    @classmethod
    def of(cls, formato: FormatoGuardado) -> MapeamentoResumo:
        """The mapping as it is answered."""
        moments = [when and when.astimezone(UTC) for when in (formato.publicado_em, formato.encerrado_em)]
        return cls(
            formato.id,
            formato.nome,
            formato.administradora_id,
            formato.versao,
            formato.status,
            formato.digest.hex(),
            formato.criado_em.astimezone(UTC),
            *moments,
        )


class ListaMapeamentos(msgspec.Struct, frozen=True):
    """Every mapping."""

    itens: tuple[MapeamentoResumo, ...]


class MapeamentoImportado(msgspec.Struct, frozen=True):
    """An import: the mapping as it now stands, whether anything changed, and what looks odd."""

    mapeamento: MapeamentoResumo
    mudou: bool
    avisos: tuple[Fault, ...]


class MapeamentoCompleto(msgspec.Struct, frozen=True):
    """A mapping with its document."""

    mapeamento: MapeamentoResumo
    documento: msgspec.Raw


class TesteDeMapeamento(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A mapping and a pedido to try it on, each as an object or as the text of its file."""

    mapeamento: str | dict[str, Any]
    pedido: str | dict[str, Any] | list[Any]


class PedidoDaProva(msgspec.Struct, frozen=True):
    """A pedido as it would be read, the path of each of its fields, and what would be decided; null where it cannot be read."""

    normalizado: dict[str, Any]
    origem: dict[str, str]
    decisao: Decisao | None


class SobraDaProva(msgspec.Struct, frozen=True):
    """A value that no field took."""

    caminho: str
    valor: Any


class ProblemaDaProva(msgspec.Struct, frozen=True):
    """What could not be settled, by the path of what was sent."""

    codigo: str
    caminho: str
    mensagem: str


class ProvaDeMapeamento(msgspec.Struct, frozen=True):
    """What a mapping makes of a pedido."""

    pedidos: tuple[PedidoDaProva, ...]
    nao_usados: tuple[SobraDaProva, ...]
    problemas: tuple[ProblemaDaProva, ...]


class MudancaDeMapeamento(msgspec.Struct, frozen=True):
    """A place of the document that says another thing; null where it says nothing."""

    lugar: str
    antes: Any
    depois: Any


class CampoLidoDeOutroJeito(msgspec.Struct, frozen=True):
    """A field, and how many pedidos would have another value in it."""

    campo: str
    pedidos: int


class DecisaoMudada(msgspec.Struct, frozen=True):
    """An outcome that would be another, and of how many pedidos."""

    antes: DecisaoFinal
    depois: DecisaoFinal
    pedidos: int


class EfeitoDeMapeamento(msgspec.Struct, frozen=True):
    """What would have become of the last pedidos that the version in force read, at most 200, by the rules of now.

    `leem` would be read otherwise, `perdem` not at all, `decidem` decided otherwise.
    """

    pedidos: int
    leem: int
    perdem: int
    decidem: int
    campos: tuple[CampoLidoDeOutroJeito, ...]
    decisoes: tuple[DecisaoMudada, ...]

    @classmethod
    def of(cls, efeito: Efeito) -> EfeitoDeMapeamento:
        """The effect as it is answered."""
        return cls(
            efeito.pedidos,
            efeito.leem,
            efeito.perdem,
            efeito.decidem,
            tuple([CampoLidoDeOutroJeito(*one) for one in efeito.campos]),
            tuple([DecisaoMudada(antes, depois, quantos) for (antes, depois), quantos in efeito.decisoes]),
        )


class PreviaMapeamento(msgspec.Struct, frozen=True):
    """What publishing a draft would do; `conflitos` are other published mappings that recognise the same, and stand in its way."""

    mapeamento: MapeamentoResumo
    encerra: MapeamentoResumo | None
    mudancas: tuple[MudancaDeMapeamento, ...]
    conflitos: tuple[str, ...]
    confirmacao: str
    efeito: EfeitoDeMapeamento | None

    @classmethod
    def of(cls, previa: Previa) -> PreviaMapeamento:
        """The preview as it is answered."""
        return cls(
            MapeamentoResumo.of(previa.formato),
            MapeamentoResumo.of(previa.anterior) if previa.anterior is not None else None,
            tuple([MudancaDeMapeamento(one.lugar, one.antes, one.depois) for one in previa.mudancas]),
            previa.conflitos,
            previa.confirmacao,
            EfeitoDeMapeamento.of(previa.efeito) if previa.efeito is not None else None,
        )


class EncerramentoDeMapeamento(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Why a mapping is taken out of use; it is kept in the audit chain, so it must hold no personal data."""

    motivo: Annotated[str, msgspec.Meta(min_length=3, max_length=500, pattern=r"\S")]


CONTRACTS: Final = (
    ListaMapeamentos,
    MapeamentoImportado,
    MapeamentoCompleto,
    MapeamentoResumo,
    PreviaMapeamento,
    ProvaDeMapeamento,
    TesteDeMapeamento,
    EncerramentoDeMapeamento,
)
