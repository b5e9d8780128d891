"""Which stored case a case that was found is: what people said of it, and its number, go on with it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from crivo.triagem.irregularidades.sinais import Familia


@dataclass(frozen=True, slots=True)
class Marca:
    """What a case is known by: keyed digests of its cause, and of the causes of its signs."""

    familia: Familia
    chave: bytes
    pistas: frozenset[bytes]


def match_casos(known: Sequence[tuple[UUID, Marca]], found: Sequence[Marca]) -> Mapping[int, UUID]:
    """By the place of a case that was found, the stored one that it is; new ones are left out.

    It is the one with its own cause, or else the one, still free, with most of the causes of its signs: a pair that a third project came
    to is the same case. Of equals the first known wins, and no stored case is two of those found.
    """
    same: dict[int, UUID] = {}
    by_cause = {(marca.familia, marca.chave): which for which, marca in reversed(known)}
    for at, marca in enumerate(found):
        which = by_cause.pop((marca.familia, marca.chave), None)
        if which is not None:
            same[at] = which
    taken = set(same.values())
    having: dict[tuple[Familia, bytes], list[UUID]] = defaultdict(list)
    for which, marca in known:
        for pista in marca.pistas:
            having[marca.familia, pista].append(which)
    order = {which: at for at, (which, _) in enumerate(known)}
    for at, marca in enumerate(found):
        if at not in same:
            shared = Counter(which for pista in marca.pistas for which in having.get((marca.familia, pista), ()) if which not in taken)
            if shared:
                same[at] = max(shared, key=lambda which: (shared[which], -order[which]))
                taken.add(same[at])
    return same
