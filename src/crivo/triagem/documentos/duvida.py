"""Which words of a page were read with doubt, and a document without them: what they alone say decides nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from msgspec.structs import replace

from crivo.triagem.documentos.lido import DocumentoLido, Pagina, Palavra, Regiao

Caixa = tuple[float, float, float, float]
DUVIDOSA: Final = 0.75
"""Below this confiança a word is doubtful. Of 2,406 words of spoilt papers 22 were, and 5 of them misread; of the others 12."""
_WITHIN: Final = 0.3  # of a word's box, in a stamp or under a hand, for it to be in doubt
_COVERED: Final = 0.7  # as sure as such a word can be
_BLOT: Final = "▯"  # no letter: what it stands for can be neither a word nor a part of one


def is_doubtful(palavra: Palavra) -> bool:
    """Whether a word may say something else than was read; what has neither letter nor figure says nothing."""
    return palavra.confianca < DUVIDOSA and any(map(str.isalnum, palavra.texto))


def doubtful_spans(pagina: Pagina, said: Callable[[str], str] = str) -> tuple[tuple[int, int], ...]:
    """Where the doubtful words of a page stand in its text, both as they are `said`; a word that is not there any more is passed over."""
    texto, at = said(pagina.texto), 0
    spans = []
    for palavra in pagina.palavras:
        word = said(palavra.texto)
        start = texto.find(word, at)
        if start < 0:
            continue
        at = start + len(word)
        if is_doubtful(palavra):
            spans.append((start, at))
    return tuple(spans)


def doubted_within(palavras: Sequence[Palavra], regioes: Sequence[Regiao]) -> tuple[Palavra, ...]:
    """The same words, those within a stamp or under a hand in doubt, however sure their reader was."""
    boxes = [one.caixa for one in regioes]
    return tuple(
        [replace(one, confianca=min(one.confianca, _COVERED)) if is_within(one.caixa, boxes, _WITHIN) else one for one in palavras]
    )


def is_within(caixa: Caixa, boxes: Sequence[Caixa], share: float) -> bool:
    """Whether a box lies within one of others by so large a share of itself."""
    left, top, right, bottom = caixa
    area = max((right - left) * (bottom - top), 1e-9)
    common = (
        max(0.0, min(right, other[2]) - max(left, other[0])) * max(0.0, min(bottom, other[3]) - max(top, other[1])) for other in boxes
    )
    return any(one >= share * area for one in common)


def without_doubtful(documento: DocumentoLido) -> DocumentoLido:
    """The same document with every doubtful word blotted out, letter by letter; itself where there is none."""
    paginas = tuple(_blotted(pagina) for pagina in documento.paginas)
    return documento if paginas == documento.paginas else replace(documento, paginas=paginas)


def has_doubt(texto: str) -> bool:
    """Whether a part of such a document's text has a word blotted out."""
    return _BLOT in texto


def _blotted(pagina: Pagina) -> Pagina:
    spans = doubtful_spans(pagina)
    if not spans:
        return pagina
    letters = list(pagina.texto)
    for start, end in spans:
        letters[start:end] = _BLOT * (end - start)
    return replace(pagina, texto="".join(letters))
