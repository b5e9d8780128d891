"""Projects whose texts, as a whole, are unusually alike.

A fixed threshold means different things in different editais: where all projects are about one subject, honest pairs are near
each other too. From 50 projects on the threshold is read off the edital's own pairs of different proponentes: as far beyond the
99th percentile of their cosines as that lies beyond the median. Honest likeness ends at the 99th percentile for all but one pair
in a hundred, copies are too few to move it, and what lies as far again is unlike the rest. It stays within a band around the
embedder's own default, so that an edital of unlike projects flags no mere kinship, and one of copies cannot hide them.
Source: triagem seed, Prompts ("Flag se > 0.85" for its own model); design, Irregularidades.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from crivo.triagem.achados import Evidencia, Irregularidade
from crivo.triagem.edital import Projeto
from crivo.triagem.embeddings.port import Matriz, Vetores
from crivo.triagem.irregularidades.escrita import decimal_pt, percent_pt
from crivo.triagem.irregularidades.identidade import proponente_of
from crivo.triagem.irregularidades.paridades import Cossenos, Indices, Pares, Vizinhos, todas_as_paridades

SIMILARIDADE: Final = "similaridade"
CALIBRA_DESDE: Final = 50  # projects
MESMO_PROPONENTE: Final = 0.95  # the parts of one's own series are alike; the same text sent twice is another matter
_BAND: Final = 0.1  # around the embedder's default
_CERTAIN: Final = 0.97  # never asked for more than this
_REFERENCE_PROJECTS: Final = 1000  # whose pairs, half a million, stand for all
_KEPT_PER_PROJECT: Final = 10
_EXCERPT_CHARS: Final = 400


@dataclass(frozen=True, slots=True)
class Semelhantes:
    """The pairs above the threshold, the most alike first, and each project's nearest other; `omitidos` pairs were too many to list."""

    limiar: float
    pares: Pares
    omitidos: int
    vizinhos: Vizinhos
    referencia: Cossenos

    def percentil(self, cosseno: float) -> float | None:
        """How many per cent of the edital's pairs of different proponentes are no more alike than this; None without such pairs."""
        if not len(self.referencia):
            return None
        return round(100.0 * float(np.searchsorted(self.referencia, cosseno, side="right")) / len(self.referencia), 3)


def find_similares(projetos: Sequence[Projeto], semelhantes: Semelhantes) -> tuple[Irregularidade, ...]:
    """A sign for each pair, the most alike first; `valor` is the cosine."""
    pares = semelhantes.pares
    return tuple(
        _sign(projetos[first], projetos[second], float(cosseno), semelhantes.percentil(float(cosseno)))
        for first, second, cosseno in zip(pares.primeiro, pares.segundo, pares.cosseno, strict=True)
    )


def compare(projetos: Sequence[Projeto], vetores: Vetores) -> Semelhantes:
    """Every pair of the projects, exactly; memory is bounded by the number of projects, however many pairs are alike."""
    grupos = _groups(projetos)
    referencia = reference(vetores.matriz, grupos)
    limiar = threshold(vetores.limiar, referencia, len(projetos))
    vizinhos = Vizinhos(len(projetos))
    found = _Strongest(_KEPT_PER_PROJECT * max(len(projetos), 100))
    for pares in todas_as_paridades(vetores.matriz, min(limiar, MESMO_PROPONENTE), vizinhos):
        same = grupos[pares.primeiro] == grupos[pares.segundo]
        found.add(_chosen(pares, pares.cosseno >= np.where(same, max(limiar, MESMO_PROPONENTE), limiar)))
    return Semelhantes(limiar, found.ordered(), found.omitted, vizinhos, referencia)


def threshold(padrao: float, referencia: Cossenos, projetos: int) -> float:
    """The cosine from which a pair of this edital is flagged; `referencia` in ascending order."""
    if projetos < CALIBRA_DESDE or not len(referencia):
        return padrao
    median, high = (float(value) for value in np.quantile(referencia, (0.5, 0.99)))
    return min(max(high + (high - median), padrao - _BAND), padrao + _BAND, _CERTAIN)


def reference(matriz: Matriz, grupos: Indices) -> Cossenos:
    """The cosines of the pairs of different proponentes, ascending; of more than 1,000 projects, of as many evenly spaced among them."""
    chosen = np.unique(np.linspace(0, len(matriz) - 1, min(len(matriz), _REFERENCE_PROJECTS)).astype(np.intp))
    told = chosen[np.linalg.norm(matriz[chosen], axis=1) > 0]  # a project without text says nothing of likeness
    first, second = np.triu_indices(len(told), 1)
    cosines = (matriz[told] @ matriz[told].T)[first, second]
    return np.sort(cosines[grupos[told][first] != grupos[told][second]]).astype(np.float32)


class _Strongest:
    """Keeps the `most` pairs with the highest similarity; ties go to the projects that come first."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._held: list[Pares] = []
        self._count = 0
        self.omitted = 0

    def add(self, pares: Pares) -> None:
        self._held.append(pares)
        self._count += len(pares)
        if self._count > 4 * self._most:
            self._prune()

    def ordered(self) -> Pares:
        self._prune()
        return self._held[0]

    def _prune(self) -> None:
        pares = Pares(*(np.concatenate(column) for column in zip(_NONE, *map(_columns, self._held), strict=True)))
        order = np.lexsort((pares.segundo, pares.primeiro, -pares.cosseno))[: self._most]
        self.omitted += len(pares) - len(order)
        self._held, self._count = [_chosen(pares, order)], len(order)


_NONE: Final = (np.empty(0, np.int32), np.empty(0, np.int32), np.empty(0, np.float32))


def _columns(pares: Pares) -> tuple[Indices, Indices, Cossenos]:
    return pares.primeiro, pares.segundo, pares.cosseno


def _chosen(pares: Pares, which: np.ndarray[tuple[int], np.dtype[np.generic]]) -> Pares:
    return Pares(pares.primeiro[which], pares.segundo[which], pares.cosseno[which])


def _groups(projetos: Sequence[Projeto]) -> Indices:
    numbers: dict[str, int] = {}
    return np.array([numbers.setdefault(proponente_of(projeto), len(numbers)) for projeto in projetos], np.int32)


def _sign(first: Projeto, second: Projeto, cosseno: float, percentil: float | None) -> Irregularidade:
    same = proponente_of(first) == proponente_of(second)
    who = "Os dois projetos, do mesmo proponente," if same else "Os dois projetos"
    rank = "" if percentil is None else f", igual ou maior que a de {percent_pt(percentil)} dos pares deste edital"
    return Irregularidade(
        tipo=SIMILARIDADE,
        projetos=(first.id, second.id),
        valor=round(min(cosseno, 1.0), 4),
        percentil=percentil,
        evidencia=tuple(_excerpts(first, second, cosseno)),
        achado=f"{who} têm textos muito parecidos no todo: semelhança de {decimal_pt(cosseno)}{rank}. Vale ler um ao lado do outro.",
    )


def _excerpts(first: Projeto, second: Projeto, cosseno: float) -> Iterator[Evidencia]:
    for projeto in (first, second):
        campo = "resumo" if projeto.resumo.strip() else "descricao_tecnica"
        texto = projeto.resumo if campo == "resumo" else projeto.descricao_tecnica
        yield Evidencia(
            projeto=projeto.id, campo=campo, trecho=texto.strip()[:_EXCERPT_CHARS], par=1, semelhanca=round(min(cosseno, 1.0), 4)
        )
