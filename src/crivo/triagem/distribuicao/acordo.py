"""How far people agree who judged the same projects: notas beside each other by critério, and the ICC of all of them. Pure.

Source: Shrout & Fleiss (1979), ICC(2,1), as in `concordancia`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import Final

import numpy as np

from crivo.triagem.concordancia import PARES_MINIMO, Medida, NotaHumana, icc
from crivo.triagem.edital import Criterio, Value

_PEOPLE: Final = 2


class NotasDoProjeto(Value, frozen=True):
    """What people gave a project in a critério: each with the person's id, the lowest, the highest and the mean."""

    projeto_id: str
    notas: tuple[tuple[str, Decimal], ...]
    menor: Decimal
    maior: Decimal
    media: Decimal


class AcordoNoCriterio(Value, frozen=True):
    """A critério over the common projects. `amplitude` is the widest distance in one project, as a share of the scale, 0 to 1."""

    criterio: str
    nome: str
    projetos: tuple[NotasDoProjeto, ...]
    amplitude: float


class AcordoDaCalibracao(Value, frozen=True):
    """The agreement of those who sent all the common projects (`completas` of them), and of each critério of all who sent it."""

    completas: int
    criterios: tuple[AcordoNoCriterio, ...]
    icc: Medida


def measure_acordo(criterios: Sequence[Criterio], projetos: Sequence[str], notas: Iterable[NotaHumana]) -> AcordoDaCalibracao:
    """The agreement on these projects; notas of others, and of critérios that are not among these, are left out."""
    known, asked = {one.id for one in criterios}, set(projetos)
    given: dict[str, dict[tuple[str, str], Decimal]] = {}
    for one in notas:
        if one.criterio in known and one.projeto in asked:
            given.setdefault(one.avaliador, {})[one.criterio, one.projeto] = one.nota
    targets = [(criterio.id, codigo) for criterio in criterios for codigo in projetos]
    whole = sorted(who for who, theirs in given.items() if len(theirs) == len(targets))
    return AcordoDaCalibracao(
        len(whole),
        tuple([_of_criterio(one, projetos, given) for one in criterios]),
        _icc(criterios, projetos, [given[who] for who in whole]),
    )


def _of_criterio(criterio: Criterio, projetos: Sequence[str], given: dict[str, dict[tuple[str, str], Decimal]]) -> AcordoNoCriterio:
    found = list[NotasDoProjeto]()
    for codigo in projetos:
        notas = [(who, theirs[criterio.id, codigo]) for who, theirs in sorted(given.items()) if (criterio.id, codigo) in theirs]
        if notas:
            values = [nota for _, nota in notas]
            found.append(NotasDoProjeto(codigo, tuple(notas), min(values), max(values), sum(values, Decimal(0)) / len(values)))
    widest = max([one.maior - one.menor for one in found], default=Decimal(0))
    return AcordoNoCriterio(criterio.id, criterio.nome, tuple(found), float(widest / (criterio.nota_max - criterio.nota_min)))


def _icc(criterios: Sequence[Criterio], projetos: Sequence[str], whole: Sequence[dict[tuple[str, str], Decimal]]) -> Medida:
    if len(whole) < _PEOPLE:
        return Medida(None, razao="São precisas ao menos duas pessoas que enviaram todos os projetos em comum.")
    if len(criterios) * len(projetos) < PARES_MINIMO:
        return Medida(None, razao=f"São precisas ao menos {PARES_MINIMO} notas em comum de cada pessoa.")
    shares = [
        [float((theirs[one.id, codigo] - one.nota_min) / (one.nota_max - one.nota_min)) for theirs in whole]
        for one in criterios
        for codigo in projetos
    ]
    return icc(np.array(shares, dtype=np.float64))
