"""Projects that tell the same idea in other words. Source: design, Meaning, not only letters.

Two texts about one theme are near each other too, so that no nearness by itself tells anything. Three measures are taken of a pair,
each against what the call's own pairs come to: how near the texts are as wholes; how well the sentences of the one go with those of
the other in the order of both, each as far as it stands out of what that sentence finds in the other projects; and what share of them
are each other's nearest, in order. Their sum is told from as many deviations on as the furthest of that many pairs would reach by
chance, the square root of 2 ln n: a larger call asks for more.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from crivo.triagem.achados import Evidencia, Irregularidade
from crivo.triagem.edital import Projeto
from crivo.triagem.embeddings.ngramas import unit
from crivo.triagem.embeddings.port import Matriz
from crivo.triagem.irregularidades.alinhamento import Ligada, by_meaning, by_words, centred, in_order
from crivo.triagem.irregularidades.escrita import counted
from crivo.triagem.irregularidades.frases import sentences
from crivo.triagem.irregularidades.identidade import proponente_of
from crivo.triagem.irregularidades.similaridade import SIMILARIDADE, Semelhantes, is_short

_LIMIAR: Final = 1.0  # of what chance alone would reach
_FEWEST_PROJECTS: Final = 12  # with sentences enough, for a call to be its own measure
_FEWEST_SENTENCES: Final = 3
_MOST_SENTENCES: Final = 120  # of one project
_MOST_PROJECTS: Final = 1_000  # whose sentences are read: those in the pairs that are nearest as wholes
_MOST_PAIRS: Final = 20_000
_MOST_REFERENCE: Final = 3_000  # pairs that the measures are told by, evenly spaced
_NEAR: Final = 1.0  # deviations: two wholes that are not as near are no retelling
_FEWEST_IDEAS: Final = 2  # sentences in other words: one alone is met by chance
_OUT_OF_THEME: Final = 0.15  # cosine, of the aligned over all: one theme brings every sentence of the two near every other
_SAME_WORDS: Final = 0.5  # of the aligned sentences: what mostly is in the same words is reused text, which is another sign
_SHOWN: Final = 12
_ONE_DEVIATION: Final = 0.8413  # of a normal spread: copies among the pairs move it little
_EPSILON: Final = 1e-6

Reais = NDArray[np.float64]
Pares = NDArray[np.intp]  # pairs × 2


class Frases(NamedTuple):
    """A project's sentences that are compared, each with the field that it stands in."""

    textos: tuple[str, ...]
    campos: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Lidas:
    """The sentences of some projects, by their place, and the vectors of all that were read, by text."""

    frases: Mapping[int, Frases]
    vetores: Mapping[str, NDArray[np.float32]]


@dataclass(frozen=True, slots=True)
class Recontado:
    """A pair that tells the same idea: its places, how far beyond chance it is (from 1), and its sentences aligned."""

    primeiro: int
    segundo: int
    medida: float
    ideias: tuple[Ligada, ...]


def asked_of(projetos: Sequence[Projeto], matriz: Matriz) -> Mapping[int, Frases]:
    """The projects whose sentences have to be read, by their place, with these; none where the call is too small to be its own measure."""
    long = ((at, frases_of(projeto)) for at, projeto in enumerate(projetos) if not is_short(projeto))
    told = {at: frases for at, frases in long if len(frases.textos) >= _FEWEST_SENTENCES}
    if len(told) < _FEWEST_PROJECTS:
        return {}
    if len(told) <= _MOST_PROJECTS:
        return told
    pares, near = _near_pairs(projetos, matriz, sorted(told))
    kept: dict[int, None] = {}
    for one, other in pares[np.argsort(-near, kind="stable")].tolist():
        kept |= {one: None, other: None}
        if len(kept) >= _MOST_PROJECTS:
            break
    return {at: told[at] for at in sorted(kept)}


def frases_of(projeto: Projeto) -> Frases:
    """What the project says of itself, sentence by sentence."""
    fields = (("resumo", projeto.resumo), ("descricao_tecnica", projeto.descricao_tecnica))
    said = [(texto, campo) for campo, inteiro in fields for texto, _ in sentences(inteiro)][:_MOST_SENTENCES]
    return Frases(tuple(texto for texto, _ in said), tuple(campo for _, campo in said))


def find_recontados(projetos: Sequence[Projeto], matriz: Matriz, lidas: Lidas) -> list[Recontado]:
    """The pairs of different proponentes that tell the same idea in other words, the surest first; `matriz` are the whole texts."""
    places = sorted(lidas.frases)
    if len(places) < _FEWEST_PROJECTS:
        return []
    pares, near = _near_pairs(projetos, matriz, places)
    if len(pares) < 2:
        return []
    whole = _deviations(near, near)
    medidas = _Medidas(lidas, places)
    every = np.unique(np.linspace(0, len(pares) - 1, min(len(pares), _MOST_REFERENCE)).astype(np.intp))
    hopeful = np.flatnonzero(whole >= _NEAR)
    hopeful = hopeful[np.argsort(-whole[hopeful], kind="stable")[:_MOST_PAIRS]]
    measured = {at: medidas.of(*pares[at].tolist()) for at in np.union1d(every, hopeful).tolist()}
    reference = np.array([measured[at] for at in every.tolist()])

    def summed(at: NDArray[np.intp]) -> Reais:
        own = np.array([measured[one] for one in at.tolist()])
        order, share = (_deviations(own[:, column], reference[:, column]) for column in (0, 1))
        return np.asarray(whole[at] + order + share)

    if not len(hopeful):
        return []
    chance = float(np.sqrt(2 * np.log(len(pares))))
    scores = _deviations(summed(hopeful), summed(every)) / chance
    found = []
    for at, score in zip(hopeful.tolist(), scores.tolist(), strict=True):
        if score >= _LIMIAR:
            one, other = pares[at].tolist()
            ideias = _retold(lidas, medidas, one, other)
            if ideias:
                found.append(Recontado(one, other, score, ideias))
    return sorted(found, key=lambda pair: (-pair.medida, pair.primeiro, pair.segundo))


def find_mesma_ideia(projetos: Sequence[Projeto], matriz: Matriz, lidas: Lidas, semelhantes: Semelhantes) -> tuple[Irregularidade, ...]:
    """A sign for each pair that is none already for its wholes; `valor` is the cosine of these, each aligned sentence has its own."""
    known = set(zip(semelhantes.pares.primeiro.tolist(), semelhantes.pares.segundo.tolist(), strict=True))
    return tuple(
        _sign(projetos, one, lidas, cosseno := float(matriz[one.primeiro] @ matriz[one.segundo]), semelhantes.percentil(cosseno))
        for one in find_recontados(projetos, matriz, lidas)
        if (one.primeiro, one.segundo) not in known
    )


def _sign(projetos: Sequence[Projeto], recontado: Recontado, lidas: Lidas, cosseno: float, percentil: float | None) -> Irregularidade:
    first, second = projetos[recontado.primeiro], projetos[recontado.segundo]
    whole = min(len(lidas.frases[at].textos) for at in (recontado.primeiro, recontado.segundo))
    said = counted(len(recontado.ideias), "frase diz", "frases dizem")
    return Irregularidade(
        tipo=SIMILARIDADE,
        projetos=(first.id, second.id),
        valor=round(min(cosseno, 1.0), 4),
        percentil=percentil,
        evidencia=tuple(_aligned(projetos, recontado, lidas)),
        achado=f"Mesma ideia, outras palavras: {said} o mesmo nos dois projetos, das {whole} do mais curto, e mais na mesma ordem do que "
        "o acaso explica neste edital. Tema igual não é cópia: leia um ao lado do outro.",
    )


def _aligned(projetos: Sequence[Projeto], recontado: Recontado, lidas: Lidas) -> Iterator[Evidencia]:
    strongest = sorted(sorted(recontado.ideias, key=lambda one: -one.semelhanca)[:_SHOWN])
    for par, (a, b, semelhanca) in enumerate(strongest, 1):
        for at, frase in ((recontado.primeiro, a), (recontado.segundo, b)):
            frases = lidas.frases[at]
            yield Evidencia(
                projeto=projetos[at].id, campo=frases.campos[frase], trecho=frases.textos[frase], par=par, semelhanca=round(semelhanca, 4)
            )


class _Medidas:
    """What the sentences of each two projects come to."""

    def __init__(self, lidas: Lidas, places: Sequence[int]) -> None:
        rows = [lidas.vetores[texto] for at in places for texto in lidas.frases[at].textos]
        self.vetores = centred(np.array(rows, np.float32))
        self._middle = unit(self.vetores - self.vetores.mean(axis=0))
        sizes = np.array([len(lidas.frases[at].textos) for at in places])
        starts = np.cumsum(sizes) - sizes
        self._spans = {at: slice(int(start), int(start + size)) for at, start, size in zip(places, starts, sizes, strict=True)}
        self._usual, self._spread = self._found_elsewhere(starts)

    def rows(self, at: int) -> Matriz:
        """The sentences of a project, as `by_meaning` takes them."""
        return self.vetores[self._spans[at]]

    def of(self, one: int, other: int) -> tuple[float, float]:
        """How well the two go together in order, and what share of the shorter are each other's nearest, in order."""
        a, b = self._spans[one], self._spans[other]
        cosines = self._middle[a] @ self._middle[b].T
        shorter = min(cosines.shape)
        out = (cosines - self._usual[a, None]) / self._spread[a, None] + (cosines - self._usual[None, b]) / self._spread[None, b]
        of_a, of_b = cosines.argmax(axis=1), cosines.argmax(axis=0)
        mutual = [int(to) for at, to in enumerate(of_a) if of_b[to] == at]
        return in_order(out / 2) / float(np.sqrt(shorter)), _longest_rise(mutual) / shorter

    def _found_elsewhere(self, starts: NDArray[np.intp]) -> tuple[Matriz, Matriz]:
        """By sentence, what its nearest in another project usually is, and how that spreads."""
        usual, spread = np.empty(len(self._middle), np.float32), np.empty(len(self._middle), np.float32)
        for place, own in enumerate(self._spans.values()):
            nearest = np.maximum.reduceat(self._middle[own] @ self._middle.T, starts, axis=1)
            others = np.delete(nearest, place, axis=1)
            usual[own], spread[own] = others.mean(axis=1), np.maximum(others.std(axis=1), _EPSILON)
        return usual, spread


def _near_pairs(projetos: Sequence[Projeto], matriz: Matriz, places: Sequence[int]) -> tuple[Pares, Reais]:
    """The pairs of different proponentes among these projects, and how near their whole texts are from the middle of all."""
    rows = matriz[list(places)]
    rows = unit((rows - rows.mean(axis=0)).astype(np.float32))
    numbers: dict[str, int] = {}
    groups = np.array([numbers.setdefault(proponente_of(projetos[at]), len(numbers)) for at in places])
    first, second = np.triu_indices(len(places), 1)
    apart = groups[first] != groups[second]
    first, second = first[apart], second[apart]
    cosines = (rows @ rows.T)[first, second].astype(np.float64)
    return np.array(places, np.intp)[np.stack([first, second], axis=1)], cosines


def _deviations(values: Reais, reference: Reais) -> Reais:
    """How many deviations above the middle of the reference each is; by quantiles, as the few that are sought would widen the spread."""
    middle, high = np.quantile(reference, (0.5, _ONE_DEVIATION))
    return np.asarray((values - middle) / max(float(high - middle), _EPSILON))


def _retold(lidas: Lidas, medidas: _Medidas, one: int, other: int) -> tuple[Ligada, ...]:
    """The sentences that say the same in other words; none where it is by one theme, or most of those in common are in the same words."""
    a, b = lidas.frases[one].textos, lidas.frases[other].textos
    rows, columns = medidas.rows(one), medidas.rows(other)
    iguais = by_words(a, b)
    ideias = by_meaning(rows, columns, {of.a for of in iguais}, {of.b for of in iguais})
    if len(ideias) < _FEWEST_IDEAS or len(iguais) >= _SAME_WORDS * (len(iguais) + len(ideias)):
        return ()
    aligned = sum(of.semelhanca for of in ideias) / len(ideias)
    return tuple(ideias) if aligned - float((rows @ columns.T).mean()) >= _OUT_OF_THEME else ()


def _longest_rise(numbers: Sequence[int]) -> int:
    """The length of the longest run, with gaps, in which each number is larger than the one before."""
    ends: list[int] = []
    for number in numbers:
        at = bisect_left(ends, number)
        ends[at : at + 1] = [number]
    return len(ends)
