"""What each administradora calls a field: a table of equivalent fields.

Source: PRD RF1, "múltiplos campos equivalentes".
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources
from typing import Literal, get_args

import msgspec

from crivo.kernel.linguagem.dobra import without_accents

# Destinations, in the order in which the normaliser reads them. Source: PRD RF1 1.2.
Destino = Literal[
    "pedido_id",
    "administradora_id",
    "plano_id",
    "data_pedido",
    "data_prevista",
    "urgencia",
    "documentos_anexos",
    "beneficiario.id",
    "beneficiario.idade",
    "beneficiario.data_nascimento",
    "beneficiario.carencia_cumprida_dias",
    "beneficiario.preexistencias",
    "procedimento.codigo",
    "procedimento.tabela",
    "procedimento.descricao",
    "procedimento.quantidade",
    "solicitante.tipo",
    "prestador.tipo",
]
DESTINOS: tuple[str, ...] = get_args(Destino)
# Read only for an administradora whose regras ask for them: elsewhere they stay where they came, as every unknown field does.
COMPLEMENTOS = ("beneficiario.sexo", "procedimento.valor", "historico")
OBJETOS = ("beneficiario", "procedimento", "solicitante", "prestador")
INDEX = {destino: index for index, destino in enumerate(DESTINOS)}
CODIGO = INDEX["procedimento.codigo"]
DATA = INDEX["data_pedido"]
ADMINISTRADORA = INDEX["administradora_id"]
TEXTOS = tuple(
    INDEX[destino]
    for destino in (
        "pedido_id",
        "administradora_id",
        "plano_id",
        "beneficiario.id",
        "procedimento.codigo",
        "procedimento.tabela",
        "procedimento.descricao",
        "solicitante.tipo",
        "prestador.tipo",
    )
)

_FIRST_TUSS_RANK = -1_000_000  # below every other rank, and still in the table's order among themselves
CANONICAL_RANK = 0
_RESPELLED_RANK = 1
_FIRST_TABLE_RANK = 2
LONGEST_FIELD_NAME = 80


@dataclass(frozen=True, slots=True)
class TabelaDeCampos:
    """Folded origin paths to destination and rank, built from the plain table that people edit; `complementos` apart from the others."""

    alvos: Mapping[str, tuple[int, int]]
    recipientes: frozenset[str]
    complementos: Mapping[str, tuple[str, int]]

    @classmethod
    def of(cls, *tabelas: Mapping[str, str]) -> TabelaDeCampos:
        """A table of tables, the first of which wins; raises `ValueError` on a destination that does not exist."""
        alvos: dict[str, tuple[int, int]] = {destino: (index, _RESPELLED_RANK) for destino, index in INDEX.items()}
        complementos = {destino: (destino, CANONICAL_RANK) for destino in COMPLEMENTOS}
        rank = _FIRST_TABLE_RANK
        for origem, destino in (item for tabela in (*tabelas, complement_table()) for item in tabela.items()):
            if destino in COMPLEMENTOS:
                complementos.setdefault(origem, (destino, rank))
                rank += 1
                continue
            if destino not in INDEX:
                raise ValueError(f"campo de destino desconhecido: {destino}")
            tuss = destino == "procedimento.codigo" and origem.rpartition(".")[2] == "codigo_tuss"
            alvos.setdefault(origem, (INDEX[destino], rank + _FIRST_TUSS_RANK if tuss else rank))
            rank += 1
        recipientes = frozenset(origem.partition(".")[0] for origem in alvos if "." in origem)
        return cls(alvos, recipientes | frozenset(OBJETOS), complementos)


def fold_field(name: str) -> str:
    """A field's name in lower snake case without accents: `dataPedido` and `Data do Pedido` alike."""
    return _fold_field(name) if len(name) <= LONGEST_FIELD_NAME else ""


def fold_path(path: str) -> str:
    """A dotted path with each of its names folded."""
    return ".".join(fold_field(name) for name in path.split("."))


_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_NOT_WORD = re.compile(r"[^a-z0-9]+")


@lru_cache(maxsize=8192)
def _fold_field(name: str) -> str:
    plain = without_accents(name).encode("ascii", "ignore").decode()
    return _NOT_WORD.sub("_", _HUMP.sub("_", plain).lower()).strip("_")


@cache
def base_table() -> Mapping[str, str]:
    """The table that every administradora starts with."""
    return _table("equivalencias.json")


@cache
def complement_table() -> Mapping[str, str]:
    """What else the complementary fields are called, of every administradora."""
    return _table("complementos.json")


def _table(nome: str) -> Mapping[str, str]:
    return msgspec.json.decode(resources.files("crivo.autorizacoes").joinpath(nome).read_bytes(), type=dict[str, str])
