"""A second reading of what looks instructing: by what the passage means, a line drawn through the vectors of `semantico`.

The first reading is by words (`leitura_de_frases`, `redacoes`), and is sure of some honest sentences that use the words of orders. Where
meaning can be told an alarm needs both readings: a passage that the first is sure of falls where the second is sure that it is no order,
and one that the first only doubts is told where the second is sure that it is one. What is hidden or disguised is told by the first
alone: nobody disguises an honest sentence. The weights (`instrucoes_sentido.json`) are written by `python -m evals.instrucoes_sentido`.
Source: design, Meaning, not only letters.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from crivo.kernel.linguagem.dobra import fold
from crivo.kernel.linguagem.lexico import read_lexico
from crivo.triagem.documentos.lido import ProjetoLido
from crivo.triagem.edital import Value
from crivo.triagem.embeddings.port import Matriz
from crivo.triagem.irregularidades.alinhamento import centred
from crivo.triagem.irregularidades.instrucoes import Instrucao, fields_of, find_doubtful, find_instrucoes, passage, plain_of, readings_of

Significados = Mapping[str, NDArray[np.float32]]
"""The vectors of what was read for its meaning, by text."""
_GIVEN: Final = str.maketrans("êá", "ea")  # what is kept of accents where an order is asked for by one


class _Reta(Value, frozen=True):
    """The line: what a passage of which the first reading is sure has to add up to (`limiar`), and one that it doubts (`limiar_duvida`)."""

    intercepto: float
    limiar: float
    limiar_duvida: float
    pesos: tuple[float, ...]


class _Candidata(NamedTuple):
    instrucao: Instrucao
    trecho: str
    segura: bool
    disfarcada: bool


class SegundaLeitura:
    """What of a project looks instructing by its words: first `trechos` are read for their meaning, then `ler` tells what is left."""

    def __init__(self, lido: ProjetoLido) -> None:
        self._candidatas = {texto: tuple(_candidates(texto)) for texto in _visible(lido)}

    @property
    def trechos(self) -> tuple[str, ...]:
        """The passages whose meaning decides, each once."""
        every = (one for some in self._candidatas.values() for one in some if not one.disfarcada)
        return tuple(dict.fromkeys(one.trecho for one in every))

    def ler(self, texto: str, significados: Significados) -> tuple[Instrucao, ...]:
        """The passages of one of the project's texts that both readings tell, in their order."""
        return tuple(one.instrucao for one in self._candidatas[texto] if _is_told(one, significados))


def sums_of(vetores: Matriz) -> NDArray[np.float32]:
    """What passages add up to, by their vectors: the higher, the more they mean to tell whoever grades what to do."""
    return np.asarray(centred(vetores) @ np.array(_line().pesos, np.float32) + _line().intercepto, np.float32)


def _is_told(candidata: _Candidata, significados: Significados) -> bool:
    if candidata.disfarcada:
        return candidata.segura
    soma = float(sums_of(significados[candidata.trecho][None])[0])
    return soma >= (_line().limiar if candidata.segura else _line().limiar_duvida)


def _candidates(texto: str) -> Iterator[_Candidata]:
    sure = find_instrucoes(texto)
    doubtful = (one for one in find_doubtful(texto) if not any(one.inicio < other.fim and other.inicio < one.fim for other in sure))
    found = [(one, True) for one in sure] + [(one, False) for one in doubtful]
    for instrucao, segura in sorted(found, key=lambda one: (one[0].inicio, one[0].fim)):
        trecho = passage(texto, instrucao)
        yield _Candidata(instrucao, trecho, segura, _is_disguised(trecho))


def _is_disguised(trecho: str) -> bool:
    """Whether a passage reads as something else than it looks: its letters are no words, and have no meaning of their own."""
    return readings_of(trecho) > 1 or "".join(fold(trecho).split()) != "".join(plain_of(trecho).translate(_GIVEN).split())


def _visible(lido: ProjetoLido) -> Iterator[str]:
    """All that whoever opens the project sees, as it is looked into: fields, pages, and the lines of scanned ones."""
    yield from dict.fromkeys(texto for _, texto in fields_of(lido.projeto))
    for documento in lido.documentos:
        for pagina in documento.paginas:
            yield pagina.texto
            if pagina.por_ocr:
                yield from pagina.texto.splitlines()


@cache
def _line() -> _Reta:
    return read_lexico(__package__, "instrucoes_sentido", _Reta)
