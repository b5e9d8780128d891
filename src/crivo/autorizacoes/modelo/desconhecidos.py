"""What a pedido holds under names that no table knows, told by name and shape alone, and what it lacks. Source: PRD RF1."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

import msgspec

from crivo.autorizacoes.campos import DESTINOS, fold_path
from crivo.autorizacoes.contracts import Normalizacao

MAX_CAMPOS: Final = 40
# A destination that is often left out for good reason is proposed, but its absence alone is no occasion to ask.
_OFTEN_ABSENT: Final = frozenset({"urgencia", "procedimento.descricao", "beneficiario.preexistencias", "data_prevista"})
_PRESUMED: Final = "data_pedido_presumida"
_TELLTALE: Final = re.compile(r"\d{4}")  # a name with a long number in it may be somebody's
_DATE: Final = re.compile(r"\d{4}[-/.]?\d{2}[-/.]?\d{2}(?:[T ].*)?|\d{2}[-/.]\d{2}[-/.]\d{4}")


class CampoDesconhecido(msgspec.Struct, frozen=True):
    """A field that no table knows: its folded path, and the shape of its value, never the value."""

    origem: str
    forma: str


def unknown_fields(normalizacao: Normalizacao, tabela: Mapping[str, str]) -> tuple[CampoDesconhecido, ...]:
    """The fields that neither the pedido nor a table names, at most forty, in order of name.

    Those that a table could name: at the root, or one object deep.
    """
    found: dict[str, str] = {}
    for path, value in _leaves(normalizacao.pedido_normalizado.extras):
        origem = fold_path(path)
        if origem not in tabela and origem not in DESTINOS and all(origem.split(".")) and not _TELLTALE.search(origem):
            found.setdefault(origem, shape(value))
    return tuple([CampoDesconhecido(origem, found[origem]) for origem in sorted(found)][:MAX_CAMPOS])


def _leaves(extras: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for name, value in extras.items():
        if isinstance(value, Mapping) and "." not in name:
            yield from ((f"{name}.{inner}", one) for inner, one in value.items() if "." not in inner)
        elif "." not in name:
            yield name, value


def missing_destinos(normalizacao: Normalizacao) -> tuple[str, ...]:
    """The fields of the pedido that came empty, in their order; none where only those that are often left out did."""
    value = msgspec.to_builtins(normalizacao.pedido_normalizado)
    empty = [destino for destino in DESTINOS if _is_empty(value, destino)]
    if _PRESUMED in normalizacao.alertas:
        empty.append("data_pedido")
    return tuple(sorted(empty, key=DESTINOS.index)) if set(empty) - _OFTEN_ABSENT else ()


def _is_empty(pedido: Mapping[str, Any], destino: str) -> bool:
    objeto, _, name = destino.rpartition(".")
    found = (pedido[objeto] if objeto else pedido)[name]
    return found is None or found is False or found == ()


def shape(value: object) -> str:
    """What kind of value it is (pt-BR), with nothing of the value itself."""
    match value:
        case bool():
            return "sim ou não"
        case int() | float():
            return "número"
        case str() if _DATE.fullmatch(value.strip()):
            return "texto com uma data"
        case str() if value.strip().isdigit():
            return "texto só de algarismos"
        case str():
            return "texto de uma palavra" if len(value.split()) <= 1 else "texto de várias palavras"
        case list() | tuple():
            return f"lista de {shape(value[0])}" if value else "lista vazia"
        case _:
            return "objeto"
