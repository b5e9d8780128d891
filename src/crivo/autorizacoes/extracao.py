"""What a pedido says of each field, under whatever name: planned once for all pedidos with the same keys.

Source: PRD RF1, "múltiplos campos equivalentes".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import resources
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

import msgspec

from crivo.autorizacoes.campos import CANONICAL_RANK, DESTINOS, INDEX, LONGEST_FIELD_NAME, OBJETOS, TabelaDeCampos, fold_field
from crivo.autorizacoes.leitura import Bruto

NAO_USADOS = "nao_usados"
"""Where a mapping keeps what it does not use of a pedido, by its path."""
NAO_LIDO = "nao_lido"
"""Where a mapping keeps a value that is not written as it says, so that nobody reads it another way."""
FUTURO = "futuro"
"""Beside it, that it is a date after the pedido's."""
_NAME = re.compile(r"\.(\w+)|\['(.+?)'\]")
_ABSENT = -1
_MOST_KEYS = 64
_MOST_PLANS = 512


class Origem(NamedTuple):
    """Where in a pedido a field stands under another name than the canonical one; the lowest rank of a destination wins."""

    destino: int
    rank: int
    chaves: tuple[str, ...]
    position: int


class Candidate(msgspec.Struct, frozen=True, gc=False):
    """A value found under another name than the canonical one."""

    origem: Origem
    valor: Any


class Found(msgspec.Struct, gc=False):
    """What a pedido holds: values under canonical names by destination, candidates by destination and rank, everything else, and faults.

    `misshapen` are keys that should have held an object; `nao_lidos` are alerts about what no rule reads, though whoever sent it may
    count on it: code and place.
    """

    values: list[Any]
    candidates: list[Candidate]
    extras: dict[str, Any]
    misshapen: list[str]
    nao_lidos: list[str]


Forma = tuple[tuple[str, ...], ...]
"""The keys of a pedido: those of its root, then those of each object in it after the key that it stands under."""


class Plano(NamedTuple):
    """What the values of every pedido of one `Forma` are, by their position: first those of the root, then those of each object.

    `sobras` are fields that the table does not know, with the alert that such a field deserves, empty for none.
    """

    canonicos: Callable[[Sequence[Any]], tuple[Any, ...]]
    candidatos: tuple[Origem, ...]
    sobras: tuple[tuple[int, tuple[str, ...], str], ...]
    disformes: tuple[tuple[int, str], ...]


class Extrator:
    """Finds the fields of a pedido by a table; remembers how, for at most 512 sets of keys."""

    def __init__(self, tabela: TabelaDeCampos) -> None:
        self.tabela = tabela
        self.planos: dict[Forma, Plano] = {}

    def find(self, pedido: Bruto) -> Found:
        """Every field of the pedido, each in exactly one place of what is returned."""
        chaves = [tuple(pedido)]
        values = list(pedido.values())
        for key, value in pedido.items():
            if type(value) is dict:
                chaves.append((key, *value))
                values += value.values()
        values.append(None)  # stands last, where `_ABSENT` finds it
        forma = tuple(chaves)
        plano = self.planos.get(forma) or self._plan(forma)
        found = Found(list(plano.canonicos(values)), [], {}, [], [])
        for origem in plano.candidatos:
            if (value := values[origem.position]) is not None:
                found.candidates.append(Candidate(origem, value))
        for position, lugar, codigo in plano.sobras:
            if (value := values[position]) is not None:
                keep_extra(found.extras, lugar, value)
                if codigo and value is not False and value != [] and not _blank(value):
                    found.nao_lidos.append(f"{codigo}:{'.'.join(lugar)[:LONGEST_FIELD_NAME]}")
        for position, key in plano.disformes:
            if values[position] is not None:
                found.misshapen.append(key)
        return found

    def _plan(self, forma: Forma) -> Plano:
        """The plan of a `Forma`, kept for the next pedido like it where its keys are of a usual number and length."""
        plano = _Planner(self.tabela).plan(forma)
        keys = [key for chaves in forma for key in chaves]
        if len(keys) <= _MOST_KEYS and max(map(len, keys), default=0) <= LONGEST_FIELD_NAME:
            if len(self.planos) >= _MOST_PLANS:
                self.planos.clear()
            self.planos[forma] = plano
        return plano


class _Planner:
    """Tells what each key of one `Forma` is; it lives as long as a call of `plan`."""

    def __init__(self, tabela: TabelaDeCampos) -> None:
        self._alvos = tabela.alvos
        self._recipientes = tabela.recipientes
        self._canonicos = [_ABSENT] * len(DESTINOS)
        self._candidatos: list[Origem] = []
        self._sobras: list[tuple[int, tuple[str, ...], str]] = []

    def plan(self, forma: Forma) -> Plano:
        roots, *inner = forma
        objects: dict[str, range] = {}
        at = len(roots)
        names = list(roots)
        for key, *own in inner:
            names += own
            objects[key] = range(at, at := at + len(own))
        disformes = []
        for position, key in enumerate(roots):
            folded = fold_field(key)
            if key in _ROOT:
                self._canonicos[_ROOT[key]] = position
            elif folded in self._recipientes and key in objects:
                self._enter(key, folded, [(one, names[one]) for one in objects[key]])
            elif folded in OBJETOS or (folded in self._recipientes and folded not in self._alvos):
                disformes.append((position, key))
            else:
                self._weigh(position, (key,), folded)
        # The sort is stable: of two names of one rank, the one that came first.
        candidatos = sorted(self._candidatos, key=itemgetter(0, 1))
        return Plano(itemgetter(*self._canonicos), tuple(candidatos), tuple(self._sobras), tuple(disformes))

    def _enter(self, key: str, folded: str, own: list[tuple[int, str]]) -> None:
        exact = _OBJECTS.get(key, {})
        for position, name in own:
            if name in exact:
                self._canonicos[exact[name]] = position
            else:
                self._weigh(position, (key, name), f"{folded}.{fold_field(name)}")

    def _weigh(self, position: int, chaves: tuple[str, ...], folded: str) -> None:
        alvo = self._alvos.get(folded)
        if alvo is None:
            self._sobras.append((position, chaves, _NAO_LIDOS.get(folded.rpartition(".")[2], "")))
        else:
            self._candidatos.append(Origem(*alvo, chaves, position))


def nao_lido_by_name(folded: str) -> str:
    """The alert that a field deserves which nothing reads, by its folded name; empty for none."""
    return _NAO_LIDOS.get(folded, "")


def last_name(caminho: str) -> str:
    """The last name in a path of a mapping, `obs` of `$.guia.itens[0].obs`; empty where it is no such path."""
    names = path_names(caminho)
    return names[-1] if names else ""


def path_names(caminho: str) -> list[str]:
    """Every name in a path of a mapping, from the root; none where it is no such path."""
    return ["".join(found) for found in _NAME.findall(caminho)] if caminho.startswith("$") else []


def keep_extra(extras: dict[str, Any], chaves: tuple[str, ...], value: Any) -> None:
    """Keep a value where it stood, so that nothing that was sent is thrown away. Source: PRD RF1."""
    for chave in chaves[:-1]:
        extras = extras.setdefault(chave, {})
    extras[chaves[-1]] = value


def settle(found: Found, same: Mapping[int, Any]) -> Iterator[tuple[str, Origem, bool]]:
    """Decide between the candidates of each destination, moving the winner into `found.values`.

    Yields `("mapeado" | "divergente", origem, from_tuss)`; a loser that says the same is dropped in silence.
    `same` gives, for destinations that need it, the function that brings two values to comparable form.
    """
    for destino, candidates in groupby(found.candidates, key=lambda candidate: candidate.origem.destino):
        losers = [candidate for candidate in candidates if not _blank(candidate.valor)]
        canonical = found.values[destino]
        if not _blank(canonical):
            losers.append(Candidate(_CANONICAL[destino], canonical))
            losers.sort(key=lambda candidate: candidate.origem.rank)
        if not losers:
            continue
        winner = losers.pop(0)
        found.values[destino] = winner.valor
        if winner.origem.rank != CANONICAL_RANK:
            yield "mapeado", winner.origem, winner.origem.rank < CANONICAL_RANK
        comparable = same.get(destino, _as_sent)
        for loser in losers:
            if comparable(loser.valor) != comparable(winner.valor):
                keep_extra(found.extras, loser.origem.chaves, loser.valor)
                yield "divergente", loser.origem, False


def _blank(value: Any) -> bool:
    return value is None or (type(value) is str and not value.strip())


def _as_sent(value: Any) -> Any:
    return (type(value) is bool, value)  # True would pass for 1


def _nao_lidos() -> Mapping[str, str]:
    """Names of fields that may weigh on a decision and that nothing reads, each with the alert that tells it."""
    raw = resources.files("crivo.autorizacoes").joinpath("nao_lidos.json").read_bytes()
    return {nome: codigo for codigo, nomes in msgspec.json.decode(raw, type=dict[str, tuple[str, ...]]).items() for nome in nomes}


_NAO_LIDOS = _nao_lidos()
_ROOT = {destino: index for destino, index in INDEX.items() if "." not in destino}
_OBJECTS = {
    objeto: {destino.partition(".")[2]: index for destino, index in INDEX.items() if destino.startswith(f"{objeto}.")} for objeto in OBJETOS
}
_CANONICAL = tuple(Origem(index, CANONICAL_RANK, tuple(destino.split(".")), index) for destino, index in INDEX.items())
