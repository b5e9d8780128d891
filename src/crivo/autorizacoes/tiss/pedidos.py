"""From a guia to pedidos: one for each procedimento, with what the operadora knows of the beneficiário and TISS does not carry.

Source: design, "Standards"; decision 0081.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any, Final

import msgspec

from crivo.autorizacoes.contracts import Value
from crivo.autorizacoes.itens import Item
from crivo.autorizacoes.tiss.guia import DeUmaGuia, Guia, ProcedimentoTiss

_TUSS: Final = frozenset({"18", "19", "20", "22"})
_CODIGO: Final = "codigoPrestadorNaOperadora"
_URGENTE: Final = "2"
_encode = msgspec.json.Encoder().encode


class Complemento(Value, frozen=True, gc=False):
    """What of the beneficiário no guia of SP/SADT carries: `plano`, `idade` in whole years, carência served in days; null where unknown."""

    plano: str | None = None
    idade: int | None = None
    carencia_cumprida_dias: int | None = None


def digest_of(raw: bytes, complemento: Complemento) -> str:
    """What tells a message, with what came beside it, from every other: SHA-256 in hexadecimal."""
    return hashlib.sha256(hashlib.sha256(raw).digest() + _encode(complemento)).hexdigest()


def chaves_of(mensagem: str, itens: int) -> list[str]:
    """The idempotency key of each procedimento of a message."""
    return [f"tiss:{mensagem}:{n}" for n in range(1, itens + 1)]


def pedidos_of(
    guia: Guia, procedimentos: Sequence[ProcedimentoTiss], mensagem: str, complemento: Complemento, plano: str | None
) -> list[Item]:
    """One pedido for each procedimento, in order; `plano` is that of the pedidos, None where nobody knows it."""
    itens = len(procedimentos)
    return [
        Item(chave, _encode(_pedido(DeUmaGuia(mensagem, n, itens, guia, procedimento), complemento, plano)))
        for n, (chave, procedimento) in enumerate(zip(chaves_of(mensagem, itens), procedimentos, strict=True), 1)
    ]


def _pedido(de: DeUmaGuia, complemento: Complemento, plano: str | None) -> dict[str, Any]:
    guia, procedimento = de.guia, de.procedimento
    idade = 0 if complemento.idade is None and guia.recem_nascido == "S" else complemento.idade
    pedido: dict[str, Any] = {
        "pedido_id": guia.numero if de.itens == 1 else f"{guia.numero}-{de.item}",
        "administradora_id": guia.registro_ans,
        "plano_id": plano,
        "data_pedido": guia.data_solicitacao[:10],
        "data_prevista": guia.data_prevista and guia.data_prevista[:10],
        "urgencia": guia.carater == _URGENTE,
        "beneficiario": _said({"id": guia.carteira, "idade": idade, "carencia_cumprida_dias": complemento.carencia_cumprida_dias}),
        "procedimento": {
            "codigo": procedimento.codigo,
            "tabela": "TUSS" if procedimento.tabela in _TUSS else "OUTRA",
            "descricao": procedimento.descricao,
            "quantidade": procedimento.quantidade,
        },
        "prestador": {"tipo": "CREDENCIADO"} if _has_code(guia) else None,
        "documentos_anexos": list(guia.anexos),
        "tiss": de,
    }
    return _said(pedido)


def _said(values: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}


def _has_code(guia: Guia) -> bool:
    """Whether who would carry it out has a code at the operadora, which gives codes to its network: the one named, else who sends."""
    code = guia.executante or (guia.origem.valor if guia.origem.por == _CODIGO else "")
    return len(set(code)) > 1  # a row of zeros or nines only fills the place
