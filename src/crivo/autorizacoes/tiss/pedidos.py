"""From a guia to pedidos: one for each procedimento, with what the operadora knows of the beneficiário and TISS does not carry.

Source: design, "Standards"; decision 0081.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from typing import Any, Final, Literal

import msgspec
from msgspec.structs import replace

from crivo.autorizacoes.contracts import Value
from crivo.autorizacoes.itens import Item, juntos, numero_do_item, numeros_possiveis
from crivo.autorizacoes.politicas.codigos import normalize_codigo
from crivo.autorizacoes.tiss.erros import MensagemRecusada
from crivo.autorizacoes.tiss.guia import DITOS, MOST_ITEMS, DeUmaGuia, Guia, Linha, ProcedimentoTiss
from crivo.kernel.errors import Problem

_TUSS: Final = frozenset({"18", "19", "20", "22"})
_CODIGO: Final = "codigoPrestadorNaOperadora"
_URGENTE: Final = "2"
_encode = msgspec.json.Encoder().encode


class Complemento(Value, frozen=True, gc=False):
    """What no guia of SP/SADT carries: `plano`, `idade` in whole years, carência served in days; null where unknown.

    `sexo` is F or M, and `valores` are those of the lines in their order, in R$; unset where unknown.
    """

    plano: str | None = None
    idade: int | None = None
    carencia_cumprida_dias: int | None = None
    # Unset, and not null: what tells a message that came before there were these is the digest of the others alone.
    sexo: Literal["F", "M"] | msgspec.UnsetType = msgspec.UNSET
    valores: tuple[float, ...] | msgspec.UnsetType = msgspec.UNSET


def check_valores(complemento: Complemento, linhas: int) -> None:
    """Raises MensagemRecusada where the values that came beside a guia are not one for each of its lines."""
    if complemento.valores is not msgspec.UNSET and len(complemento.valores) != linhas:
        told = f"O número de valores ({len(complemento.valores)}) não é o de procedimentos da guia ({linhas}): diga um de cada, na ordem."
        raise MensagemRecusada(told, [Problem(told, caminho="valor", codigo="valor_invalido")])


def digest_of(raw: bytes, complemento: Complemento) -> str:
    """What tells a message, with what came beside it, from every other: SHA-256 in hexadecimal."""
    return hashlib.sha256(hashlib.sha256(raw).digest() + _encode(complemento)).hexdigest()


def chaves_of(mensagem: str, itens: int) -> list[str]:
    """The idempotency key of each procedimento of a message."""
    return [f"tiss:{mensagem}:{n}" for n in range(1, itens + 1)]


def numeros_of(guia: Guia) -> list[str]:
    """The numbers that pedidos of a guia may have, in any message of it."""
    return numeros_possiveis(guia.numero, range(1, MOST_ITEMS + 1))


def grupos_of(procedimentos: Sequence[ProcedimentoTiss]) -> list[list[int]]:
    """Which lines ask for the same procedimento, by their places from 0: they are one pedido."""
    return juntos([(_tabela(one), normalize_codigo(one.codigo)) for one in procedimentos])


def pedidos_of(
    guia: Guia,
    procedimentos: Sequence[ProcedimentoTiss],
    mensagem: str,
    complemento: Complemento,
    plano: str | None,
    substitui: str | None = None,
    antes: Sequence[str] = (),
) -> list[Item]:
    """One pedido for each procedimento, in order; `plano` is that of the pedidos, None where nobody knows it.

    `substitui` is the senha that an earlier message of the guia was given, and `antes` what the last one said of the beneficiário.
    """
    grupos = grupos_of(procedimentos)
    some_together = len(grupos) < len(procedimentos)
    avisos = (*_avisos(guia, complemento), *_omitidos(guia, complemento, antes))
    pedidos = []
    for n, (chave, grupo) in enumerate(zip(chaves_of(mensagem, len(grupos)), grupos, strict=True), 1):
        linhas = tuple([Linha(at + 1, procedimentos[at].quantidade) for at in grupo]) if some_together else ()
        procedimento = replace(procedimentos[grupo[0]], quantidade=sum(procedimentos[at].quantidade for at in grupo))
        de = DeUmaGuia(mensagem, n, len(grupos), guia, procedimento, linhas, substitui, avisos)
        pedidos.append(Item(chave, _encode(_pedido(de, grupo, complemento, plano))))
    return pedidos


def _avisos(guia: Guia, complemento: Complemento) -> Iterator[str]:
    if _is_newborn(guia) and complemento.idade:
        yield f"A guia é de recém-nascido: foi decidida com a idade 0, e não com a idade {complemento.idade} que veio ao lado dela."


def _omitidos(guia: Guia, complemento: Complemento, antes: Sequence[str]) -> Iterator[str]:
    """What an earlier message of the guia said of the beneficiário, and this one leaves out."""
    said = {nome for nome, _ in _beneficiario(guia, complemento) if nome in DITOS}
    for nome in antes:
        if nome not in said:
            yield f"A mensagem anterior desta guia dizia {DITOS[nome]} do beneficiário, e esta não diz: foi decidida sem isso."


def _beneficiario(guia: Guia, complemento: Complemento) -> list[tuple[str, Any]]:
    values = [
        ("id", guia.carteira),
        ("idade", 0 if _is_newborn(guia) else complemento.idade),
        ("sexo", None if complemento.sexo is msgspec.UNSET else complemento.sexo),
        ("carencia_cumprida_dias", complemento.carencia_cumprida_dias),
    ]
    return [(nome, valor) for nome, valor in values if valor is not None]


def _valor(complemento: Complemento, grupo: Sequence[int]) -> float | None:
    return None if complemento.valores is msgspec.UNSET else round(sum(complemento.valores[at] for at in grupo), 2)


def _pedido(de: DeUmaGuia, grupo: Sequence[int], complemento: Complemento, plano: str | None) -> dict[str, Any]:
    guia, procedimento = de.guia, de.procedimento
    pedido: dict[str, Any] = {
        "pedido_id": numero_do_item(guia.numero, grupo[0] + 1),
        "administradora_id": guia.registro_ans,
        "plano_id": plano,
        "data_pedido": guia.data_solicitacao[:10],
        "data_prevista": guia.data_prevista and guia.data_prevista[:10],
        "urgencia": guia.carater == _URGENTE,
        "beneficiario": dict(_beneficiario(guia, complemento)),
        "procedimento": _said(
            {
                "codigo": procedimento.codigo,
                "tabela": _tabela(procedimento),
                "descricao": procedimento.descricao,
                "quantidade": procedimento.quantidade,
                "valor": _valor(complemento, grupo),
            }
        ),
        "prestador": {"tipo": "CREDENCIADO"} if _has_code(guia) else None,
        "documentos_anexos": list(guia.anexos),
        "tiss": de,
    }
    return _said(pedido)


def _is_newborn(guia: Guia) -> bool:
    return guia.recem_nascido == "S"


def _tabela(procedimento: ProcedimentoTiss) -> str:
    return "TUSS" if procedimento.tabela in _TUSS else "OUTRA"


def _said(values: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}


def _has_code(guia: Guia) -> bool:
    """Whether who would carry it out has a code at the operadora, which gives codes to its network: the one named, else who sends."""
    code = guia.executante or (guia.origem.valor if guia.origem.por == _CODIGO else "")
    return len(set(code)) > 1  # a row of zeros or nines only fills the place
