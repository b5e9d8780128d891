"""A guia de solicitação of TISS as values: what of it is decided, and what of it its answer repeats."""

from __future__ import annotations

from typing import Final, Literal

from crivo.autorizacoes.contracts import Value

TipoGuia = Literal["SP-SADT", "INTERNACAO"]
MOST_ITEMS: Final = 100
DE_QUEM_ENVIA: Final = ("CNPJ", "CPF", "codigoPrestadorNaOperadora")
DITOS: Final = {"idade": "a idade", "sexo": "o sexo", "carencia_cumprida_dias": "a carência cumprida"}
"""What may be said of the beneficiário beside a guia, by the name of its field, in words."""


class Identificacao(Value, frozen=True, gc=False):
    """Who somebody is to the operadora: the element that says it (`CNPJ`, `codigoPrestadorNaOperadora`, ...) and its text."""

    por: str
    valor: str


class ProcedimentoTiss(Value, frozen=True, gc=False):
    """One of `procedimentosSolicitados`; `tabela` is the code of TISS (22 for TUSS)."""

    tabela: str
    codigo: str
    descricao: str
    quantidade: int


class Guia(Value, frozen=True, gc=False, kw_only=True, omit_defaults=True):
    """What a guia says beside its procedimentos; dates are ISO. The password that may come in the header is left out."""

    tipo: TipoGuia
    versao: str
    transacao: str
    registro_ans: str
    numero: str
    origem: Identificacao
    etapa: str
    carteira: str
    recem_nascido: str
    carater: str
    data_solicitacao: str
    data_prevista: str | None = None
    guia_principal: str | None = None
    cobertura_especial: str | None = None
    indicacao_clinica: str | None = None
    observacao: str | None = None
    solicitante: Identificacao | None = None
    solicitante_nome: str | None = None
    profissional: dict[str, str] | None = None
    executante: str | None = None
    cnes: str | None = None
    internacao: dict[str, str] | None = None
    cid: tuple[str, ...] = ()
    anexos: tuple[str, ...] = ()


class Linha(Value, frozen=True, gc=False):
    """One line of `procedimentosSolicitados`: its place, from 1, and how many it asks for."""

    sequencia: int
    quantidade: int


class DeUmaGuia(Value, frozen=True, gc=False, omit_defaults=True):
    """What a pedido keeps of the guia that it came in: the digest of the message, which of how many pedidos it is, and the guia.

    `linhas` are those that ask for this procedimento, where some were asked together; `substitui` is the senha that an earlier message
    of the same guia was given, and `avisos` what was presumed, in words.
    """

    mensagem: str
    item: int
    itens: int
    guia: Guia
    procedimento: ProcedimentoTiss
    linhas: tuple[Linha, ...] = ()
    substitui: str | None = None
    avisos: tuple[str, ...] = ()


def is_same_guia(one: Guia, other: Guia) -> bool:
    """Whether two messages are of one guia: from the same sender, to the same operadora, by the same number, for the same person."""
    return (one.origem, one.registro_ans, one.numero, one.carteira) == (other.origem, other.registro_ans, other.numero, other.carteira)
