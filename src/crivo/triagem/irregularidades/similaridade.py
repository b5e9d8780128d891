"""Projects whose texts, as a whole, are unusually alike.

A fixed threshold means different things in different editais: where all projects are about one subject, honest pairs are near
each other too. From 50 projects on the threshold is read off the edital's own pairs of different proponentes: as far beyond the
99th percentile of their cosines as that lies beyond the median. Honest likeness ends at the 99th percentile for all but one pair
in a hundred, copies are too few to move it, and what lies as far again is unlike the rest. It stays within a band around the
embedder's own default, so that an edital of unlike projects flags no mere kinship, and one of copies cannot hide them.

A text of a line or two says too little to be compared: any two such are near each other, by letters and by meaning. It is like
another only where both are the same, word for word.
Source: triagem seed, Prompts ("Flag se > 0.85" for its own model); design, Irregularidades.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

import numpy as np

from crivo.triagem.achados import Evidencia, Irregularidade
from crivo.triagem.edital import Projeto
from crivo.triagem.embeddings.ngramas import words
from crivo.triagem.embeddings.port import Matriz, Vetores
from crivo.triagem.irregularidades.escrita import decimal_pt, percent_pt
from crivo.triagem.irregularidades.identidade import proponente_of
from crivo.triagem.irregularidades.paridades import Cossenos, Indices, Pares, Vizinhos, todas_as_paridades

SIMILARIDADE: Final = "similaridade"
CALIBRA_DESDE: Final = 50  # projects
MESMO_PROPONENTE: Final = 0.95  # the parts of one's own series are alike; the same text sent twice is another matter
MENOR_TEXTO: Final = 25  # words; of fewer no likeness is told
_BAND: Final = 0.1  # around the embedder's default
_CERTAIN: Final = 0.97  # never asked for more than this
_REFERENCE_PROJECTS: Final = 1000  # whose pairs, half a million, stand for all
_KEPT_PER_PROJECT: Final = 10
_EXCERPT_CHARS: Final = 400
_WORD: Final = re.compile(r"[^\W_]+")
_FEWEST_RANKED: Final = 50  # pairs; among fewer, to be nearer than all says nothing


@dataclass(frozen=True, slots=True)
class Semelhantes:
    """The pairs above the threshold, the most alike first, and each project's nearest other; `omitidos` pairs were too many to list."""

    limiar: float
    pares: Pares
    omitidos: int
    vizinhos: Vizinhos
    referencia: Cossenos

    def percentil(self, cosseno: float) -> float | None:
        """How many per cent of the edital's pairs of different proponentes are no more alike than this; None where they are few."""
        if len(self.referencia) < _FEWEST_RANKED:
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
    matriz = comparable(projetos, vetores.matriz)
    referencia = reference(matriz, grupos)
    limiar = threshold(vetores.limiar, referencia, len(projetos))
    vizinhos = Vizinhos(len(projetos))
    found = _Strongest(_KEPT_PER_PROJECT * max(len(projetos), 100))
    found.add(iguais := _same_short(projetos))
    for pares in todas_as_paridades(matriz, min(limiar, MESMO_PROPONENTE), vizinhos):
        same = grupos[pares.primeiro] == grupos[pares.segundo]
        found.add(_chosen(pares, pares.cosseno >= np.where(same, max(limiar, MESMO_PROPONENTE), limiar)))
    vizinhos.meet_pairs(iguais)
    return Semelhantes(limiar, found.ordered(), found.omitted, vizinhos, referencia)


def is_short(projeto: Projeto) -> bool:
    """Whether a project's text says too little for its likeness to another to be told."""
    return next(islice(_WORD.finditer(projeto.texto), MENOR_TEXTO - 1, None), None) is None


def same_text(one: Projeto, other: Projeto) -> bool:
    """Whether two projects say the same, word for word."""
    return bool(said := words(one.texto)) and said == words(other.texto)


def comparable(projetos: Sequence[Projeto], matriz: Matriz) -> Matriz:
    """The vectors of the texts, those of short ones as of texts with nothing to read: zeros, near nobody."""
    return np.where(np.array([[is_short(projeto)] for projeto in projetos], np.bool_).reshape(-1, 1), np.float32(0), matriz)


def _same_short(projetos: Sequence[Projeto]) -> Pares:
    """The pairs of short texts that are the same; of many, each with the next ten."""
    places: dict[str, list[int]] = {}
    for at, projeto in enumerate(projetos):
        if is_short(projeto) and (said := words(projeto.texto)):
            places.setdefault(said, []).append(at)
    found = [(one, other) for same in places.values() for at, one in enumerate(same) for other in same[at + 1 : at + 1 + _KEPT_PER_PROJECT]]
    both = np.array(found, np.int32).reshape(-1, 2)
    return Pares(both[:, 0], both[:, 1], np.ones(len(both), np.float32))


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
    said = f"têm textos muito parecidos no todo: semelhança de {decimal_pt(cosseno)}{rank}. Vale ler um ao lado do outro."
    if same_text(first, second):
        brief = " Ele é curto, e um texto curto se repete por acaso." if is_short(first) else " Vale ler o resto, um ao lado do outro."
        said = f"têm o mesmo texto, palavra por palavra.{brief}"
    return Irregularidade(
        tipo=SIMILARIDADE,
        projetos=(first.id, second.id),
        valor=round(min(cosseno, 1.0), 4),
        percentil=percentil,
        evidencia=tuple(_excerpts(first, second, cosseno)),
        achado=f"{who} {said}",
    )


def _excerpts(first: Projeto, second: Projeto, cosseno: float) -> Iterator[Evidencia]:
    for projeto in (first, second):
        campo = "resumo" if projeto.resumo.strip() else "descricao_tecnica"
        texto = projeto.resumo if campo == "resumo" else projeto.descricao_tecnica
        yield Evidencia(
            projeto=projeto.id, campo=campo, trecho=texto.strip()[:_EXCERPT_CHARS], par=1, semelhanca=round(min(cosseno, 1.0), 4)
        )
