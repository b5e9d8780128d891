"""Made-up políticas, field tables and pedidos that show every outcome, with the outcomes worked out by hand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from typing import Any

import msgspec

_PACKAGE = "crivo.autorizacoes.amostra"


@dataclass(frozen=True, slots=True)
class Arquivo:
    """A sample file: its name and its bytes."""

    nome: str
    conteudo: bytes


def politicas() -> tuple[Arquivo, ...]:
    """The políticas, JSON or YAML, by name."""
    return _files("politicas")


def pedidos() -> tuple[Arquivo, ...]:
    """The pedidos, one a file, by name."""
    return _files("pedidos")


def campos() -> Mapping[str, Mapping[str, str]]:
    """The field table of each administradora that has one of its own."""
    return {arquivo.nome.removesuffix(".json"): msgspec.json.decode(arquivo.conteudo, type=dict[str, str]) for arquivo in _files("campos")}


def esperado() -> Mapping[str, Mapping[str, Any]]:
    """By name of the pedido's file, the outcome that the rules give, worked out by hand."""
    raw = resources.files(_PACKAGE).joinpath("esperado.json").read_bytes()
    return msgspec.json.decode(raw, type=dict[str, dict[str, Any]])


def _files(folder: str) -> tuple[Arquivo, ...]:
    found = (Arquivo(entry.name, entry.read_bytes()) for entry in resources.files(_PACKAGE).joinpath(folder).iterdir() if entry.is_file())
    return tuple(sorted(found, key=lambda arquivo: arquivo.nome))
