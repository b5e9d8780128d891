"""Which projects ask for another person: two who judged them are too far apart, or somebody turned out to be impeded. Nothing is stored."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence, Set
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal
from uuid import UUID

from crivo.triagem.classificacao.concorrencia import Avaliada, Concorrencia
from crivo.triagem.classificacao.exato import unscaled
from crivo.triagem.classificacao.juizo import Juizo
from crivo.triagem.classificacao.regua import Regua
from crivo.triagem.classificacao.resultado import Divergem
from crivo.triagem.edital import Value

RazaoDeOutra = Literal["divergem", "impedimento"]


class Distancia(Value, frozen=True):
    """A critério in which two people are further apart than the call lets them be: its name and both notas."""

    criterio: str
    menor: Decimal
    maior: Decimal


class PedeOutra(Value, frozen=True):
    """A project that asks for another person. `quantos` more are to be drawn; `a_caminho` have it and have not sent their notas."""

    projeto_id: str
    razao: RazaoDeOutra
    quantos: int
    a_caminho: int
    distancias: tuple[Distancia, ...] = ()


@dataclass(frozen=True, slots=True)
class Julgados:
    """What people make of the projects of a call. `dadas`: who has which project; `avaliacoes`: what each sent, by the person's id;
    `afastados`: the projects from which somebody was taken as they are impeded; `alvo`: how many people each is to have.
    """

    concorrencia: Concorrencia
    dadas: Mapping[str, Set[UUID]]
    afastados: Collection[str]
    alvo: int


def asking(julgados: Julgados, codigos: Sequence[str]) -> tuple[PedeOutra, ...]:
    """Those of these projects that ask for another person, in their order; who diverges before who lacks somebody."""
    regua = Regua(julgados.concorrencia)
    juizo = Juizo(julgados.concorrencia, regua)
    of: dict[str, list[Avaliada]] = {}
    for one in julgados.concorrencia.avaliacoes:
        of.setdefault(one.projeto, []).append(one)
    found = list[PedeOutra]()
    for codigo in codigos:
        whole = [one for one in of.get(codigo, ()) if regua.notas_of(one) is not None]
        sent = {one.avaliador for one in whole}
        underway = sum(str(one) not in sent for one in julgados.dadas.get(codigo, ()))
        apart = juizo.diverge(whole)
        if apart:
            found.append(PedeOutra(codigo, "divergem", 0 if underway else 1, underway, _distances(regua, apart)))
        elif codigo in julgados.afastados and (lacking := julgados.alvo - len(sent) - underway) > 0:
            found.append(PedeOutra(codigo, "impedimento", lacking, underway))
    return tuple(found)


def _distances(regua: Regua, apart: Sequence[object]) -> tuple[Distancia, ...]:
    return tuple(
        [
            Distancia(regua.criterios[one.criterio].nome, unscaled(one.menor, regua.casas_notas), unscaled(one.maior, regua.casas_notas))
            for one in apart
            if isinstance(one, Divergem)
        ]
    )
