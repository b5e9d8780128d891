"""Which of the documents that came with a pedido count: one that says of itself that it was refused or is overdue does not.

Source: PRD RF1; design, "Right, on what customers really send".
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib import resources
from typing import Any, Final

import msgspec

from crivo.autorizacoes.campos import fold_field
from crivo.autorizacoes.contracts import Documento
from crivo.autorizacoes.etapas.datas import read_date
from crivo.autorizacoes.etapas.valores import fold_enum, read_boolean
from crivo.autorizacoes.politicas.codigos import fold_documento

RECUSADO: Final = "documento_recusado"
VENCIDO: Final = "documento_vencido"
PENDENTE: Final = "documento_pendente"
_SITUACAO_ILEGIVEL: Final = "valor_fora_do_dominio:documentos_anexos.status"
_VALIDADE_ILEGIVEL: Final = "valor_fora_do_dominio:documentos_anexos.validade"


class _Lexico(msgspec.Struct, frozen=True):
    """Names of a document's own fields, and what its situation may be called."""

    tipo: frozenset[str]
    situacao: frozenset[str]
    validade: frozenset[str]
    vale: frozenset[str]
    nao_vale: frozenset[str]
    recusado: frozenset[str]
    vencido: frozenset[str]
    pendente: frozenset[str]
    aceito: frozenset[str]


class _Palavras(msgspec.Struct, frozen=True):
    documento: _Lexico


class Lidos(msgspec.Struct, gc=False):
    """The types that count, alerts about the others, the places in the list that hold no document; `mais` where some said more."""

    tipos: dict[str, None]
    alertas: list[str]
    ilegiveis: list[int]
    mais: bool = False

    @property
    def documentos(self) -> tuple[Documento, ...]:
        """The documents that count, each once, in the order in which they came."""
        self.tipos.pop("", None)
        return tuple([Documento(tipo) for tipo in self.tipos])


def read_documentos(itens: list[Any], data_pedido: str | None) -> Lidos:
    """What a list of texts and objects holds; the documents must be valid on `data_pedido` (ISO)."""
    lidos = Lidos({}, [], [])
    tipos = lidos.tipos
    for position, item in enumerate(itens):
        tipo = item
        if type(item) is dict:
            tipo = item.get("tipo")
            if tipo is None or len(item) != 1:
                _read_object(item, position, data_pedido, lidos)
                continue
        if type(tipo) is str:
            tipos[fold_documento(tipo)] = None
        else:
            lidos.ilegiveis.append(position)
    return lidos


def _read_object(item: dict[str, Any], position: int, data_pedido: str | None, lidos: Lidos) -> None:
    """A document that says more than its `tipo`, or says it under another name."""
    lidos.mais = True
    tipo = item.get("tipo")
    if tipo is None:
        tipo = _tipo(item)
    if type(tipo) is not str:
        lidos.ilegiveis.append(position)
        return
    folded = fold_documento(tipo)
    ditos = list(_said(item, data_pedido)) if folded else []
    against = not _RESSALVAS.keys().isdisjoint(ditos)
    for dito in ditos:
        alerta = f"{dito}:{folded}" if dito in _RESSALVAS else dito
        if alerta not in lidos.alertas:
            lidos.alertas.append(alerta)
    if not against:
        lidos.tipos[folded] = None


def ressalva_do_documento(tipo: str, alertas: tuple[str, ...]) -> str:
    """Why a document that came does not count, in words that end a sentence; empty where it did not come at all."""
    for codigo, palavras in _RESSALVAS.items() if alertas else ():
        if f"{codigo}:{tipo}" in alertas:
            return palavras
    return ""


_RESSALVAS: Final = {
    RECUSADO: "o que veio consta como não aceito",
    VENCIDO: "o que veio está vencido",
    PENDENTE: "no pedido ele consta como pendente",
}


def _tipo(item: dict[str, Any]) -> Any:
    """The type of a document under another name than `tipo`."""
    nomes = _lexico().tipo
    return next((value for key, value in item.items() if fold_field(key) in nomes and value is not None), None)


def _said(item: dict[str, Any], data_pedido: str | None) -> Iterator[str]:
    """What a document says against itself, and what it says of itself that cannot be read."""
    lexico = _lexico()
    for key, value in item.items():
        if value is None or value == "":
            continue
        name = fold_field(key)
        if name in lexico.situacao:
            yield from _by_situacao(value)
        elif name in lexico.validade:
            last_day = read_date(value)
            if last_day is None:
                yield _VALIDADE_ILEGIVEL
            elif data_pedido is not None and last_day < data_pedido:
                yield VENCIDO
        elif (name in lexico.vale and read_boolean(value) is False) or (name in lexico.nao_vale and read_boolean(value) is True):
            yield RECUSADO


def _by_situacao(value: Any) -> Iterator[str]:
    lexico = _lexico()
    word = fold_enum(value) if type(value) is str else ""
    for palavras, codigo in ((lexico.recusado, RECUSADO), (lexico.vencido, VENCIDO), (lexico.pendente, PENDENTE)):
        if word in palavras:
            yield codigo
            return
    if word not in lexico.aceito:
        yield _SITUACAO_ILEGIVEL


@cache
def _lexico() -> _Lexico:
    raw = resources.files("crivo.autorizacoes").joinpath("valores.json").read_bytes()
    return msgspec.json.decode(raw, type=_Palavras).documento
