"""With no model: for each critério, the passages of a project that speak to it, found by search.

There is no nota: a made-up one is worse than none. Source: design, Avaliação ("leitura assistida").
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from crivo.kernel.linguagem.dobra import fold
from crivo.kernel.linguagem.frases import find_sentences
from crivo.kernel.linguagem.lexico import read_lexico
from crivo.triagem.achados import Evidencia, LeituraAssistida
from crivo.triagem.documentos.lido import DocumentoLido, ProjetoLido
from crivo.triagem.edital import Criterio, Projeto, TipoDocumento
from crivo.triagem.habilitacao.tipos import find_tipos

PASSAGES: Final = 5
_PASSAGE_CHARS: Final = 420
_LONGEST_CHARS: Final = 900
_SHORTEST_CHARS: Final = 40
_MOST_PASSAGES: Final = 4_000  # a project of thousands of pages is searched from its beginning
_K1: Final = 1.2  # BM25's usual constants
_B: Final = 0.75
_TITLE_WEIGHT: Final = 2
_FORMALITIES: Final[frozenset[TipoDocumento]] = frozenset(
    {"CERTIDAO_MUNICIPAL", "CERTIDAO_FEDERAL", "CARTAO_CNPJ", "DOCUMENTO_IDENTIDADE", "COMPROVANTE_RESIDENCIA", "ESTATUTO", "DECLARACAO"}
)
_WORD: Final = re.compile(r"[a-z0-9]{3,}")
_STEM_CHARS: Final = 6
_EMPTY_WORDS: Final[frozenset[str]] = read_lexico("crivo.triagem", "palavras_vazias", frozenset[str])


class Passagem(NamedTuple):
    """A stretch of a project's text that may be shown, and the words of it that carry meaning."""

    evidencia: Evidencia
    terms: Counter[str]


def read_assisted(criterios: Sequence[Criterio], lido: ProjetoLido) -> tuple[LeituraAssistida, ...]:
    """For each critério, in order, at most five verbatim passages of the project's text, documents, budget and calendar, the best first.

    A passage that shares no word with a critério is not shown: a critério that the project does not speak to has none.
    """
    passages = passages_of(lido)
    index = Indice(passages)
    return tuple(LeituraAssistida(criterio.id, best(passages, index.scores(query_of(criterio)))) for criterio in criterios)


def best(passages: Sequence[Passagem], scores: Sequence[float]) -> tuple[Evidencia, ...]:
    """The passages that come to most, of those that come to anything."""
    ranked = sorted(((score, -at) for at, score in enumerate(scores) if score > 0), reverse=True)
    return tuple(passages[-at].evidencia for _, at in ranked[:PASSAGES])


class Indice:
    """BM25 over the passages of one project."""

    def __init__(self, passages: Sequence[Passagem]) -> None:
        self._passages = passages
        self._lengths = [passage.terms.total() for passage in passages]
        self._mean = sum(self._lengths) / len(passages) if passages else 1.0
        found_in = Counter(term for passage in passages for term in passage.terms)
        total = len(passages)
        self._idf = {term: math.log(1 + (total - n + 0.5) / (n + 0.5)) for term, n in found_in.items()}

    def scores(self, query: Counter[str]) -> list[float]:
        """How much each passage has of these words; 0 where it has none."""
        return [self._score(at, query) for at in range(len(self._passages))]

    def _score(self, at: int, query: Counter[str]) -> float:
        terms = self._passages[at].terms
        norm = _K1 * (1 - _B + _B * self._lengths[at] / self._mean)
        return sum(
            weight * self._idf[term] * terms[term] * (_K1 + 1) / (terms[term] + norm) for term, weight in query.items() if term in terms
        )


def query_of(criterio: Criterio) -> Counter[str]:
    """The words by which a critério is looked for."""
    query = Counter(dict.fromkeys(_terms(criterio.nome), _TITLE_WEIGHT))
    query.update(set(_terms(" ".join((criterio.descricao, *(nivel.descricao for nivel in criterio.niveis))))))
    return query


def passages_of(lido: ProjetoLido) -> list[Passagem]:
    """What of a project is searched, in its order."""
    passages: list[Passagem] = []
    for evidencia in _evidence(lido):
        terms = Counter(_terms(evidencia.trecho))
        if terms:
            passages.append(Passagem(evidencia, terms))
        if len(passages) == _MOST_PASSAGES:
            break
    return passages


def _evidence(lido: ProjetoLido) -> Iterator[Evidencia]:
    projeto = lido.projeto
    for campo, texto in (("resumo", projeto.resumo), ("descricao_tecnica", projeto.descricao_tecnica)):
        yield from (Evidencia(projeto=projeto.id, campo=campo, trecho=trecho) for trecho in _cut(texto))
    yield from _tables(projeto)
    for documento in (one for one in lido.documentos if not _is_formality(one)):
        for pagina in documento.paginas:
            for trecho in _cut(pagina.texto):
                yield Evidencia(projeto=projeto.id, arquivo=documento.arquivo, pagina=pagina.numero, trecho=trecho)


def _is_formality(documento: DocumentoLido) -> bool:
    """Papers that prove who someone is or what they owe say nothing of a project's merit."""
    found = find_tipos(documento.texto)
    return bool(found) and found[0] in _FORMALITIES


def _tables(projeto: Projeto) -> Iterator[Evidencia]:
    if projeto.orcamento_itens:
        yield Evidencia(projeto=projeto.id, campo="orcamento_itens", trecho="; ".join(item.descricao for item in projeto.orcamento_itens))
    if projeto.cronograma_etapas:
        yield Evidencia(projeto=projeto.id, campo="cronograma_etapas", trecho="; ".join(etapa.nome for etapa in projeto.cronograma_etapas))


def _cut(texto: str) -> Iterator[str]:
    """Verbatim pieces of a text, sentences kept together up to a readable length."""
    begin = end = 0
    for start, stop in _sentences(texto):
        if end > begin and stop - begin > _PASSAGE_CHARS:
            yield texto[begin:end]
            begin = end = start
        if end <= begin:
            begin = start
        end = stop
        while end - begin > _LONGEST_CHARS:  # a text without full stops
            space = texto.rfind(" ", begin + _SHORTEST_CHARS, begin + _PASSAGE_CHARS)
            at = space if space > 0 else begin + _PASSAGE_CHARS
            yield texto[begin:at]
            begin = at
    if end > begin:
        yield texto[begin:end]


def _sentences(texto: str) -> Iterator[tuple[int, int]]:
    """The sentences, a short one with the one after it."""
    begin: int | None = None
    for start, end in find_sentences(texto):
        begin = start if begin is None else begin
        if end - begin >= _SHORTEST_CHARS:
            yield begin, end
            begin = None
    if begin is not None:
        yield begin, len(texto)


def _terms(text: str) -> Iterator[str]:
    """The words that carry meaning, cut to their stem's length: `acessível` and `acessibilidade` meet."""
    return (word[:_STEM_CHARS] for word in _WORD.findall(fold(text)) if word not in _EMPTY_WORDS)
