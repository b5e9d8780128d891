"""Reused text, sentence by sentence, with the passages side by side. Source: design, Irregularidades ("Reused text").

A project's score against another is the share of its words, in any one of its texts, that stand in sentences which the other has too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from crivo.triagem.achados import Evidencia, Irregularidade
from crivo.triagem.documentos.lido import ProjetoLido
from crivo.triagem.edital import Chamada
from crivo.triagem.embeddings.ngramas import Esparsa
from crivo.triagem.irregularidades.acervo import Acervo, Numeros, ProjetoPassado, gather
from crivo.triagem.irregularidades.escrita import counted, percent_pt
from crivo.triagem.irregularidades.frases import Frase, texts_of
from crivo.triagem.irregularidades.identidade import proponente_of
from crivo.triagem.irregularidades.paridades import Cossenos

FRASE_IGUAL: Final = 0.45  # cosine from which two sentences say the same in the same words
REUSO: Final = 0.30  # share from which reuse is flagged
REUSO_PROPRIO: Final = 0.90  # between projects of one proponente, whose series are honestly alike
_LEAST_WORDS: Final = 20
_CANDIDATE: Final = 0.33  # cosine in 256 dimensions, two deviations below `FRASE_IGUAL`
_ROWS: Final = 512
_TALLEST: Final = 2048  # rows of a tile; a strip is seldom more
_COLUMNS: Final = 4096
_SHOWN: Final = 12  # passages
_OTHERS: Final = 20  # findings that one project may lead to


@dataclass(frozen=True, slots=True)
class _Reuse:
    """What a text shares with another project: the share of its words, and the sentences of both, with their likeness."""

    projeto: int
    outro: int
    parte: float
    trechos: tuple[tuple[int, int, float], ...]


class _Occurrences(NamedTuple):
    """Where each wording stands: `times[w]` places in `order` from `start[w]` on."""

    order: NDArray[np.intp]
    start: NDArray[np.intp]
    times: NDArray[np.intp]

    @classmethod
    def of(cls, wording_of: NDArray[np.signedinteger], total: int) -> _Occurrences:
        times = np.bincount(wording_of, minlength=total)
        return cls(np.argsort(wording_of, kind="stable"), np.cumsum(times) - times, times)


class _Matches(NamedTuple):
    """Sentences, those of other projects that say the same, and how alike they are; of another project's only the nearest."""

    frase: NDArray[np.intp]
    outra: NDArray[np.intp]
    cosseno: Cossenos


class _Runs(NamedTuple):
    """Sentences that match, brought in `order` by text and other project, each such two from `start` to `end`, and what they come to."""

    order: NDArray[np.intp]
    start: NDArray[np.intp]
    end: NDArray[np.intp]
    projeto: Numeros
    outro: Numeros
    parte: NDArray[np.float64]
    is_enough: NDArray[np.bool_]


class _Medida:
    """How much of a text its matching sentences are, and whether that is enough to be told."""

    def __init__(self, acervo: Acervo, grupos: Numeros) -> None:
        self._acervo = acervo
        self._grupos = grupos
        self._words = np.array([frase.palavras for frase in acervo.frases], np.int64)
        self._words_of_text = np.bincount(acervo.texto_de, self._words).astype(np.int64)

    def runs(self, frase: NDArray[np.intp], outra: NDArray[np.intp]) -> _Runs:
        """The matches by text and other project; a sentence with several in one project counts once."""
        text, other = self._acervo.texto_de[frase], self._acervo.projeto_de[outra]
        order = np.lexsort((frase, other, text))
        text, other, frase = text[order], other[order], frase[order]
        begins = np.ones(len(frase), np.bool_)
        begins[1:] = (np.diff(text) != 0) | (np.diff(other) != 0)
        start = np.flatnonzero(begins)
        begins[1:] |= np.diff(frase) != 0
        shared = np.add.reduceat(self._words[frase] * begins, start) if len(start) else np.empty(0, np.int64)
        parte = shared / self._words_of_text[text[start]]
        projeto, outro = self._acervo.projeto_de[frase[start]], other[start]
        needed = np.where(self._grupos[projeto] == self._grupos[outro], REUSO_PROPRIO, REUSO)
        is_enough = (parte >= needed) & (shared >= _LEAST_WORDS)
        return _Runs(order, start, np.append(start[1:], len(frase)).astype(np.intp), projeto, outro, parte, is_enough)

    def enough(self, frase: NDArray[np.intp], outra: NDArray[np.intp]) -> NDArray[np.intp]:
        """Which of the matches belong to a text and another project that have enough in common."""
        runs = self.runs(frase, outra)
        return runs.order[np.repeat(runs.is_enough, runs.end - runs.start)]


def past_of(edital_id: str, lido: ProjetoLido) -> ProjetoPassado:
    """What later editais are compared with."""
    frases = tuple(frase.texto for text in texts_of(lido) for frase in text)
    return ProjetoPassado(edital_id, lido.projeto.id, frases, proponente_of(lido.projeto))


def find_texto_reutilizado(
    chamada: Chamada, lidos: Sequence[ProjetoLido], passados: Sequence[ProjetoPassado] = ()
) -> tuple[Irregularidade, ...]:
    """A sign for each two projects of which one has at least 30% of its text in common with the other, the largest share first.

    `valor` is that share; against a past edital the finding names the one project, and its evidence the other as `edital/projeto`.
    """
    acervo = gather(chamada, lidos, passados)
    if acervo is None:
        return ()
    grupos = _groups([*(proponente_of(lido.projeto) for lido in lidos), *(passado.proponente for passado in passados)])
    strongest: dict[tuple[int, int], _Reuse] = {}
    for reuse in _reuses(acervo, grupos, len(lidos)):
        pair = (min(reuse.projeto, reuse.outro), max(reuse.projeto, reuse.outro))
        if pair not in strongest or reuse.parte > strongest[pair].parte:
            strongest[pair] = reuse
    names = [*(lido.projeto.id for lido in lidos), *(f"{passado.edital_id}/{passado.projeto_id}" for passado in passados)]
    ranked = sorted(strongest.items(), key=lambda item: (-item[1].parte, item[0]))
    return tuple(_sign(reuse, names, acervo.frases, len(lidos)) for _, reuse in ranked)


def _reuses(acervo: Acervo, grupos: Numeros, total: int) -> Iterator[_Reuse]:
    """Strip by strip, so that what is held at a time depends on the strip alone."""
    medida = _Medida(acervo, grupos)
    where = _Occurrences.of(acervo.unica_de, len(acervo.palavras))
    for strip in _strips(np.flatnonzero(acervo.projeto_de < total), acervo.projeto_de):
        matches = _matches(acervo, strip, where, medida)
        found = sorted(_above(matches, medida), key=lambda reuse: (reuse.projeto, -reuse.parte, reuse.outro))
        seen: Counter[int] = Counter()
        for reuse in found:
            seen[reuse.projeto] += 1
            if seen[reuse.projeto] <= _OTHERS:
                yield reuse


def _strips(frases: NDArray[np.intp], projeto_de: Numeros) -> Iterator[NDArray[np.intp]]:
    """The sentences in runs of about 512, no project cut in two."""
    start = 0
    while start < len(frases):
        end = min(start + _ROWS, len(frases))
        while end < len(frases) and projeto_de[frases[end]] == projeto_de[frases[end - 1]]:
            end += 1
        yield frases[start:end]
        start = end


def _matches(acervo: Acervo, strip: NDArray[np.intp], where: _Occurrences, medida: _Medida) -> _Matches:
    """For each sentence of the strip, the nearest of each other project that has one like it.

    Where even all that may be alike is too little of a text, nothing is compared exactly: chance brings many sentences together, and
    few texts.
    """
    unicas, inverse = np.unique(acervo.unica_de[strip], return_inverse=True)
    rows, others = _candidates(acervo, unicas)
    pair, one, outra = _every_pair(_Occurrences.of(inverse, len(unicas)), rows, where, others)
    frase = strip[one]
    apart = np.flatnonzero(acervo.projeto_de[frase] != acervo.projeto_de[outra])
    frase, outra, pair = frase[apart], outra[apart], pair[apart]
    hopeful = medida.enough(frase, outra)
    frase, outra, pair = frase[hopeful], outra[hopeful], pair[hopeful]
    compared, at = np.unique(pair, return_inverse=True)
    cosines = _exact(acervo, unicas[rows[compared]], others[compared])[at]
    same = cosines >= FRASE_IGUAL
    return _nearest(acervo, frase[same], outra[same], cosines[same])


def _every_pair(here: _Occurrences, rows: NDArray[np.intp], there: _Occurrences, others: NDArray[np.intp]) -> tuple[NDArray[np.intp], ...]:
    """For each two wordings, every sentence that has the one beside every sentence that has the other."""
    right = there.times[others]
    sizes = here.times[rows] * right
    pair = np.repeat(np.arange(len(rows)), sizes)
    within = np.arange(len(pair)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    one = here.order[here.start[rows][pair] + within // right[pair]]
    return pair, one, there.order[there.start[others][pair] + within % right[pair]]


def _nearest(acervo: Acervo, frase: NDArray[np.intp], outra: NDArray[np.intp], cosseno: Cossenos) -> _Matches:
    """Of the sentences that another project has like this one, the most alike; of equals, the one that stands first."""
    order = np.lexsort((outra, -cosseno, acervo.projeto_de[outra], frase))
    frase, outra, cosseno = frase[order], outra[order], cosseno[order]
    first = np.ones(len(frase), np.bool_)
    first[1:] = (np.diff(frase) != 0) | (np.diff(acervo.projeto_de[outra]) != 0)
    return _Matches(frase[first], outra[first], cosseno[first])


def _candidates(acervo: Acervo, unicas: Numeros) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The pairs of wordings that are near enough in 256 dimensions, the first by its place in `unicas`."""
    rows: list[NDArray[np.intp]] = []
    others: list[NDArray[np.intp]] = []
    for top in range(0, len(unicas), _TALLEST):  # a single project may have many thousand sentences
        strip = acervo.vetores[unicas[top : top + _TALLEST]]
        for start in range(0, len(acervo.vetores), _COLUMNS):
            tile = strip @ acervo.vetores[start : start + _COLUMNS].T
            near = np.flatnonzero(tile.max(axis=1) >= _CANDIDATE)
            row, column = np.nonzero(tile[near] >= _CANDIDATE)
            rows.append(top + near[row])
            others.append(start + column)
    return np.concatenate(rows), np.concatenate(others)


def _exact(acervo: Acervo, unicas: Numeros, others: NDArray[np.intp]) -> Cossenos:
    """The cosines of pairs of wordings by their n-grams themselves."""
    if not len(unicas):
        return np.empty(0, np.float32)
    needed, at = np.unique(np.concatenate((unicas, others)), return_inverse=True)
    weighed = acervo.pesos.rows([acervo.palavras[number] for number in needed])
    return _dots(weighed, at[: len(unicas)], at[len(unicas) :])


def _dots(rows: Esparsa, first: NDArray[np.intp], second: NDArray[np.intp]) -> Cossenos:
    found = [
        np.asarray(rows[first[start : start + _ROWS]].multiply(rows[second[start : start + _ROWS]]).sum(axis=1), np.float32)
        for start in range(0, len(first), _ROWS)
    ]
    return np.concatenate(found)


def _above(matches: _Matches, medida: _Medida) -> Iterator[_Reuse]:
    """The texts of which a share above the threshold stands in one other project."""
    runs = medida.runs(matches.frase, matches.outra)
    for at in np.flatnonzero(runs.is_enough):
        run = runs.order[runs.start[at] : runs.end[at]]
        trechos = tuple(zip(matches.frase[run].tolist(), matches.outra[run].tolist(), matches.cosseno[run].tolist(), strict=True))
        yield _Reuse(int(runs.projeto[at]), int(runs.outro[at]), float(runs.parte[at]), trechos)


def _groups(proponentes: Sequence[str]) -> Numeros:
    """A number for each proponente; one who is not known is nobody else."""
    numbers: dict[str, int] = {}
    return np.array([numbers.setdefault(who or f"({at})", len(numbers)) for at, who in enumerate(proponentes)], np.int32)


def _sign(reuse: _Reuse, names: Sequence[str], frases: Sequence[Frase], total: int) -> Irregularidade:
    projetos = tuple(names[number] for number in sorted((reuse.projeto, reuse.outro)) if number < total)
    where = "no outro" if reuse.outro < total else f"no projeto {names[reuse.outro]}, de um edital passado,"
    said = counted(len(reuse.trechos), "trecho", "trechos")
    return Irregularidade(
        tipo="texto_reutilizado",
        projetos=projetos,
        valor=round(reuse.parte, 4),
        evidencia=tuple(_side_by_side(reuse, names, frases)),
        achado=f"{percent_pt(100 * reuse.parte)} do texto do projeto {names[reuse.projeto]} está {where} com as mesmas palavras, "
        f"ou quase, em {said}. Compare os trechos lado a lado antes de concluir.",
    )


def _side_by_side(reuse: _Reuse, names: Sequence[str], frases: Sequence[Frase]) -> Iterator[Evidencia]:
    """The passages most alike, in the order of the text."""
    shown = sorted(sorted(reuse.trechos, key=lambda trecho: -trecho[2])[:_SHOWN])
    for par, (one, other, cosseno) in enumerate(shown, 1):
        for projeto, at in ((reuse.projeto, one), (reuse.outro, other)):
            frase = frases[at]
            yield Evidencia(
                arquivo=frase.arquivo,
                pagina=frase.pagina,
                trecho=frase.texto,
                projeto=names[projeto],
                campo=frase.campo,
                par=par,
                semelhanca=round(min(cosseno, 1.0), 4),
            )
