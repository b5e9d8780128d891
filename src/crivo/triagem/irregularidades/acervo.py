"""All the sentences that an edital's projects are compared by, weighed and ready to be multiplied.

Memory: a kilobyte and a half a different sentence, and the texts themselves.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from crivo.kernel.linguagem.lexico import read_lexico
from crivo.triagem.documentos.lido import ProjetoLido
from crivo.triagem.edital import Chamada, Value
from crivo.triagem.embeddings.local import content_words, without_empty_words
from crivo.triagem.embeddings.ngramas import words
from crivo.triagem.embeddings.port import Matriz
from crivo.triagem.irregularidades.frases import Frase, sentences, texts_of
from crivo.triagem.irregularidades.pesos import Pesos

_SAMPLED_PROJECTS: Final = 1000  # in which common sentences are looked for
_FIRST_ASKED: Final = 100  # of these; what too few of them have is not looked for in the others
_HOPEFUL_SHARE: Final = 0.1  # of those asked first: of a hundred, a wording of a quarter of all projects is in fewer once in 10,000 times
_COMMON_SHARE: Final = 0.25
_COMMON_LEAST: Final = 5  # projects: among few, a sentence in two or three of them is what is looked for
_COMMON_COSINE: Final = 0.5
_QUOTED_COSINE: Final = 0.6
_ROWS: Final = 512
_COLUMNS: Final = 4096
_FORMULAS: Final[tuple[str, ...]] = read_lexico("crivo.triagem.irregularidades", "formulas", tuple[str, ...])

Numeros = NDArray[np.int32]
Logicos = NDArray[np.bool_]


class ProjetoPassado(Value, frozen=True):
    """A project of a past edital of the same tenant: its sentences, verbatim, and whose it was, as `proponente_of` tells."""

    edital_id: str
    projeto_id: str
    frases: tuple[str, ...]
    proponente: str = ""


@dataclass(frozen=True, slots=True)
class Acervo:
    """The sentences of every text that are its own and not everybody's, of the edital's projects first and then of past ones.

    By sentence: `texto_de` and `projeto_de` number its text and its project, neither ever falling; `unica_de` is its wording, a row of
    `vetores` and of `pesos`.
    """

    frases: Sequence[Frase]
    texto_de: Numeros
    projeto_de: Numeros
    unica_de: Numeros
    vetores: Matriz
    pesos: Pesos


class _Colhidas(NamedTuple):
    """Every sentence with something to compare, the numbers of its text and its project, its wording, and whether a formula is in it."""

    frases: list[Frase]
    texto_de: Numeros
    projeto_de: Numeros
    contents: list[str]
    is_formulaic: Logicos


def gather(chamada: Chamada, lidos: Sequence[ProjetoLido], passados: Sequence[ProjetoPassado]) -> Acervo | None:
    """Every sentence to compare; None where there is none."""
    colhidas = _collect(lidos, passados)
    palavras = list(dict.fromkeys(colhidas.contents))
    if not palavras:
        return None
    number = {content: at for at, content in enumerate(palavras)}
    unica_de = np.array([number[content] for content in colhidas.contents], np.int32)
    pesos = Pesos(palavras)
    vetores = pesos.vectors()
    current = colhidas.projeto_de < len(lidos)
    everybodys = common_among(vetores, unica_de[current], colhidas.projeto_de[current], len(lidos))
    everybodys |= _quoted(vetores, pesos.vectors_of(_texts_of_edital(chamada)))
    everybodys[unica_de[colhidas.is_formulaic]] = True
    own = np.flatnonzero(~everybodys[unica_de])
    if not len(own):
        return None
    frases = [colhidas.frases[at] for at in own]
    return Acervo(frases, colhidas.texto_de[own], colhidas.projeto_de[own], unica_de[own], vetores, pesos)


def common_among(vetores: Matriz, unica_de: Numeros, projeto_de: Numeros, total: int) -> Logicos:
    """The wordings that over a quarter of the projects, and more than five, have in some form; of many projects, 1,000 are asked."""
    chosen = _evenly(np.arange(total), _SAMPLED_PROJECTS)
    common = np.zeros(len(vetores), np.bool_)
    if len(chosen) <= _COMMON_LEAST or not len(unica_de):
        return common
    hopeful = np.arange(len(vetores))
    if len(chosen) > _FIRST_ASKED:
        asked = np.isin(projeto_de, _evenly(chosen, _FIRST_ASKED))
        told = _told_by(vetores, hopeful, unica_de[asked], projeto_de[asked])
        hopeful = np.flatnonzero(told >= _HOPEFUL_SHARE * _FIRST_ASKED)
    asked = np.isin(projeto_de, chosen)
    told = _told_by(vetores, hopeful, unica_de[asked], projeto_de[asked])
    common[hopeful] = told > max(_COMMON_SHARE * len(chosen), _COMMON_LEAST)
    return common


def strips(projeto_de: Numeros, rows: int) -> Iterator[slice]:
    """Sentences that stand in the order of their projects, in runs of at least so many, no project cut in two."""
    start = 0
    while start < len(projeto_de):
        last = projeto_de[min(start + rows, len(projeto_de)) - 1]
        end = int(np.searchsorted(projeto_de, last, side="right"))
        yield slice(start, end)
        start = end


def _told_by(vetores: Matriz, quais: NDArray[np.intp], unica_de: Numeros, projeto_de: Numeros) -> NDArray[np.int64]:
    """How many of the projects that these sentences are from have each of the wordings in some form."""
    told = np.zeros(len(quais), np.int64)
    for strip in strips(projeto_de, _COLUMNS):
        columns = vetores[unica_de[strip]]
        starts = np.flatnonzero(np.diff(projeto_de[strip], prepend=-1))
        for row in range(0, len(quais), _ROWS):
            alike = vetores[quais[row : row + _ROWS]] @ columns.T >= _COMMON_COSINE
            told[row : row + _ROWS] += np.logical_or.reduceat(alike, starts, axis=1).sum(axis=1)
    return told


def _evenly(numbers: NDArray[np.intp], most: int) -> NDArray[np.intp]:
    return numbers[np.unique(np.linspace(0, len(numbers) - 1, min(len(numbers), most)).astype(np.intp))]


def _collect(lidos: Sequence[ProjetoLido], passados: Sequence[ProjetoPassado]) -> _Colhidas:
    frases: list[Frase] = []
    contents: list[str] = []
    places: list[tuple[int, int, bool]] = []
    texts = [(number, text) for number, lido in enumerate(lidos) for text in texts_of(lido)]
    texts += [(len(lidos) + number, _past_text(passado)) for number, passado in enumerate(passados)]
    for text, (number, told) in enumerate(texts):
        for frase in told:
            folded = words(frase.texto)
            content = without_empty_words(folded)
            if " " in content:  # one word alone is no wording
                frases.append(frase)
                contents.append(content)
                places.append((text, number, _is_formulaic(folded)))
    texto_de, projeto_de, is_formulaic = np.array(places, np.int32).reshape(-1, 3).T
    return _Colhidas(frases, texto_de, projeto_de, contents, is_formulaic.astype(np.bool_))


def _is_formulaic(folded: str) -> bool:
    """Whether it is a wording of declarations or of the law, which everybody has to write."""
    return any(formula in folded for formula in _FORMULAS)


def _past_text(passado: ProjetoPassado) -> tuple[Frase, ...]:
    return tuple(Frase(texto, len(texto.split())) for texto in passado.frases)


def _texts_of_edital(chamada: Chamada) -> list[str]:
    edital = chamada.edital
    said = [edital.nome, edital.objetivo, edital.texto]
    said += [requisito.descricao for requisito in chamada.requisitos]
    for criterio in chamada.criterios:
        said += [criterio.nome, criterio.descricao, *(nivel.descricao for nivel in criterio.niveis)]
    return [content for texto in said for frase, _ in sentences(texto) if " " in (content := content_words(frase))]


def _quoted(vetores: Matriz, do_edital: Matriz) -> Logicos:
    """The wordings that the edital itself has: who quotes it copies nobody."""
    quoted = np.zeros(len(vetores), np.bool_)
    if len(do_edital):
        for row in range(0, len(vetores), _ROWS):
            quoted[row : row + _ROWS] = (vetores[row : row + _ROWS] @ do_edital.T).max(axis=1) >= _QUOTED_COSINE
    return quoted
