"""All the sentences that an edital's projects are compared by, weighed and ready to be multiplied.

Memory: a kilobyte a different sentence, and the texts themselves; n-grams are counted again where they are needed.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from crivo.triagem.documentos.lido import ProjetoLido
from crivo.triagem.edital import Chamada, Value
from crivo.triagem.embeddings.local import content_words
from crivo.triagem.embeddings.ngramas import Esparsa, count_ngramas, dampened, project, unit_rows, words
from crivo.triagem.embeddings.port import Matriz
from crivo.triagem.irregularidades.frases import Frase, sentences, texts_of

DIMENSOES: Final = 256
_WEIGHED: Final = 20_000  # sentences from which the weight of n-grams is learned, evenly spaced among all
_BATCH: Final = 8192  # sentences counted at a time
_SAMPLED_PROJECTS: Final = 1000  # in which common sentences are looked for
_COMMON_SHARE: Final = 0.25
_COMMON_LEAST: Final = 5  # projects: among few, a sentence in two or three of them is what is looked for
_COMMON_COSINE: Final = 0.5
_QUOTED_COSINE: Final = 0.6
_ROWS: Final = 512
_FORMULAS: Final[tuple[str, ...]] = tuple(json.loads(files("crivo.triagem.irregularidades").joinpath("formulas.json").read_bytes()))

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

    By sentence: `texto_de` and `projeto_de` number its text and its project, `unica_de` its wording among `palavras`. `vetores` has a
    row a wording.
    """

    frases: Sequence[Frase]
    texto_de: Numeros
    projeto_de: Numeros
    unica_de: Numeros
    palavras: Sequence[str]
    vetores: Matriz
    pesos: Pesos


class Pesos:
    """How much each n-gram tells: the rarer among the sentences, the more."""

    def __init__(self, palavras: Sequence[str]) -> None:
        chosen = [palavras[at] for at in np.unique(np.linspace(0, len(palavras) - 1, min(len(palavras), _WEIGHED)).astype(int))]
        found = sum(((count_ngramas(batch) > 0).sum(axis=0) for batch in _batches(chosen)), start=np.zeros(1))
        self._weights = sparse.diags_array(np.asarray(np.log((1 + len(chosen)) / (1 + found)) + 1, np.float32).ravel())

    def rows(self, palavras: Sequence[str]) -> Esparsa:
        """Sentences × n-grams, of unit length: TF-IDF."""
        return unit_rows(sparse.csr_array(dampened(count_ngramas(palavras)) @ self._weights))

    def vectors(self, palavras: Sequence[str]) -> Matriz:
        """Sentences × 256, of unit length."""
        parts = [project(self.rows(batch), DIMENSOES) for batch in _batches(palavras)]
        return np.concatenate(parts) if parts else np.empty((0, DIMENSOES), np.float32)


def gather(chamada: Chamada, lidos: Sequence[ProjetoLido], passados: Sequence[ProjetoPassado]) -> Acervo | None:
    """Every sentence to compare; None where there is none."""
    frases, texto_de, projeto_de, contents = _collect(lidos, passados)
    palavras = list(dict.fromkeys(contents))
    if not palavras:
        return None
    number = {content: at for at, content in enumerate(palavras)}
    unica_de = np.array([number[content] for content in contents], np.int32)
    pesos = Pesos(palavras)
    vetores = pesos.vectors(palavras)
    current = projeto_de < len(lidos)
    common = common_among(vetores, unica_de[current], projeto_de[current], len(lidos))
    everybodys = common | _quoted(vetores, pesos, _texts_of_edital(chamada)) | _formulaic(frases, unica_de, len(palavras))
    own = np.flatnonzero(~everybodys[unica_de])
    if not len(own):
        return None
    kept, renumbered = np.unique(unica_de[own], return_inverse=True)
    return Acervo(
        [frases[at] for at in own],
        texto_de[own],
        projeto_de[own],
        renumbered.astype(np.int32),
        [palavras[at] for at in kept],
        vetores[kept],
        pesos,
    )


def common_among(vetores: Matriz, unica_de: Numeros, projeto_de: Numeros, total: int) -> Logicos:
    """The wordings that over a quarter of the projects, and more than five, have in some form; of many projects, 1,000 are asked."""
    chosen = np.unique(np.linspace(0, total - 1, min(total, _SAMPLED_PROJECTS)).astype(np.int32))
    asked = np.flatnonzero(np.isin(projeto_de, chosen))
    common = np.zeros(len(vetores), np.bool_)
    if len(chosen) <= _COMMON_LEAST or not len(asked):
        return common
    columns = vetores[unica_de[asked]]
    starts = np.flatnonzero(np.diff(projeto_de[asked], prepend=-1))  # sentences stand in the order of their projects
    least = max(_COMMON_SHARE * len(chosen), _COMMON_LEAST)
    for row in range(0, len(vetores), _ROWS):
        alike = vetores[row : row + _ROWS] @ columns.T >= _COMMON_COSINE
        common[row : row + _ROWS] = np.logical_or.reduceat(alike, starts, axis=1).sum(axis=1) > least
    return common


def _collect(lidos: Sequence[ProjetoLido], passados: Sequence[ProjetoPassado]) -> tuple[list[Frase], Numeros, Numeros, list[str]]:
    frases: list[Frase] = []
    contents: list[str] = []
    places: list[tuple[int, int]] = []
    texts = [(number, text) for number, lido in enumerate(lidos) for text in texts_of(lido)]
    texts += [(len(lidos) + number, _past_text(passado)) for number, passado in enumerate(passados)]
    for text, (number, told) in enumerate(texts):
        for frase in told:
            content = content_words(frase.texto)
            if " " in content:  # one word alone is no wording
                frases.append(frase)
                contents.append(content)
                places.append((text, number))
    texto_de, projeto_de = np.array(places, np.int32).reshape(-1, 2).T
    return frases, texto_de, projeto_de, contents


def _past_text(passado: ProjetoPassado) -> tuple[Frase, ...]:
    return tuple(Frase(texto, len(texto.split())) for texto in passado.frases)


def _texts_of_edital(chamada: Chamada) -> list[str]:
    edital = chamada.edital
    said = [edital.nome, edital.objetivo, edital.texto]
    said += [requisito.descricao for requisito in chamada.requisitos]
    for criterio in chamada.criterios:
        said += [criterio.nome, criterio.descricao, *(nivel.descricao for nivel in criterio.niveis)]
    return [content for texto in said for frase, _ in sentences(texto) if " " in (content := content_words(frase))]


def _quoted(vetores: Matriz, pesos: Pesos, do_edital: Sequence[str]) -> Logicos:
    """The wordings that the edital itself has: who quotes it copies nobody."""
    quoted = np.zeros(len(vetores), np.bool_)
    columns = pesos.vectors(do_edital)
    if len(columns):
        for row in range(0, len(vetores), _ROWS):
            quoted[row : row + _ROWS] = (vetores[row : row + _ROWS] @ columns.T).max(axis=1) >= _QUOTED_COSINE
    return quoted


def _formulaic(frases: Sequence[Frase], unica_de: Numeros, total: int) -> Logicos:
    """The wordings of declarations and of the law, which everybody has to write."""
    formulaic = np.zeros(total, np.bool_)
    for frase, unica in zip(frases, unica_de, strict=True):
        folded = words(frase.texto)
        formulaic[unica] |= any(formula in folded for formula in _FORMULAS)
    return formulaic


def _batches(palavras: Sequence[str]) -> Iterable[Sequence[str]]:
    return (palavras[start : start + _BATCH] for start in range(0, len(palavras), _BATCH))
