"""The catalogue of what is looked for in a política, in the order in which it is told."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Final

from crivo.autorizacoes.politicas.conferir.achados import Achado, ordered
from crivo.autorizacoes.politicas.conferir.bancada import Bancada
from crivo.autorizacoes.politicas.conferir.disputas import conflitantes, inalcancaveis
from crivo.autorizacoes.politicas.conferir.historico import Procurado, sem_regra
from crivo.autorizacoes.politicas.conferir.regra_a_regra import alternativas, carencias, documentos, idades, limites, observacoes
from crivo.autorizacoes.politicas.conferir.ricas import condicionais, cpts, grupos_de_documentos, limites_por_periodo, valores
from crivo.autorizacoes.politicas.conferir.vigencias import lacunas, sobreposicoes

_TOLD: Final = 200
# Those that may find an error come first: a publication asks for no more than these.
_COM_ERROS: Final[tuple[Callable[[Bancada], Iterator[Achado]], ...]] = (
    conflitantes,
    carencias,
    cpts,
    limites,
    valores,
    idades,
)
_AVISOS: Final[tuple[Callable[[Bancada], Iterator[Achado]], ...]] = (
    inalcancaveis,
    lacunas,
    sobreposicoes,
    condicionais,
    alternativas,
    limites_por_periodo,
    documentos,
    grupos_de_documentos,
    observacoes,
)


def conferir(bancada: Bancada, procurados: Sequence[Procurado] = ()) -> tuple[Achado, ...]:
    """All that is found, errors first; `procurados` are what pedidos of the past asked for. Source: design, "The workbench"."""
    achados = [achado for familia in (*_COM_ERROS, *_AVISOS) for achado in familia(bancada)]
    return ordered([*achados, *sem_regra(bancada, procurados)])


def errors_of(bancada: Bancada) -> tuple[Achado, ...]:
    """What stands in the way of publishing, and no more than that: the first two hundred, as one is enough."""
    found = (achado for familia in _COM_ERROS for achado in familia(bancada) if achado.gravidade == "erro")
    return ordered(list(islice(found, _TOLD)))
