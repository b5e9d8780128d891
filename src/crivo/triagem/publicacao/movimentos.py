"""What two results differ in, as people ask it: who entered or left, went up or down, and whose nota or situação is another.

A row differs also where only its sentence does, as that names how many compete; that is no change of anybody's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Literal

from crivo.triagem.classificacao.publicado import LugarPublicado
from crivo.triagem.edital import Value
from crivo.triagem.publicacao.comparacao import Mudanca

Movimento = Literal["entrou", "saiu", "situacao", "vaga", "nota", "subiu", "desceu", "novo", "sumiu"]
"""Selected and was not, or the other way; another situação, vaga or nota; a better or worse place; a project that was not, or is not."""
ORDEM: tuple[Movimento, ...] = ("entrou", "saiu", "situacao", "vaga", "nota", "subiu", "desceu", "novo", "sumiu")


class Movido(Value, frozen=True):
    """A project with all that changed of it, the weightiest first."""

    mudanca: Mudanca
    movimentos: tuple[Movimento, ...]


def moved(mudancas: Sequence[Mudanca]) -> tuple[Movido, ...]:
    """Those of which something changed, who entered and who left first, else in the order in which they come."""
    found = [Movido(one, tuple([of for of in ORDEM if of in _of(one)])) for one in mudancas]
    told = [one for one in found if one.movimentos]
    return tuple(sorted(told, key=lambda one: min(2, ORDEM.index(one.movimentos[0]))))


def counted(movidos: Sequence[Movido]) -> Mapping[Movimento, int]:
    """How many there are of each kind, in the order of the kinds; those that there are none of are left out."""
    found = Counter(of for one in movidos for of in one.movimentos)
    return {of: found[of] for of in ORDEM if found[of]}


def _of(mudanca: Mudanca) -> set[Movimento]:
    antes, depois = mudanca.antes, mudanca.depois
    found: set[Movimento] = set()
    if mudanca.entrou:
        found.add("entrou")
    if mudanca.saiu:
        found.add("saiu")
    if antes is None or depois is None:
        found.add("novo" if antes is None else "sumiu")
        return found
    if antes.situacao != depois.situacao:
        found.add("situacao")
    if antes.vaga != depois.vaga and not found:
        found.add("vaga")
    if _another_nota(antes, depois):
        found.add("nota")
    if antes.posicao is not None and depois.posicao is not None and antes.posicao != depois.posicao:
        found.add("subiu" if depois.posicao < antes.posicao else "desceu")
    return found


def _another_nota(antes: LugarPublicado, depois: LugarPublicado) -> bool:
    """Whether a nota that stands in both is another: one that a rule before takes away, or gives back, is told by the situação."""
    pairs = [(antes.nota_base, depois.nota_base), (antes.bonus, depois.bonus), (antes.nota_final, depois.nota_final)]
    pairs += [(nota, depois.notas[criterio]) for criterio, nota in antes.notas.items() if criterio in depois.notas]
    return any(before is not None and after is not None and before != after for before, after in pairs)
