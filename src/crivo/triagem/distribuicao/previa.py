"""What giving projects to people would do, before it is done: who gets what, who is left out, and why. Nothing is stored here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal
from uuid import UUID

import msgspec

from crivo.triagem.achados import Irregularidade
from crivo.triagem.distribuicao.guardados import Quem
from crivo.triagem.edital import Avaliador, Projeto, Value
from crivo.triagem.irregularidades.conflito import find_conflito_de_interesse, is_same_conflito, ties_of
from crivo.triagem.marcas import differing, foreseen, state_of

RazaoDeFora = Literal["desconhecido", "retirado", "inabilitado", "ja_dado", "impedida", "conflito"]
Conflitos = Mapping[UUID, tuple[str, ...]]
"""What each person has in common with whoever proposes a project, in words; of who has nothing, nothing."""


@dataclass(frozen=True, slots=True)
class Candidato:
    """A project as it stands: whether it was withdrawn, whether a person left it out, who has it, who is impeded in it, and who may have an
    interest in it.
    """

    codigo: str
    retirado: bool = False
    inabilitado: bool = False
    dado_a: frozenset[UUID] = frozenset()
    conflitos: Conflitos = field(default_factory=dict)
    impedidas: frozenset[UUID] = frozenset()


class Dada(Value, frozen=True):
    """A project that would be given to these people."""

    projeto_id: str
    avaliadores: tuple[UUID, ...]


class DeFora(Value, frozen=True):
    """A project that would not be given, to nobody or to that one of them, and why; of a conflict, what both have in common."""

    projeto_id: str
    razao: RazaoDeFora
    avaliador: UUID | None = None
    em_comum: tuple[str, ...] = ()


class PreviaDeDistribuicao(Value, frozen=True):
    """What would come of giving, by the projects' codes. `prevista` is what whoever then gives sends back."""

    edital_id: str
    avaliadores: tuple[Quem, ...]
    entram: tuple[Dada, ...]
    ficam: tuple[DeFora, ...]
    prevista: str

    @property
    def dadas(self) -> int:
        """How many there are in all, each project counted once for each of its people."""
        return sum(len(one.avaliadores) for one in self.entram)


def foresee(
    edital_id: str, codigos: Sequence[str], avaliadores: Sequence[Quem], candidatos: Mapping[str, Candidato]
) -> PreviaDeDistribuicao:
    """What giving these projects to these people would do, each told once, in the order of the codes."""
    people = tuple(dict.fromkeys(avaliadores))
    entram, ficam, states = list[Dada](), list[DeFora](), list[bytes]()
    for codigo in sorted(set(codigos)):
        found = candidatos.get(codigo)
        states.append(_state(codigo, people, found))
        whole = _left_out(found)
        if whole is not None or found is None:
            ficam.append(DeFora(codigo, whole or "desconhecido"))
            continue
        ficam += [DeFora(codigo, "ja_dado", one.id) for one in people if one.id in found.dado_a]
        ficam += [DeFora(codigo, "impedida", one.id) for one in people if one.id in found.impedidas - found.dado_a]
        free = [one.id for one in people if one.id not in found.dado_a | found.impedidas]
        ficam += [DeFora(codigo, "conflito", one, found.conflitos[one]) for one in free if one in found.conflitos]
        get = tuple([one for one in free if one not in found.conflitos])
        if get:
            entram.append(Dada(codigo, get))
    return PreviaDeDistribuicao(edital_id, people, tuple(entram), tuple(ficam), foreseen(states))


def changed_since(prevista: str, codigos: Sequence[str], nova: PreviaDeDistribuicao) -> tuple[str, ...] | None:
    """The codes of which another state was foreseen than now; None where nothing is another, none where it cannot be told which."""
    return differing(sorted(set(codigos)), prevista, nova.prevista)


def conflitos_of(
    avaliadores: Mapping[UUID, Avaliador], projetos: Sequence[Projeto], descartados: Sequence[Irregularidade] = ()
) -> Mapping[str, Conflitos]:
    """Who may have an interest in which project if all of these were given to all of them, by the project's code.

    As the screening finds it; a sign that a person dismissed is none.
    """
    codigos = tuple([one.id for one in projetos])
    found: dict[str, dict[UUID, tuple[str, ...]]] = {}
    for quem, avaliador in avaliadores.items():
        for sinal in find_conflito_de_interesse([msgspec.structs.replace(avaliador, projetos=codigos)], projetos):
            if not any(is_same_conflito(sinal, other) for other in descartados):
                found.setdefault(sinal.projetos[0], {})[quem] = ties_of(sinal)
    return found


def _left_out(found: Candidato | None) -> RazaoDeFora | None:
    """Why a project is given to nobody; the first of the reasons that hold."""
    if found is None:
        return "desconhecido"
    if found.retirado:
        return "retirado"
    return "inabilitado" if found.inabilitado else None


def _state(codigo: str, people: Sequence[Quem], found: Candidato | None) -> bytes:
    asked = sorted([one.id.hex for one in people])
    if found is None:
        return state_of(codigo, asked)
    given = sorted([one.hex for one in found.dado_a if one.hex in asked])
    ties = sorted([(one.hex, ties) for one, ties in found.conflitos.items()])
    barred = sorted([one.hex for one in found.impedidas if one.hex in asked])
    return state_of(codigo, asked, found.retirado, found.inabilitado, given, ties, barred)
