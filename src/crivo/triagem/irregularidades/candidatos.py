"""Which projects a text may have taken from: those that have a good part of its rare n-grams, found without comparing any sentence.

Two sentences with the same words share their rare n-grams, and a text of which three tenths stand elsewhere shares an eighth of its
own or more; two honest texts share what everybody says. Every fourth n-gram stands for all. One that very many projects have is
looked for in the first of these alone: it tells few apart, and a form that hundreds filled in is still found among them.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from crivo.triagem.embeddings.ngramas import Esparsa
from crivo.triagem.embeddings.port import Matriz
from crivo.triagem.irregularidades.acervo import Acervo, Numeros

_SAMPLED: Final = 4
_CROWD: Final = 256  # projects
_SHARE: Final = 0.12
_MOST: Final = 32  # projects for one text, those with most of its rare n-grams, and as many with most of all


class Candidatos:
    """The n-grams of texts, weighed by how few projects have them, and the projects that each is looked for in."""

    def __init__(self, acervo: Acervo) -> None:
        ngramas = _sampled(acervo.pesos.ngramas_de)
        projetos = _has(acervo.projeto_de, acervo, ngramas)
        self._total = projetos.shape[0]
        found = np.bincount(projetos.indices, minlength=projetos.shape[1])
        self._listed = _first_of_each(projetos)
        weighed = _has(acervo.texto_de, acervo, ngramas)
        weighed.data *= np.log((1 + self._total) / found[weighed.indices]).astype(np.float32) ** 2
        self._rare, self._crowded = weighed.copy(), weighed
        self._rare.data[found[weighed.indices] > _CROWD] = 0
        self._crowded.data[found[weighed.indices] <= _CROWD] = 0
        for part in (self._rare, self._crowded):
            part.eliminate_zeros()
        self._projeto_de = np.zeros(weighed.shape[0], np.int32)
        self._projeto_de[acervo.texto_de] = acervo.projeto_de

    def projects_for(self, textos: NDArray[np.intp]) -> list[NDArray[np.intp]]:
        """For each text, in their order, the other projects that have an eighth of its rare n-grams or of all; of few projects, all."""
        own = self._projeto_de[textos]
        if self._total <= _MOST:
            return [np.delete(np.arange(self._total), projeto) for projeto in own]
        rare, crowded = self._rare[textos], self._crowded[textos]
        shared, of_rare = (rare @ self._listed).toarray(), rare.sum(axis=1)
        shared[np.arange(len(own)), own] = 0
        by_rare = _share(shared, of_rare)
        shared += (crowded @ self._listed).toarray()
        shared[np.arange(len(own)), own] = 0
        by_all = _share(shared, of_rare + crowded.sum(axis=1))
        return [np.union1d(_strongest(one), _strongest(other)) for one, other in zip(by_rare, by_all, strict=True)]


def _share(shared: Matriz, of_all: NDArray[np.float32]) -> Matriz:
    return np.divide(shared, of_all[:, None], out=np.zeros_like(shared), where=of_all[:, None] > 0)


def _strongest(share: NDArray[np.float32]) -> NDArray[np.intp]:
    enough = np.flatnonzero(share >= _SHARE)
    return enough[np.argsort(-share[enough], kind="stable")[:_MOST]]


def _sampled(ngramas: Esparsa) -> Esparsa:
    kept = ngramas.copy()
    kept.data = (kept.indices % _SAMPLED == 0).astype(np.float32)
    kept.eliminate_zeros()
    return kept


def _first_of_each(projetos: Esparsa) -> Esparsa:
    """N-grams × projects: one where it has it, of each n-gram the first 256."""
    listed = projetos.T.tocsr()
    place = np.arange(listed.nnz) - np.repeat(listed.indptr[:-1], np.diff(listed.indptr))
    listed.data[place >= _CROWD] = 0
    listed.eliminate_zeros()
    return listed


def _has(numero_de: Numeros, acervo: Acervo, ngramas: Esparsa) -> Esparsa:
    """Texts, or projects, × n-grams: one where it has it, by way of the words that it has."""
    shape = (int(numero_de.max()) + 1, len(acervo.vetores))
    wordings = sparse.csr_array((np.ones(len(numero_de), np.float32), (numero_de, acervo.unica_de)), shape=shape)
    words = wordings @ acervo.pesos.palavras_de
    words.data[:] = 1
    found = words @ ngramas
    found.data[:] = 1
    return found
