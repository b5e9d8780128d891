"""How far people's notas and suggested ones agree, and people with each other: which is how one learns whether to listen.

Sources: Shrout & Fleiss (1979), ICC(2,1) with its interval; Cohen (1968) and Fleiss & Cohen (1973), kappa with quadratic weights.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from itertools import combinations
from math import isfinite, sqrt
from typing import Final

import numpy as np
from numpy.typing import NDArray

from crivo.triagem.achados import Resultado
from crivo.triagem.edital import Criterio, Value

# With fewer pairs than this a coefficient says more of chance than of agreement.
PARES_MINIMO: Final = 5
FAIXAS: Final = 5  # equal parts of a scale that has no rubric
_UPPER: Final = 0.975  # of an interval of 95 %

Notas = NDArray[np.float64]


class NotaHumana(Value, frozen=True):
    """A nota that a person gave; `avaliador` is whatever tells one from another."""

    projeto: str
    criterio: str
    avaliador: str
    nota: Decimal


class Medida(Value, frozen=True):
    """A figure with its 95 % interval; where either is None, `razao` says why in pt-BR."""

    valor: float | None
    inferior: float | None = None
    superior: float | None = None
    razao: str | None = None


class Acordo(Value, frozen=True):
    """Agreement of two series of notas. `de` and `com` name them: a critério, an avaliador, or None for what was suggested.

    `diferenca_media` is `com` less `de` in shares of the scale, −1 to 1; `kappa` has quadratic weights; `icc` is ICC(2,1).
    """

    de: str
    com: str | None
    pares: int
    diferenca_media: Medida
    kappa: Medida
    icc: Medida


class Concordancia(Value, frozen=True):
    """The report. In `por_criterio` the human nota of a projeto is the mean of those who gave one."""

    por_criterio: tuple[Acordo, ...]
    por_avaliador: tuple[Acordo, ...]
    entre_avaliadores: tuple[Acordo, ...]


Chave = tuple[str, str]
"""A projeto and a critério."""


def sugeridas_of(resultado: Resultado) -> Mapping[Chave, Decimal]:
    """The notas that an execução suggested; where it abstained there is nothing to agree with."""
    return {
        (projeto.projeto_id, nota.criterio): nota.nota_sugerida
        for projeto in resultado.projetos
        for nota in projeto.notas
        if nota.nota_sugerida is not None
    }


def measure_concordancia(criterios: Sequence[Criterio], humanas: Iterable[NotaHumana], sugeridas: Mapping[Chave, Decimal]) -> Concordancia:
    """The agreement of people with suggestions, by critério and by avaliador, and of each two avaliadores with each other.

    Notas of a critério that is not among `criterios` are left out; of two by one person for the same, the last counts.
    """
    escalas = {criterio.id: criterio for criterio in criterios}
    por_pessoa: dict[str, dict[Chave, Decimal]] = {}
    for humana in humanas:
        if humana.criterio in escalas:
            por_pessoa.setdefault(humana.avaliador, {})[humana.projeto, humana.criterio] = humana.nota
    medias = _means(por_pessoa)
    pessoas = sorted(por_pessoa.items())
    return Concordancia(
        tuple(
            _acordo(criterio.id, None, {chave: nota for chave, nota in medias.items() if chave[1] == criterio.id}, sugeridas, escalas)
            for criterio in criterios
        ),
        tuple(_acordo(pessoa, None, notas, sugeridas, escalas) for pessoa, notas in pessoas),
        tuple(_acordo(uma, outra, notas, outras, escalas) for (uma, notas), (outra, outras) in combinations(pessoas, 2)),
    )


def _means(por_pessoa: Mapping[str, Mapping[Chave, Decimal]]) -> dict[Chave, Decimal]:
    given: dict[Chave, list[Decimal]] = {}
    for notas in por_pessoa.values():
        for chave, nota in notas.items():
            given.setdefault(chave, []).append(nota)
    return {chave: sum(notas, Decimal(0)) / len(notas) for chave, notas in given.items()}


def _acordo(
    de: str, com: str | None, umas: Mapping[Chave, Decimal], outras: Mapping[Chave, Decimal], escalas: Mapping[str, Criterio]
) -> Acordo:
    chaves = sorted(umas.keys() & outras.keys())
    criterios = {criterio for _, criterio in chaves}
    # Several critérios have several scales, and each its own rubric: they meet on equal parts of a scale of 0 to 1.
    rubrica = escalas[next(iter(criterios))] if len(criterios) == 1 else None
    shares = np.array(
        [[_share(umas[chave], escalas[chave[1]]), _share(outras[chave], escalas[chave[1]])] for chave in chaves], dtype=np.float64
    ).reshape(-1, 2)
    if len(chaves) < PARES_MINIMO:
        few = Medida(None, razao=f"São precisas ao menos {PARES_MINIMO} notas em comum.")
        return Acordo(de, com, len(chaves), mean_difference(shares), few, few)
    return Acordo(de, com, len(chaves), mean_difference(shares), _kappa_of(shares, rubrica), icc(shares))


def _share(nota: Decimal, criterio: Criterio) -> float:
    return float((nota - criterio.nota_min) / (criterio.nota_max - criterio.nota_min))


def _kappa_of(shares: Notas, rubrica: Criterio | None) -> Medida:
    niveis = _anchors(rubrica)
    return quadratic_kappa(np.abs(shares[:, :, None] - niveis).argmin(axis=2), len(niveis))


def _anchors(rubrica: Criterio | None) -> Notas:
    """Where the levels of a rubric stand on a scale of 0 to 1, or the middles of its equal parts; a nota belongs to the nearest."""
    if rubrica is not None and len(rubrica.niveis) > 1:
        return np.array(sorted(_share(nivel.nota, rubrica) for nivel in rubrica.niveis))
    return (np.arange(FAIXAS) + 0.5) / FAIXAS


def mean_difference(pairs: Notas) -> Medida:
    """The mean of the second column less the first, with its 95 % interval by Student's t; `pairs` is n × 2."""
    n = len(pairs)
    if n == 0:
        return Medida(None, razao="Não há notas em comum.")
    differences = pairs[:, 1] - pairs[:, 0]
    mean = float(differences.mean())
    if n == 1:
        return Medida(mean, razao="Com uma só nota em comum não há intervalo.")
    from scipy.special import stdtrit  # here, as it is a quarter of the start of every command and of the server

    half = float(stdtrit(n - 1, _UPPER)) * float(differences.std(ddof=1)) / sqrt(n)
    return Medida(mean, mean - half, mean + half)


def quadratic_kappa(pairs: NDArray[np.int_], niveis: int) -> Medida:
    """Cohen's kappa with quadratic weights over `niveis` ordered categories; `pairs` is n × 2, of categories from 0."""
    apart = (np.arange(niveis)[:, None] - np.arange(niveis)) ** 2
    observed = np.zeros((niveis, niveis))
    np.add.at(observed, (pairs[:, 0], pairs[:, 1]), 1 / len(pairs))
    expected = np.outer(observed.sum(axis=1), observed.sum(axis=0))
    by_chance = float((apart * expected).sum())
    if by_chance == 0:
        return Medida(None, razao="Todas as notas caem no mesmo nível; não há o que comparar com o acaso.")
    return Medida(1 - float((apart * observed).sum()) / by_chance, razao="O kappa é dado sem intervalo.")


def icc(ratings: Notas) -> Medida:
    """ICC(2,1), two-way random effects, absolute agreement, one rater, with its 95 % interval; `ratings` is targets × raters."""
    n, k = ratings.shape
    bms, jms, ems = _mean_squares(ratings)
    whole = bms + (k - 1) * ems + k * (jms - ems) / n
    # What is left of rounding is no variance.
    tiny = 1e-12 * float(np.square(ratings).mean() + 1)
    if whole <= tiny:
        return Medida(None, razao="Todas as notas são iguais; não há variação em que concordar.")
    value = (bms - ems) / whole
    if ems <= tiny:
        return Medida(value, razao="As notas diferem só por uma constante; não há intervalo a estimar.")
    fj = jms / ems
    left, right = k * value * fj, n * (1 + (k - 1) * value) - k * value
    degrees = (k - 1) * (n - 1) * (left + right) ** 2 / ((n - 1) * left**2 + right**2)
    from scipy.special import fdtri  # here, for the start of every command

    f_low, f_high = float(fdtri(n - 1, degrees, _UPPER)), float(fdtri(degrees, n - 1, _UPPER))
    if not (isfinite(f_low) and isfinite(f_high)):
        return Medida(value, razao="Há poucas notas para estimar um intervalo.")
    rest = k * jms + (k * n - k - n) * ems
    return Medida(value, n * (bms - f_low * ems) / (f_low * rest + n * bms), n * (f_high * bms - ems) / (rest + n * f_high * bms))


def _mean_squares(ratings: Notas) -> tuple[float, float, float]:
    """Between targets, between raters, and what remains, of an analysis of variance in two ways."""
    n, k = ratings.shape
    grand, targets, raters = ratings.mean(), ratings.mean(axis=1), ratings.mean(axis=0)
    remains = ratings - targets[:, None] - raters + grand
    bms = k * float(np.square(targets - grand).sum()) / (n - 1)
    jms = n * float(np.square(raters - grand).sum()) / (k - 1)
    return bms, jms, float(np.square(remains).sum()) / ((n - 1) * (k - 1))
