"""The texts of a project, sentence by sentence, each where it stands."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from crivo.kernel.linguagem.frases import find_sentences
from crivo.triagem.documentos.lido import ProjetoLido

MENOR_FRASE: Final = 4  # words; a heading says nothing of who wrote it
_LONGEST_WORDS: Final = 45  # a text without full stops is cut here
_WORD: Final = re.compile(r"[^\W_]+")


class Frase(NamedTuple):
    """A sentence, verbatim, and where it stands: a field of the project, or a page of an annex."""

    texto: str
    palavras: int
    campo: str | None = None
    arquivo: str | None = None
    pagina: int | None = None


def texts_of(lido: ProjetoLido) -> Iterator[tuple[Frase, ...]]:
    """What the project says of itself, and each annex: documents asked for by the edital are others' words, and are left out."""
    projeto = lido.projeto
    fields = (("resumo", projeto.resumo), ("descricao_tecnica", projeto.descricao_tecnica))
    yield tuple(Frase(texto, palavras, campo=campo) for campo, inteiro in fields for texto, palavras in sentences(inteiro))
    for documento in lido.documentos:
        if documento.requisito is None:
            yield tuple(
                Frase(texto, palavras, arquivo=documento.arquivo, pagina=pagina.numero)
                for pagina in documento.paginas
                for texto, palavras in sentences(pagina.texto)
            )


def sentences(texto: str) -> Iterator[tuple[str, int]]:
    """Each sentence of at least four words, verbatim, with its number of words."""
    for start, end in find_sentences(texto):
        yield from _pieces(texto[start:end])


def _pieces(texto: str) -> Iterator[tuple[str, int]]:
    found = list(_WORD.finditer(texto))
    for first in range(0, len(found), _LONGEST_WORDS):
        piece = found[first : first + _LONGEST_WORDS]
        if len(piece) >= MENOR_FRASE:
            begin = 0 if first == 0 else piece[0].start()
            end = found[first + _LONGEST_WORDS].start() if first + _LONGEST_WORDS < len(found) else len(texto)
            yield texto[begin:end].strip(), len(piece)
