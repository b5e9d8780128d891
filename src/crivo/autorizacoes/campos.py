"""What each administradora calls a field: a table of equivalent fields, and the search of a pedido for what it names.

Source: PRD RF1, "múltiplos campos equivalentes".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources
from typing import Any, Literal, get_args

import msgspec

from crivo.autorizacoes.leitura import Bruto
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
OBJETOS = ("beneficiario", "procedimento", "solicitante", "prestador")
INDEX = {destino: index for index, destino in enumerate(DESTINOS)}
CODIGO = INDEX["procedimento.codigo"]
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
_CANONICAL_RANK = 0
_RESPELLED_RANK = 1
_FIRST_TABLE_RANK = 2
LONGEST_FIELD_NAME = 80


class Candidate(msgspec.Struct, frozen=True, gc=False):
    """A value found under another name than the canonical one; the lowest rank of a destination wins."""

    destino: int
    rank: int
    ordem: int
    chaves: tuple[str, ...]
    valor: Any

    @property
    def origem(self) -> str:
        """Where it stood in the pedido, dotted."""
        return ".".join(self.chaves)


class Found(msgspec.Struct, gc=False):
    """What a pedido holds: values under canonical names by destination, candidates, everything else, and faults of type.

    `nao_lidos` are alerts about what no rule reads, though whoever sent it may count on it: code and place.
    """

    values: list[Any]
    candidates: list[Candidate]
    extras: dict[str, Any]
    misshapen: list[str]
    nao_lidos: list[str]


@dataclass(frozen=True, slots=True)
class TabelaDeCampos:
    """Folded origin paths to destination and rank, built from the plain table that people edit."""

    alvos: Mapping[str, tuple[int, int]]
    recipientes: frozenset[str]

    @classmethod
    def of(cls, *tabelas: Mapping[str, str]) -> TabelaDeCampos:
        """A table of tables, the first of which wins; raises `ValueError` on a destination that does not exist."""
        alvos: dict[str, tuple[int, int]] = {destino: (index, _RESPELLED_RANK) for destino, index in INDEX.items()}
        rank = _FIRST_TABLE_RANK
        for origem, destino in (item for tabela in tabelas for item in tabela.items()):
            if destino not in INDEX:
                raise ValueError(f"campo de destino desconhecido: {destino}")
            tuss = destino == "procedimento.codigo" and origem.rpartition(".")[2] == "codigo_tuss"
            alvos.setdefault(origem, (INDEX[destino], rank + _FIRST_TUSS_RANK if tuss else rank))
            rank += 1
        recipientes = frozenset(origem.partition(".")[0] for origem in alvos if "." in origem)
        return cls(alvos, recipientes | frozenset(OBJETOS))

    def find(self, pedido: Bruto) -> Found:
        """Every field of the pedido, each in exactly one place of what is returned."""
        found = Found([None] * len(DESTINOS), [], {}, [], [])
        values = found.values
        for key, value in pedido.items():
            if value is None:
                continue
            index = _ROOT.get(key)
            if index is not None:
                values[index] = value
            elif key in _OBJECTS:
                if type(value) is dict:
                    self._enter(found, key, value)
                else:
                    found.misshapen.append(key)
            else:
                self._weigh_root(found, key, value)
        return found

    def _enter(self, found: Found, key: str, inner: Bruto) -> None:
        exact = _OBJECTS.get(key, {})
        values = found.values
        for name, value in inner.items():
            index = exact.get(name)
            if index is not None:
                if value is not None:
                    values[index] = value
            elif value is not None:
                self._weigh(found, (key, name), f"{fold_field(key)}.{fold_field(name)}", value)

    def _weigh_root(self, found: Found, key: str, value: Any) -> None:
        folded = fold_field(key)
        if folded in self.recipientes and type(value) is dict:
            self._enter(found, key, value)
        elif folded in OBJETOS or (folded in self.recipientes and folded not in self.alvos):
            found.misshapen.append(key)
        else:
            self._weigh(found, (key,), folded, value)

    def _weigh(self, found: Found, chaves: tuple[str, ...], folded: str, value: Any) -> None:
        alvo = self.alvos.get(folded)
        if alvo is None:
            keep_extra(found.extras, chaves, value)
            codigo = _NAO_LIDOS.get(folded.rpartition(".")[2])
            if codigo is not None and value is not False and value != [] and not _blank(value):
                found.nao_lidos.append(f"{codigo}:{'.'.join(chaves)[:LONGEST_FIELD_NAME]}")
        else:
            destino, rank = alvo
            found.candidates.append(Candidate(destino, rank, len(found.candidates), chaves, value))


def keep_extra(extras: dict[str, Any], chaves: tuple[str, ...], value: Any) -> None:
    """Keep a value where it stood, so that nothing that was sent is thrown away. Source: PRD RF1."""
    for chave in chaves[:-1]:
        extras = extras.setdefault(chave, {})
    extras[chaves[-1]] = value


def settle(found: Found, same: Mapping[int, Any]) -> Iterator[tuple[str, int, Candidate, bool]]:
    """Decide between the candidates of each destination, moving the winner into `found.values`.

    Yields `("mapeado" | "divergente", destino, candidate, from_tuss)`; a loser that says the same is dropped in silence.
    `same` gives, for destinations that need it, the function that brings two values to comparable form.
    """
    by_destino: dict[int, list[Candidate]] = {}
    for candidate in sorted(found.candidates, key=lambda c: (c.destino, c.rank, c.ordem)):
        by_destino.setdefault(candidate.destino, []).append(candidate)
    for destino, candidates in by_destino.items():
        comparable = same.get(destino, _as_sent)
        losers = [c for c in candidates if not _blank(c.valor)]
        canonical = found.values[destino]
        if not _blank(canonical):
            losers.append(Candidate(destino, _CANONICAL_RANK, -1, tuple(DESTINOS[destino].split(".")), canonical))
            losers.sort(key=lambda c: (c.rank, c.ordem))
        if not losers:
            continue
        winner = losers.pop(0)
        found.values[destino] = winner.valor
        if winner.rank != _CANONICAL_RANK:
            yield "mapeado", destino, winner, winner.rank < _CANONICAL_RANK
        for loser in losers:
            if comparable(loser.valor) != comparable(winner.valor):
                keep_extra(found.extras, loser.chaves, loser.valor)
                yield "divergente", destino, loser, False


def _blank(value: Any) -> bool:
    return value is None or (type(value) is str and not value.strip())


def _as_sent(value: Any) -> Any:
    return (type(value) is bool, value)  # True would pass for 1


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
    raw = resources.files("crivo.autorizacoes").joinpath("equivalencias.json").read_bytes()
    return msgspec.json.decode(raw, type=dict[str, str])


def _nao_lidos() -> Mapping[str, str]:
    """Names of fields that may weigh on a decision and that nothing reads, each with the alert that tells it."""
    raw = resources.files("crivo.autorizacoes").joinpath("nao_lidos.json").read_bytes()
    return {nome: codigo for codigo, nomes in msgspec.json.decode(raw, type=dict[str, tuple[str, ...]]).items() for nome in nomes}


_NAO_LIDOS = _nao_lidos()
_ROOT = {destino: index for destino, index in INDEX.items() if "." not in destino}
_OBJECTS = {
    objeto: {destino.partition(".")[2]: index for destino, index in INDEX.items() if destino.startswith(f"{objeto}.")} for objeto in OBJETOS
}
