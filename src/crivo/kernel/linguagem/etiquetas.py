"""What a message does, by weights learned of many hands: which acts, in which mode, which constraints, for whom. Source: design,
"What is said is learned, what is meant is computed".

The weights (`etiquetas.tsv`) are whole numbers, so that sums are the same on any machine; `python -m evals.falas` learns them again.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from importlib import resources
from math import exp, sqrt
from typing import Final, Literal

import msgspec

from crivo.kernel.linguagem.feicoes import features
from crivo.kernel.linguagem.pesos import Grupos

Contexto = Literal["inicio", "lista", "proposta", "cancelar", "mudar", "qual", "dado", "feito"]
"""What a message answers: nothing, a list, one thing proposed, whether to cancel or move, which one, a name or number, what was done."""

ESCALAS: Final[Mapping[str, float]] = {"palavras": 1.0, "trios": 0.7, "letras": 1.0, "contexto": 1.0, "tamanho": 0.5}
"""What each group of features is worth, however long the message."""
UNIDADE: Final = 100
"""By what a weight is to be divided."""


class Cabeca(msgspec.Struct, frozen=True):
    """One thing that a message may do: its intercept, and the line by which its margin becomes a calibrated log-odds."""

    nome: str
    intercepto: float
    inclinacao: float = 1.0
    desvio: float = 0.0

    def certeza(self, soma: float) -> float:
        """A margin as a calibrated probability, 0 to 1."""
        return 1 / (1 + exp(-max(-60.0, min(60.0, self.inclinacao * soma + self.desvio))))


class Linear(msgspec.Struct, frozen=True):
    """One linear model with several heads over the same features; a feature's weights by the place of the head."""

    cabecas: tuple[Cabeca, ...]
    pesos: Mapping[str, tuple[tuple[int, int], ...]]

    def somas(self, grupos: Grupos) -> tuple[float, ...]:
        """The margin of each head; each group of features is scaled to its worth."""
        totals = [cabeca.intercepto for cabeca in self.cabecas]
        for name, found in grupos.items():
            if not found:
                continue
            counted = [0] * len(totals)
            for feature in found:
                for place, weight in self.pesos.get(feature, ()):
                    counted[place] += weight
            scale = ESCALAS[name] / (UNIDADE * sqrt(len(found)))
            totals = [total + scale * one for total, one in zip(totals, counted, strict=True)]
        return tuple(totals)

    def certezas(self, grupos: Grupos) -> dict[str, float]:
        """The calibrated probability of each head, by its name."""
        return {cabeca.nome: cabeca.certeza(soma) for cabeca, soma in zip(self.cabecas, self.somas(grupos), strict=True)}

    def written(self) -> str:
        """The model as lines: a head each, a blank one, then a feature each with `place:weight` of the heads that it bears on."""
        heads = [f"{one.nome}\t{one.intercepto}\t{one.inclinacao}\t{one.desvio}" for one in self.cabecas]
        rows = [f"{feature}\t{' '.join(f'{place}:{weight}' for place, weight in self.pesos[feature])}" for feature in sorted(self.pesos)]
        return "\n".join([*heads, "", *rows, ""])


def read_linear(written: str) -> Linear:
    """The model that such lines hold."""
    heads, _, rows = written.partition("\n\n")
    cabecas = [line.split("\t") for line in heads.splitlines()]
    pesos: dict[str, tuple[tuple[int, int], ...]] = {}
    for line in rows.split("\n"):
        feature, _, told = line.partition("\t")
        if told:
            pairs = (pair.split(":") for pair in told.split(" "))
            pesos[feature] = tuple((int(place), int(weight)) for place, weight in pairs)
    return Linear(tuple(Cabeca(nome, *map(float, numbers)) for nome, *numbers in cabecas), pesos)


@cache
def linear() -> Linear:
    """The model as it comes with the product."""
    return read_linear(resources.files(__package__).joinpath("etiquetas.tsv").read_text(encoding="utf-8"))


@lru_cache(maxsize=512)
def read_etiquetas(text: str, contexto: Contexto) -> Mapping[str, float]:
    """How likely each thing is that a message may do (`ato:marcar`, `modo:pergunta`, `restricao:exclui`, `outro`, `manda`), 0 to 1.

    `manda` is that it orders something that changes what is booked. It raises nothing, whatever the text.
    """
    return linear().certezas(features(text, contexto))
