"""The passages of a project that speak to each critério, found by what they mean; where words are the same, words count too.

A sentence is laid beside the name of each critério and beside its whole description, and what counts is how much nearer it comes to this
critério than to the others: some sentences come near anything that is asked. A passage is as near as its nearest sentence.
Source: design, Avaliação ("leitura assistida"); Meaning, not only letters.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from crivo.triagem.achados import LeituraAssistida
from crivo.triagem.documentos.lido import ProjetoLido
from crivo.triagem.edital import Criterio
from crivo.triagem.irregularidades.frases import sentences
from crivo.triagem.irregularidades.segunda_leitura import Significados
from crivo.triagem.leitura_assistida import Indice, best, passages_of, query_of

_MOST_READ: Final = 120  # sentences of one project: some six seconds of one core
_SAME_WORDS: Final = 0.05  # what the passage with most of a critério's words is nearer for it, about as far as meanings spread


class LeituraPeloSentido:
    """A project and the critérios that it is read by: first `textos` are read for their meaning, then `ler` tells the passages."""

    def __init__(self, criterios: Sequence[Criterio], lido: ProjetoLido) -> None:
        self._criterios = criterios
        self._passagens = passages_of(lido)
        indice = Indice(self._passagens)
        palavras = [indice.scores(query_of(one)) for one in criterios]
        self._palavras = np.array(palavras, np.float64).reshape(len(criterios), len(self._passagens))
        self._frases: dict[int, tuple[str, ...]] = {}
        room = _MOST_READ
        for at in self._order():
            found = tuple(texto for texto, _ in sentences(self._passagens[at].evidencia.trecho))
            if len(found) > room:
                break
            self._frases[at] = found
            room -= len(found)

    @property
    def textos(self) -> tuple[str, ...]:
        """What is read for its meaning, each once: the critérios, and the project's sentences, as far as they are read."""
        asked = [texto for one in self._criterios for texto in _asked(one)]
        return tuple(dict.fromkeys([*asked, *(texto for found in self._frases.values() for texto in found)] if self._frases else ()))

    def ler(self, significados: Significados) -> tuple[LeituraAssistida, ...]:
        """For each critério, in order, at most five verbatim passages, the nearest first. That one is listed proves nothing."""
        scores = _SAME_WORDS * self._palavras / np.maximum(self._palavras.max(axis=1, keepdims=True, initial=0), np.finfo(float).tiny)
        read = [at for at, found in self._frases.items() if found]
        if read and self._criterios:
            scores[:, read] += self._nearness(read, significados)
        found = [best(self._passagens, row.tolist()) for row in scores]
        return tuple(LeituraAssistida(one.id, passagens) for one, passagens in zip(self._criterios, found, strict=True))

    def _nearness(self, read: Sequence[int], significados: Significados) -> NDArray[np.float64]:
        """Critérios × passages that were read: how much nearer each comes than it does to the other critérios."""
        asked = np.array([[significados[texto] for texto in _asked(one)] for one in self._criterios]).sum(axis=1)
        frases = [texto for at in read for texto in self._frases[at]]
        near = asked @ np.array([significados[texto] for texto in frases]).T
        near = near - near.mean(axis=0 if len(self._criterios) > 1 else 1, keepdims=True)
        starts = np.cumsum([0, *(len(self._frases[at]) for at in read[:-1])])
        return np.asarray(np.maximum.reduceat(near, starts, axis=1), np.float64)

    def _order(self) -> Iterator[int]:
        """What the project says of itself first, then what has the critérios' words, then the rest of its documents."""
        own = [at for at, one in enumerate(self._passagens) if one.evidencia.campo is not None]
        yield from own
        most = self._palavras.max(axis=0, initial=0)
        told = set(own)
        yield from (int(at) for at in np.argsort(-most, kind="stable") if int(at) not in told)


def _asked(criterio: Criterio) -> tuple[str, str]:
    """What a critério is called, and all that it says."""
    return criterio.nome, " ".join((f"{criterio.nome}.", criterio.descricao, *(nivel.descricao for nivel in criterio.niveis)))
