"""Which of the documents that came with a pedido count: one that says of itself that it was refused or is overdue does not.

Source: PRD RF1; design, "Right, on what customers really send".
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from functools import cache
from typing import Any, Final

import msgspec

from crivo.autorizacoes.campos import fold_field
from crivo.autorizacoes.contracts import Documento
from crivo.autorizacoes.etapas.valores import fold_enum, read_boolean
from crivo.autorizacoes.motivos import VALOR_DESCONHECIDO
from crivo.autorizacoes.palavras import OU, documentos_conhecidos
from crivo.autorizacoes.politicas.codigos import fold_documento
from crivo.kernel.linguagem.datas_escritas import read_date, read_end_of_month
from crivo.kernel.linguagem.lexico import read_lexico

RECUSADO: Final = "documento_recusado"
VENCIDO: Final = "documento_vencido"
PENDENTE: Final = "documento_pendente"
_SITUACAO_ILEGIVEL: Final = f"{VALOR_DESCONHECIDO}:documentos_anexos.status"
_VALIDADE_ILEGIVEL: Final = f"{VALOR_DESCONHECIDO}:documentos_anexos.validade"


class _Lexico(msgspec.Struct, frozen=True):
    """Names of a document's own fields, and what its situation may be called."""

    tipo: frozenset[str]
    situacao: frozenset[str]
    validade: frozenset[str]
    veio: frozenset[str]
    vale: frozenset[str]
    nao_vale: frozenset[str]
    motivo: frozenset[str]
    recusado: frozenset[str]
    vencido: frozenset[str]
    pendente: frozenset[str]
    aceito: frozenset[str]


class _Palavras(msgspec.Struct, frozen=True):
    documento: _Lexico


class Lidos(msgspec.Struct, frozen=True, gc=False):
    """The documents that count, each once, in the order in which they came; alerts about the others; the places that hold no document.

    `mais` where some said more than its type.
    """

    documentos: tuple[Documento, ...]
    alertas: tuple[str, ...] = ()
    ilegiveis: tuple[int, ...] = ()
    mais: bool = False


def read_documentos(itens: list[Any], data_pedido: str | None) -> Lidos:
    """What a list of texts and objects holds; the documents must be valid on `data_pedido` (ISO)."""
    tipos: dict[str, None] = {}
    for item in itens:
        tipo = item.get("tipo") if type(item) is dict and len(item) == 1 else item
        if type(tipo) is not str:
            return _read_each(itens, data_pedido)
        tipos[fold_documento(tipo)] = None
    tipos.pop("", None)
    return Lidos(tuple([Documento(tipo) for tipo in tipos]))


def _read_each(itens: list[Any], data_pedido: str | None) -> Lidos:
    """A list where some document says more than its `tipo`, or says it under another name, or is none."""
    tipos: dict[str, None] = {}
    alertas: dict[str, None] = {}
    ilegiveis: list[int] = []
    for position, item in enumerate(itens):
        tipo = _tipo(item) if type(item) is dict else item
        if type(tipo) is not str:
            ilegiveis.append(position)
            continue
        folded = fold_documento(tipo)
        ditos = list(_said(item, data_pedido)) if type(item) is dict and folded else []
        alertas |= dict.fromkeys([f"{dito}:{folded}" if dito in _RESSALVAS else dito for dito in ditos])
        if _RESSALVAS.keys().isdisjoint(ditos):
            tipos[folded] = None
    tipos.pop("", None)
    mais = any(type(item) is dict and item.keys() != {"tipo"} for item in itens)
    return Lidos(tuple([Documento(tipo) for tipo in tipos]), tuple(alertas), tuple(ilegiveis), mais)


def not_known(tipos: Iterable[str], pendencias: Collection[str]) -> tuple[str, ...]:
    """Of the documents that came, those that nobody knows; nothing where none is missing. `pendencias` are as RF4 tells them."""
    if not pendencias:
        return ()
    asked = {tipo for pendencia in pendencias for tipo in pendencia.split(OU)}
    return tuple([tipo for tipo in tipos if tipo not in documentos_conhecidos() and tipo not in asked])


def ressalva_do_documento(tipo: str, alertas: tuple[str, ...]) -> str:
    """Why a document that came does not count, in words that end a sentence; empty where it did not come at all."""
    for alerta in alertas:
        if alerta.startswith("documento_"):
            codigo, _, dito_de = alerta.partition(":")
            if dito_de == tipo:
                return _RESSALVAS[codigo]
    return ""


_RESSALVAS: Final = {
    RECUSADO: "o que veio consta como não aceito",
    VENCIDO: "o que veio está vencido",
    PENDENTE: "no pedido ele consta como pendente",
}


def _tipo(item: dict[str, Any]) -> Any:
    """The type of a document, under `tipo` or another name."""
    if item.get("tipo") is not None:
        return item["tipo"]
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
            last_day = read_date(value) or read_end_of_month(value)
            if last_day is None:
                yield _VALIDADE_ILEGIVEL
            elif data_pedido is not None and last_day < data_pedido:
                yield VENCIDO
        elif _is_refused(name, value):
            yield RECUSADO
        elif name in lexico.veio and read_boolean(value) is False:
            yield PENDENTE


def _is_refused(name: str, value: Any) -> bool:
    """Whether a field says that the document is not good, or why it is not."""
    lexico = _lexico()
    if name in lexico.motivo:
        return type(value) is str and fold_enum(value) != ""
    return (name in lexico.vale and read_boolean(value) is False) or (name in lexico.nao_vale and read_boolean(value) is True)


def knows_situacao(value: Any) -> bool:
    """Whether a word for the situation of a document can be read, good or bad."""
    return _SITUACAO_ILEGIVEL not in _by_situacao(value)


def _by_situacao(value: Any) -> Iterator[str]:
    """What a situation says against the document, by how it begins (`recusado pela auditoria`); what is good is known whole alone."""
    lexico = _lexico()
    word = fold_enum(value) if type(value) is str else ""
    for palavras, codigo in ((lexico.recusado, RECUSADO), (lexico.vencido, VENCIDO), (lexico.pendente, PENDENTE)):
        if any(word == palavra or word.startswith(f"{palavra}_") for palavra in palavras):
            yield codigo
            return
    if word not in lexico.aceito:
        yield _SITUACAO_ILEGIVEL


@cache
def _lexico() -> _Lexico:
    return read_lexico("crivo.autorizacoes", "valores", _Palavras).documento
