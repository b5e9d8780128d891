"""What a decision rests on, of one pedido: RF1's and RF2's answers without what tells who anybody is, small enough to be kept for years."""

from __future__ import annotations

import math
from typing import Final, Literal

import msgspec
from msgspec import UNSET

from crivo.autorizacoes.contracts import (
    Beneficiario,
    Documento,
    Normalizacao,
    PedidoNormalizado,
    Prestador,
    Procedimento,
    Solicitante,
    Tabela,
    Uso,
    Value,
)
from crivo.autorizacoes.etapas.valores import preexistencias_declaradas
from crivo.autorizacoes.motivos import PLANO_DESCONHECIDO

_LARGEST_EXACT: Final = 2**53


class Linha(Value, frozen=True, gc=False, array_like=True):
    """The values that RF3 to RF6 read of a pedido. What comes to be read later is added at the end, with a default.

    `erros` are RF1's own: whether the plano is one that is declared depends on the políticas, and is asked anew. `so_etapas` is true
    where a number is none that a column of floats holds exactly. `declaradas`: whether any pre-existing condition was. Null was not told.
    """

    administradora_id: str | None
    plano_id: str | None
    codigo: str | None
    tabela: Tabela | None
    data: str | None
    quantidade: int | float | None
    idade: int | None
    carencia: int | float | None
    urgencia: bool
    credenciado: bool
    documentos: tuple[str, ...] = ()
    erros: tuple[str, ...] = ()
    so_etapas: bool = False
    sexo: Literal["F", "M"] | None = None
    valor: int | float | None = None
    declaradas: bool | None = None
    historico: tuple[Uso, ...] | None = None

    @classmethod
    def of(cls, normalizacao: Normalizacao) -> Linha:
        """What a pedido in its one shape says of itself to the rules, with all that some regra may come to ask of it."""
        pedido = normalizacao.pedido_normalizado
        quantidade, carencia = pedido.procedimento.quantidade, pedido.beneficiario.carencia_cumprida_dias
        erros, valor = normalizacao.erros_bloqueantes, None if pedido.procedimento.valor is UNSET else pedido.procedimento.valor
        sexo, historico = pedido.beneficiario.sexo, pedido.historico
        return cls(
            pedido.administradora_id,
            pedido.plano_id,
            pedido.procedimento.codigo,
            pedido.procedimento.tabela,
            pedido.data_pedido,
            quantidade,
            pedido.beneficiario.idade,
            carencia,
            pedido.urgencia,
            pedido.prestador.tipo == "CREDENCIADO",
            tuple([documento.tipo for documento in pedido.documentos_anexos]),
            tuple([erro for erro in erros if erro != PLANO_DESCONHECIDO]) if erros else (),
            not (_is_exact(quantidade) and _is_exact(carencia) and _is_exact(valor)),
            None if sexo is UNSET else sexo,
            valor,
            preexistencias_declaradas(pedido.beneficiario.preexistencias),
            None if historico is UNSET else historico,
        )

    def normalizacao(self) -> Normalizacao:
        """The pedido as the stages read it; without number, person and texts, of which no rule asks."""
        pedido = PedidoNormalizado(
            None,
            self.administradora_id,
            self.plano_id,
            self.data,
            None,
            self.urgencia,
            Beneficiario(None, self.idade, None, self.carencia, self.declaradas, UNSET if self.sexo is None else self.sexo),
            Procedimento(self.codigo, self.tabela, None, self.quantidade, UNSET if self.valor is None else self.valor),
            Solicitante(None),
            Prestador("CREDENCIADO" if self.credenciado else None),
            tuple([Documento(tipo) for tipo in self.documentos]),
            {},
            UNSET if self.historico is None else self.historico,
        )
        return Normalizacao(pedido, self.erros, (), not self.erros)


def _is_exact(number: int | float | None) -> bool:
    return number is None or abs(number) <= _LARGEST_EXACT


_encode = msgspec.msgpack.Encoder().encode
decode_linha = msgspec.msgpack.Decoder(Linha).decode


def encode_linha(linha: Linha) -> bytes:
    """A row as MessagePack, some 80 bytes."""
    try:
        return _encode(linha)
    except OverflowError:
        # Beyond 64 bits: the nearest float, which the stages compare like any other number.
        return _encode(
            msgspec.structs.replace(
                linha, quantidade=_as_float(linha.quantidade), carencia=_as_float(linha.carencia), valor=_as_float(linha.valor)
            )
        )


def _as_float(number: int | float | None) -> float | None:
    try:
        return None if number is None else float(number)
    except OverflowError:
        return math.inf
