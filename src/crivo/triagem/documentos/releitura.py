"""The lines of a page that were read with doubt, read a second time: drawn larger, black on white by the light around each place.

Two readings that agree are surer than one. Where they differ the surer one is kept, and where they differ in a digit neither is sure.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Final

import numpy as np
from PIL import Image, ImageFilter
from rapidfuzz.distance.Hamming import distance

from crivo.kernel.linguagem.datas_escritas import find_written_dates
from crivo.kernel.linguagem.dobra import fold
from crivo.kernel.linguagem.identificadores import find_cnpjs, find_cpfs
from crivo.triagem.documentos.duvida import DUVIDOSA
from crivo.triagem.documentos.folha import Caixa, Cinza
from crivo.triagem.documentos.tesseract import Palavra

_HEIGHT: Final = 56  # pixels of a line as it is read again
_MOST_ZOOM: Final = 3.0
_MOST_LINES: Final = 24  # of a page: one with more doubt is not mended by a second look
_LINE_MARGIN: Final = 0.35  # of its height, above and below a line
_BETWEEN: Final = 36  # pixels
_SPECK: Final = 20  # pixels: lines twice as high keep all their strokes where specks are taken out
_DARKER: Final = 0.86  # of the light around it, for a place to be ink
_SURE: Final = 0.85  # of a word of the second reading that takes the place of another
_HALF_SURE: Final = 0.5
_LONG_WORD: Final = 4  # letters, in which two readings do not agree by chance
_AGREED: Final = 0.8
_UNSETTLED: Final = 0.7  # where two readings differ in a digit
_NUMBERED: Final = 0.8  # at least, where check digits hold
_SAME_PLACE: Final = 0.5  # of the narrower of two words
_NO_MATTER: Final = frozenset(" .,:;|'\"“”‘’")  # signs in which two readings may differ
_AS_DIGITS: Final = str.maketrans({"O": "0", "o": "0", "Q": "0", "D": "0", "l": "1", "I": "1", "|": "1", "S": "5", "B": "8", "Z": "2"})
_LIKE_A_DATE: Final = re.compile(r"(?<!\w)[0-9OoQDlI|SBZ]{2}/[0-9OoQDlI|SBZ]{2}/[0-9OoQDlI|SBZ]{4}(?!\w)")
_LIKE_A_CPF: Final = re.compile(r"(?<!\w)[0-9OoQDlI|SBZ]{3}\.[0-9OoQDlI|SBZ]{3}\.[0-9OoQDlI|SBZ]{3}-[0-9OoQDlI|SBZ]{2}(?!\w)")

_SAYS_OF_A_DATE: Final = ("valida", "valido", "validade", "emissao", "emitida", "emitido", "expedida", "expedicao", "vencimento")

Leitor = Callable[[Cinza], Sequence[Palavra]]


@dataclass(frozen=True, slots=True)
class _Faixa:
    """A line cut out: where it lies on the sheet, how many times larger it is drawn, and at which row of what is read again."""

    palavras: Sequence[Palavra]
    caixa: tuple[int, int, int, int]
    zoom: float
    topo: int
    pixels: Cinza


def read_again(pixels: Cinza, palavras: Sequence[Palavra], read: Leitor) -> tuple[Palavra, ...]:
    """The words of a sheet after a second look at its doubtful lines; `read` reads a picture of lines alone."""
    lines = [list(line) for _, line in groupby(palavras, key=lambda one: (one.paragrafo, one.linha))]
    faixas = list(_strips(pixels, [line for line in lines if any(_is_doubtful(one) for one in line)][:_MOST_LINES]))
    if not faixas:
        return tuple(map(settled, palavras))
    page = np.full(
        (faixas[-1].topo + len(faixas[-1].pixels) + _BETWEEN, max(one.pixels.shape[1] for one in faixas) + 2 * _BETWEEN), 255, np.uint8
    )
    for one in faixas:
        page[one.topo : one.topo + len(one.pixels), _BETWEEN : _BETWEEN + one.pixels.shape[1]] = one.pixels
    said = read(page)
    again = {id(one.palavras): _merged(one, [_back(one, word) for word in said if _is_in(one, word)]) for one in faixas}
    return tuple([settled(word) for line in lines for word in again.get(id(line), line)])


def settled(palavra: Palavra) -> Palavra:
    """A word as it can only have been meant: letters as the digits that a calendar or check digits tell, and a word that says of a date
    which one it is, one letter of it misread, without its accents.
    """
    texto = palavra.texto
    for pattern, holds in ((_LIKE_A_DATE, find_written_dates), (_LIKE_A_CPF, find_cpfs)):
        found = pattern.search(texto)
        if found is None:
            continue
        digits = found[0].translate(_AS_DIGITS)
        if digits != found[0] and any(True for _ in holds(digits)):
            texto = texto[: found.start()] + digits + texto[found.end() :]
    said = fold(texto).strip(".,:;")
    meant = [one for one in _SAYS_OF_A_DATE if one[0] == said[:1] and len(one) == len(said) and distance(one, said) == 1]
    if len(meant) == 1 and said not in _SAYS_OF_A_DATE:
        texto = _as_written(meant[0], texto)
    if palavra.confianca < DUVIDOSA and (find_cpfs(texto) or find_cnpjs(texto)):
        return replace(palavra, texto=texto, confianca=_NUMBERED)
    return palavra if texto == palavra.texto else replace(palavra, texto=texto)


def _as_written(meant: str, texto: str) -> str:
    """A word in the place of another of as many letters, in its case and with the signs around it."""
    start = next(at for at, sign in enumerate(texto) if sign.isalnum())
    kept = texto[start : start + len(meant)]
    word = meant.upper() if kept.isupper() else meant.capitalize() if kept[:1].isupper() else meant
    return texto[:start] + word + texto[start + len(meant) :]


def _is_doubtful(palavra: Palavra) -> bool:
    return palavra.confianca < DUVIDOSA and sum(map(str.isalnum, palavra.texto)) > 1


def _strips(pixels: Cinza, lines: Sequence[list[Palavra]]) -> Iterator[_Faixa]:
    at = _BETWEEN
    for line in lines:
        left, top, right, bottom = _around(line)
        high = max(1.0, bottom - top)
        margin = _LINE_MARGIN * high
        box = (
            max(0, int(left - high)),
            max(0, int(top - margin)),
            min(pixels.shape[1], int(right + high) + 1),
            min(pixels.shape[0], int(bottom + margin) + 1),
        )
        if box[2] - box[0] < 2 or box[3] - box[1] < 2:
            continue
        zoom = min(_MOST_ZOOM, max(1.0, _HEIGHT / high))
        cut = Image.fromarray(pixels[box[1] : box[3], box[0] : box[2]])
        size = round(cut.width * zoom), round(cut.height * zoom)
        strip = _black_on_white(cut.resize(size, Image.Resampling.BICUBIC), round(high * zoom))
        yield _Faixa(line, box, zoom, at, strip)
        at += len(strip) + _BETWEEN


def _around(line: Sequence[Palavra]) -> Caixa:
    """The box around the words of a line; a stain that is far higher than its letters does not stretch it."""
    heights = np.array([one.caixa[3] - one.caixa[1] for one in line])
    kept = [one.caixa for one, high in zip(line, heights, strict=True) if high <= 2 * float(np.median(heights))]
    boxes = np.array(kept)
    return float(boxes[:, 0].min()), float(boxes[:, 1].min()), float(boxes[:, 2].max()), float(boxes[:, 3].max())


def _black_on_white(strip: Image.Image, height: int) -> Cinza:
    """Ink by what is around each place, its edges kept soft."""
    light = np.asarray(strip.filter(ImageFilter.GaussianBlur(max(4, height // 2))), np.float32)
    seen = np.asarray(strip, np.float32) / np.maximum(light, 1)
    soft = Image.fromarray(((seen - _DARKER + 0.16) / 0.2 * 255).clip(0, 255).astype(np.uint8))
    return np.asarray(soft.filter(ImageFilter.MedianFilter(5)) if height > 2 * _SPECK else soft)


def _is_in(faixa: _Faixa, word: Palavra) -> bool:
    middle = (word.caixa[1] + word.caixa[3]) / 2
    return faixa.topo - _BETWEEN / 2 <= middle < faixa.topo + len(faixa.pixels) + _BETWEEN / 2


def _back(faixa: _Faixa, word: Palavra) -> Palavra:
    """A word of the second reading where it lies on the sheet."""
    left, top, right, bottom = word.caixa
    x, y = faixa.caixa[0] - _BETWEEN / faixa.zoom, faixa.caixa[1] - faixa.topo / faixa.zoom
    zoom = faixa.zoom
    first = faixa.palavras[0]
    caixa = (x + left / zoom, y + top / zoom, x + right / zoom, y + bottom / zoom)
    return Palavra(word.texto, word.confianca, caixa, first.paragrafo, first.linha)


def _merged(faixa: _Faixa, said: Sequence[Palavra]) -> list[Palavra]:
    """The words of a line after both readings."""
    found: list[Palavra] = []
    adopted: dict[int, str] = {}  # what stands already for more than one word of the first reading
    for word in faixa.palavras:
        there = [at for at, other in enumerate(said) if _overlap(word.caixa, other.caixa) >= _SAME_PLACE]
        told = "".join(adopted.get(at, "") for at in there)
        if told and _is_doubtful(word) and _bare(word.texto) in _bare(told):
            continue
        chosen = _chosen(word, [said[at] for at in there if at not in adopted])
        found += chosen
        adopted |= {at: said[at].texto for at in there if said[at] in chosen}
    return found


def _chosen(word: Palavra, others: Sequence[Palavra]) -> list[Palavra]:
    """What stands where a word was read, after what the second reading saw in its place."""
    if not others:
        return [word]
    told = "".join(one.texto for one in others)
    sure = min(one.confianca for one in others)
    if _bare(told) == _bare(word.texto):
        together = 1 - (1 - word.confianca) * (1 - sure)
        if word.confianca >= _HALF_SURE and len(told) >= _LONG_WORD and not _digits(told):
            together = max(together, _AGREED)
        return [replace(word, texto=told if sure > word.confianca and len(others) == 1 else word.texto, confianca=together)]
    differ = _digits(told) != _digits(word.texto)
    if word.confianca >= DUVIDOSA:
        return [replace(word, confianca=_UNSETTLED)] if differ and sure >= _SURE else [word]
    if sure < max(_SURE, word.confianca):
        return [word]
    return [replace(one, confianca=min(one.confianca, _UNSETTLED)) if differ and word.confianca >= _HALF_SURE else one for one in others]


def _bare(texto: str) -> str:
    return "".join([sign for sign in texto.casefold() if sign not in _NO_MATTER])


def _digits(texto: str) -> str:
    return "".join(filter(str.isdigit, texto))


def _overlap(one: Caixa, other: Caixa) -> float:
    common = min(one[2], other[2]) - max(one[0], other[0])
    return common / max(1.0, min(one[2] - one[0], other[2] - other[0]))
