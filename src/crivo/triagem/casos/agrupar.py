"""Which signs one cause sets off. Source: design, The mesa ("Cases instead of signs").

A passage: what hides it and what it says are one case, in whatever projects it stands. Projects: all that two, or a group, have in common
is one case; a sign over some of a group joins the group. Nothing is joined because it is joined to something else, so that no edital
becomes one giant case. Prices, and interests of people who judge, are one case for each project.
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from crivo.kernel.linguagem.dobra import fold
from crivo.triagem.achados import Irregularidade
from crivo.triagem.casos.achado import GRAVIDADES, CasoAchado, make_caso, projects_of
from crivo.triagem.irregularidades.sinais import SINAL_DE, Familia

_LEAST_LETTERS: Final = 12  # of a passage that is told from others wherever it stands: less is said by chance
_ABSORBS: Final = 8  # projects: a larger group is of everybody, and what few of its projects have in common is something else

_Causas = dict[int, frozenset[str]]  # by the place of a sign


def casos_of(irregularidades: Sequence[Irregularidade]) -> tuple[CasoAchado, ...]:
    """The cases of an execução, each sign in one of them: the gravest first, then by their projects. Any order of signs gives the same."""
    of: dict[Familia, list[int]] = defaultdict(list)
    for at, one in enumerate(irregularidades):
        of[SINAL_DE[one.tipo].familia].append(at)
    found = [
        *_of_passages(irregularidades, of["texto"]),
        *_of_groups(irregularidades, of["projetos"]),
        *_of_each_project(irregularidades, of["preco"], "preco"),
        *_of_each_project(irregularidades, of["conflito"], "conflito"),
    ]
    return tuple(sorted(found, key=lambda one: (GRAVIDADES.index(one.gravidade), one.projetos, one.causa)))


def _of_each_project(signs: Sequence[Irregularidade], places: Sequence[int], familia: Familia) -> Iterator[CasoAchado]:
    by_project: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for at in places:
        by_project[tuple(sorted(signs[at].projetos))].append(at)
    for projetos, its in by_project.items():
        causa = _named(familia, *projetos)
        yield make_caso(signs, its, dict.fromkeys(its, frozenset({causa})), causa)


def _of_groups(signs: Sequence[Irregularidade], places: Sequence[int]) -> Iterator[CasoAchado]:
    """Each set of projects is a case, but for those that are part of one that is not too large: the smallest of these takes them in."""
    over: dict[frozenset[str], list[int]] = defaultdict(list)
    for at in places:
        over[projects_of(signs[at])].append(at)
    taken_in_by = _larger(list(over))
    its: dict[frozenset[str], list[int]] = defaultdict(list)
    for projetos, found in over.items():
        whole = projetos
        while whole in taken_in_by:
            whole = taken_in_by[whole]
        its[whole] += found
    for projetos, found in its.items():
        causas: _Causas = {at: frozenset({_named("projetos", *sorted(projects_of(signs[at])))}) for at in found}
        yield make_caso(signs, found, causas, _named("projetos", *sorted(projetos)))


def _larger(groups: Sequence[frozenset[str]]) -> Mapping[frozenset[str], frozenset[str]]:
    """By group, the smallest other that has all of it."""
    having: dict[str, list[frozenset[str]]] = defaultdict(list)
    for group in groups:
        if len(group) <= _ABSORBS:
            for codigo in group:
                having[codigo].append(group)
    found = {}
    for group in groups:
        others = min((having[codigo] for codigo in group), key=len, default=[])
        larger = [other for other in others if group < other]
        if larger:
            found[group] = min(larger, key=lambda other: (len(other), sorted(other)))
    return found


def _of_passages(signs: Sequence[Irregularidade], places: Sequence[int]) -> Iterator[CasoAchado]:
    """The passage that most signs are about is a case with all of these; then the next, over the signs that are left."""
    causas = _passages(signs, places)
    about: dict[str, set[int]] = defaultdict(set)
    for at, passages in causas.items():
        for passage in passages:
            about[passage].add(at)
    left = set(places)
    queue = [(_rank(signs, its), causa) for causa, its in about.items()]
    heapq.heapify(queue)
    while left:
        rank, causa = heapq.heappop(queue)
        its = about[causa] & left
        now = _rank(signs, its)
        if now != rank:  # some of its signs went to another passage meanwhile
            if its:
                heapq.heappush(queue, (now, causa))
            continue
        left -= its
        yield make_caso(signs, sorted(its), causas, causa)


def _rank(signs: Sequence[Irregularidade], its: set[int]) -> tuple[int, int]:
    return -len(its), -len({signs[at].tipo for at in its})


def _passages(signs: Sequence[Irregularidade], places: Sequence[int]) -> _Causas:
    """What each sign is about: its passages, and those of the same project that are part of them."""
    own = {at: {_plain(one.trecho) for one in signs[at].evidencia} - {""} for at in places}
    of_project: dict[tuple[str, ...], set[str]] = defaultdict(set)
    for at in places:
        of_project[signs[at].projetos] |= {passage for passage in own[at] if len(passage) >= _LEAST_LETTERS}
    causas: _Causas = {}
    for at in places:
        sinal = signs[at]
        within = {part for part in of_project[sinal.projetos] for passage in own[at] if part in passage}
        here = sinal.projetos
        told = {_named("texto", part) if len(part) >= _LEAST_LETTERS else _named("texto", *here, part) for part in own[at] | within}
        causas[at] = frozenset(told) or frozenset({_named("texto", *here, sinal.arquivo or "", sinal.campo or "")})
    return causas


def _plain(text: str) -> str:
    """A passage as it is compared: letters and figures alone, as blanks and what has no width hide between them."""
    return "".join(filter(str.isalnum, fold(text)))


def _named(familia: Familia, *parts: str) -> str:
    return "\n".join((familia, *parts))
