"""Who is to judge which project, drawn: the same values and the same semente give the same pairs, whoever repeats it.

Pure. Everything is put in order by SHA-256 in hex: projects by `<semente>:<código>`, people of equal load for a project by
`<semente>:<código>:<pessoa>`. Rounds give each project one person at a time, the least loaded of those who may; where everybody is full,
somebody who has room takes over a project of theirs. At last projects pass from the most to the least loaded for as long as that evens
two loads that are two apart or more, so that no other draw of as many pairs has them more even.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import sha256
from itertools import pairwise
from typing import Final, Literal, get_args

import msgspec

from crivo.kernel.linguagem.dobra import fold
from crivo.triagem.edital import Value

RazaoDaFalta = Literal["impedidas", "outra_categoria", "no_limite"]
"""Why somebody cannot be given a project: they have it, had it or may not judge it; they keep to other categorias; they have as many as
they may.
"""


_RAZOES: Final[tuple[RazaoDaFalta, ...]] = get_args(RazaoDaFalta)


class ParaSortear(Value, frozen=True):
    """A project that lacks `quantos` people; `fora` are those who may not be drawn for it, as they have it or must not judge it."""

    codigo: str
    quantos: int
    categoria: str = ""
    fora: tuple[str, ...] = ()


class PessoaNoSorteio(Value, frozen=True):
    """Somebody who judges: how many projects they have already, the most that they may have, and the categorias that they keep to.

    No `maximo`: as many as come. No `categorias`: all.
    """

    id: str
    carga: int = 0
    maximo: int | None = None
    categorias: tuple[str, ...] = ()


class Entrada(Value, frozen=True):
    """All that a draw is made from. Each project and each person stands there once."""

    semente: str
    projetos: tuple[ParaSortear, ...]
    pessoas: tuple[PessoaNoSorteio, ...]


class Falta(Value, frozen=True):
    """A project that got fewer people than it lacks: how many more, and of how many people each reason kept it from."""

    codigo: str
    faltam: int
    razoes: Mapping[RazaoDaFalta, int]


class Sorteado(Value, frozen=True):
    """What was drawn: the people of each project in the order of the codes, and what could not be."""

    pares: tuple[tuple[str, tuple[str, ...]], ...]
    faltas: tuple[Falta, ...]

    @property
    def resumo(self) -> str:
        """SHA-256 in hex of the pairs: two draws that gave the same have the same."""
        return sha256(msgspec.json.encode(self.pares)).hexdigest()


def in_order(entrada: Entrada) -> Entrada:
    """The same values in one order, so that they have one digest however they came."""
    return Entrada(
        entrada.semente,
        tuple(sorted([_settled(one) for one in entrada.projetos], key=lambda one: one.codigo)),
        tuple(sorted(entrada.pessoas, key=lambda one: one.id)),
    )


def resumo_of(entrada: Entrada) -> str:
    """SHA-256 in hex of all that a draw is made from."""
    return sha256(msgspec.json.encode(in_order(entrada))).hexdigest()


def draw(entrada: Entrada) -> Sorteado:
    """The people of each project."""
    return _Draw(entrada).drawn()


def shuffled(semente: str, codigos: Iterable[str]) -> tuple[str, ...]:
    """Codes in the order in which they are drawn."""
    return tuple(sorted(set(codigos), key=lambda codigo: _hash(semente, codigo)))


def _settled(projeto: ParaSortear) -> ParaSortear:
    return msgspec.structs.replace(projeto, fora=tuple(sorted(set(projeto.fora))))


def _hash(*parts: str) -> str:
    return sha256(":".join(parts).encode()).hexdigest()


class _Draw:
    """A draw under way: people and projects are known by their places, and sets of people are bits."""

    def __init__(self, entrada: Entrada) -> None:
        self._semente = entrada.semente
        self._pessoas = sorted(entrada.pessoas, key=lambda one: _hash(entrada.semente, one.id))
        self._projetos = sorted(entrada.projetos, key=lambda one: _hash(entrada.semente, one.codigo))
        self._cargas = [one.carga for one in self._pessoas]
        by_categoria = self._by_categoria()
        bits = {one.id: 1 << at for at, one in enumerate(self._pessoas)}
        self._podem = [by_categoria(one.categoria) & ~_union(bits.get(who, 0) for who in one.fora) for one in self._projetos]
        self._tem = [0] * len(self._projetos)  # who was drawn for each project
        # Of each person, what they were drawn for, by who else may have it: thousands of projects have few such sets.
        self._de: list[dict[int, dict[int, None]]] = [{} for _ in self._pessoas]

    def drawn(self) -> Sorteado:
        rounds = max((one.quantos for one in self._projetos), default=0)
        for turn in range(rounds):
            for at, projeto in enumerate(self._projetos):
                if turn < projeto.quantos and self._tem[at].bit_count() == turn:
                    self._give_one(at)
        self._even_out()
        found = sorted(enumerate(self._projetos), key=lambda one: one[1].codigo)
        pares = [(one.codigo, tuple(sorted([self._pessoas[who].id for who in _bits(self._tem[at])]))) for at, one in found if self._tem[at]]
        return Sorteado(tuple(pares), tuple([self._lacking(at) for at, one in found if self._tem[at].bit_count() < one.quantos]))

    def _give_one(self, at: int) -> None:
        free = self._podem[at] & ~self._tem[at]
        having_room = [who for who in _bits(free) if self._has_room(who)]
        if having_room:
            least = min(self._cargas[who] for who in having_room)
            ties = [who for who in having_room if self._cargas[who] == least]
            codigo = self._projetos[at].codigo
            self._put(at, ties[0] if len(ties) == 1 else min(ties, key=lambda who: _hash(self._semente, codigo, self._pessoas[who].id)))
            return
        # Everybody who may is full: one of them gives a project to somebody who has room, however many hands it passes through.
        path = self._path(free, self._has_room)
        if path:
            self._pass_along(path)
            self._put(at, path[0])

    def _even_out(self) -> None:
        moved = True
        while moved:
            moved = False
            for who in sorted(range(len(self._pessoas)), key=lambda one: (-self._cargas[one], one)):
                most = self._cargas[who] - 2
                least = min(self._cargas, default=0)
                if most < least:
                    return
                path = self._path(1 << who, lambda other, most=most: self._cargas[other] <= most and self._has_room(other))  # type: ignore[misc]
                if path:
                    self._pass_along(path)
                    moved = True
                    break

    def _path(self, start: int, ends: Callable[[int], bool]) -> list[int]:
        """The shortest way by which projects pass from one of `start` to somebody where it ends; empty where there is none."""
        came: dict[int, int | None] = dict.fromkeys(_bits(start))
        todo = deque(came)
        while todo:
            who = todo.popleft()
            for other in sorted(self._takers(who), key=lambda one: (self._cargas[one], one)):
                if other in came:
                    continue
                came[other] = who
                if ends(other):
                    return _back(came, other)
                todo.append(other)
        return []

    def _takers(self, who: int) -> Iterable[int]:
        """Who may take a project over from somebody."""
        reach = _union(self._de[who])
        return [other for other in _bits(reach) if other != who and self._to_pass(who, other) is not None]

    def _to_pass(self, who: int, other: int) -> int | None:
        bit = 1 << other
        best: int | None = None
        for podem, those in self._de[who].items():
            if podem & bit:
                found = next((at for at in those if not self._tem[at] & bit), None)
                if found is not None and (best is None or found < best):
                    best = found
        return best

    def _pass_along(self, path: Sequence[int]) -> None:
        for who, other in reversed(list(pairwise(path))):
            at = self._to_pass(who, other)
            if at is None:  # pragma: no cover - a step is only made where there is one
                raise AssertionError("a path passes projects that are there")
            self._tem[at] &= ~(1 << who)
            self._cargas[who] -= 1
            del self._de[who][self._podem[at]][at]
            self._put(at, other)

    def _put(self, at: int, who: int) -> None:
        self._tem[at] |= 1 << who
        self._cargas[who] += 1
        self._de[who].setdefault(self._podem[at], {})[at] = None

    def _has_room(self, who: int) -> bool:
        most = self._pessoas[who].maximo
        return most is None or self._cargas[who] < most

    def _lacking(self, at: int) -> Falta:
        projeto = self._projetos[at]
        fora, categoria = frozenset(projeto.fora), fold(projeto.categoria)
        razoes: dict[RazaoDaFalta, int] = dict.fromkeys(_RAZOES, 0)
        for who, pessoa in enumerate(self._pessoas):
            if self._tem[at] & 1 << who:
                continue
            razao: RazaoDaFalta = "impedidas" if pessoa.id in fora else "no_limite" if _keeps_to(pessoa, categoria) else "outra_categoria"
            razoes[razao] += 1
        told = {razao: many for razao, many in razoes.items() if many}
        return Falta(projeto.codigo, projeto.quantos - self._tem[at].bit_count(), told)

    def _by_categoria(self) -> Callable[[str], int]:
        known: dict[str, int] = {}

        def those(categoria: str) -> int:
            name = fold(categoria)
            if name not in known:
                known[name] = _union(1 << at for at, one in enumerate(self._pessoas) if _keeps_to(one, name))
            return known[name]

        return those


def _keeps_to(pessoa: PessoaNoSorteio, categoria: str) -> bool:
    return not pessoa.categorias or any(fold(one) == categoria for one in pessoa.categorias)


def _union(sets: Iterable[int]) -> int:
    found = 0
    for one in sets:
        found |= one
    return found


def _bits(those: int) -> list[int]:
    found = []
    while those:
        lowest = those & -those
        found.append(lowest.bit_length() - 1)
        those ^= lowest
    return found


def _back(came: Mapping[int, int | None], last: int) -> list[int]:
    path, at = list[int](), None if last not in came else last
    while at is not None:
        path.append(at)
        at = came[at]
    return path[::-1]
