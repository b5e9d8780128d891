"""The text of a picture of a page, word by word: the sheet laid straight, turned until it reads, each word with how sure it is and where.

A word that is hardly sure is noise of stamps, hands and grain, and is left out; a doubtful one stays, and says so.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Final, Protocol

from crivo.triagem.documentos import tesseract
from crivo.triagem.documentos.duvida import doubted_within, is_within
from crivo.triagem.documentos.folha import Caixa, Cinza, Folha, has_ink, sheets, shows_something
from crivo.triagem.documentos.largura_zero import split_unseen
from crivo.triagem.documentos.lido import Leitura, Pagina, Palavra, Regiao, TipoDeRegiao
from crivo.triagem.documentos.limites import Limites
from crivo.triagem.documentos.rabiscos import strokes, unread_lines
from crivo.triagem.documentos.releitura import read_again
from crivo.triagem.documentos.texto import clean
from crivo.triagem.documentos.tinta import Pintura, without_stamps

_NOISE: Final = 0.25  # below, a word is none
_WORD: Final = 4  # letters of one that stands in its line, however badly it reads
_WELL_READ: Final = 0.72  # mean of the letters, for a page that stands on its feet
_FAIRLY_READ: Final = 0.55  # for a page that anything can be said of
_FEW_LETTERS: Final = 12
_MANY_LETTERS: Final = 40  # certain or not, for a page of text that lies on a side
_UPSIDE_DOWN: Final = 2  # quarters of a turn
_SURE: Final = 0.6  # of a word that counts as read
_SAME: Final = 0.6  # of a stroke's box, within another region
_LEAST_SECONDS: Final = 10.0  # that must be left for a second look


class Reader(Protocol):
    """What finds words in an image."""

    def read(self, image: bytes, seconds: float = ..., arranjo: tesseract.Arranjo = ...) -> tuple[tesseract.Palavra, ...]:
        """Raises LeituraFalhou."""
        ...


@dataclass(frozen=True, slots=True)
class Imagem:
    """What was read in a picture; `ilegivel`: there is something on it, and no text that can be told from noise."""

    texto: str
    palavras: tuple[Palavra, ...]
    ilegivel: bool = False
    regioes: tuple[Regiao, ...] = ()


class Prazo:
    """So many seconds for all the pictures of a file; once they are over, the rest is left unread."""

    def __init__(self, seconds: float, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._end = now() + seconds

    @property
    def left(self) -> float:
        """Seconds that are left."""
        return self._end - self._now()


class Leitora:
    """Reads the pictures of one file, up to its limits, and keeps account of why nothing was read where nothing was."""

    def __init__(self, reader: Reader | None, limites: Limites) -> None:
        self._reader = reader
        self._pages_left = limites.max_paginas_ocr
        self._prazo = Prazo(limites.segundos_ocr)
        self.faltou = False
        """Whether a picture came and nothing here reads pictures."""
        self.leitura: Leitura = "vazio"
        """What is to be said of the file where no page of it has text."""

    def pagina(self, numero: int, picture: Callable[[], Pintura]) -> Pagina:
        """A page out of its picture, which is made only where somebody can read it."""
        if self._reader is None:
            self.faltou, self.leitura = True, "sem_ocr"
            return Pagina(numero, "", nao_lida=True)
        if not self._pages_left:
            self.leitura = "grande_demais"
            return Pagina(numero, "", nao_lida=True)
        self._pages_left -= 1
        try:
            read = read_picture(picture(), self._reader, self._prazo)
        except tesseract.LeituraFalhou as error:
            self.leitura = "tempo_esgotado" if error.demorou else "ilegivel"
            return Pagina(numero, "", nao_lida=True)
        if read.ilegivel:
            self.leitura = "ilegivel"
        return Pagina(numero, split_unseen(read.texto)[0], bool(read.texto), read.palavras, read.ilegivel, read.regioes)


def read_picture(picture: Pintura, reader: Reader, prazo: Prazo) -> Imagem:
    """The text of a picture, boxes in shares of its width and height. Raises LeituraFalhou where time is over or the reader fails."""
    rows, columns = picture.shape[:2]
    papel = without_stamps(picture)
    read: list[_Lida] = []
    inked = False
    for folha in sheets(papel.cinza):
        if has_ink(folha):
            inked = True
            read.append(_looked_at_twice(_on_its_feet(folha, reader, prazo), reader, prazo))
    if all(one.quarters == _UPSIDE_DOWN for one in read):  # the folder lay on its head: its second page is the first
        read.reverse()
    told = [(one, words) for one in read if _says_something(words := one.certain)]
    texto = clean("\n\n".join(_laid_out(words) for _, words in told))
    regioes = _regions(papel.carimbos, read, (columns, rows))
    palavras = tuple(
        Palavra(word.texto, round(word.confianca, 2), _share(one.folha.place(word.caixa), columns, rows))
        for one, words in told
        for word in words
    )
    return Imagem(texto, doubted_within(palavras, regioes), not texto and (inked or shows_something(papel.cinza)), regioes)


def _regions(carimbos: Iterable[Caixa], read: Iterable[_Lida], size: tuple[int, int]) -> tuple[Regiao, ...]:
    """What stands on a picture beside print, a stroke that lies on another region told once."""
    found = [Regiao("carimbo", _share(box, *size)) for box in carimbos]
    for one in read:
        if _says_something(one.certain):
            for tipo, boxes in _beside_print(one):
                here = [Regiao(tipo, _share(one.folha.place(box), *size)) for box in boxes]
                found += [region for region in here if not is_within(region.caixa, [other.caixa for other in found], _SAME)]
    return tuple(found)


def _beside_print(lida: _Lida) -> tuple[tuple[TipoDeRegiao, tuple[Caixa, ...]], ...]:
    return ("manuscrito", strokes(lida.folha.pixels, lida.words)), ("sem_leitura", unread_lines(lida.words))


@dataclass(frozen=True, slots=True)
class _Lida:
    """A sheet as it reads best, after so many quarters of a turn."""

    folha: Folha
    words: Sequence[tesseract.Palavra]
    quarters: int = 0

    @property
    def certain(self) -> list[tesseract.Palavra]:
        """Its words without those that are none: what can hardly be read is a word where the line around it was read well."""
        lines = (list(line) for _, line in groupby(self.words, key=lambda one: (one.paragrafo, one.linha)))
        return [word for line in lines for word in line if word.confianca >= _NOISE or (_letters(word) >= _WORD and _reads_well(line))]


def _reads_well(line: Sequence[tesseract.Palavra]) -> bool:
    return sum(_letters(word) for word in line if word.confianca >= _SURE) > sum(_letters(word) for word in line) / 2


def _says_something(words: Sequence[tesseract.Palavra]) -> bool:
    return _score(words) >= _FEW_LETTERS / 2 and _mean(words) >= _FAIRLY_READ


def _on_its_feet(folha: Folha, reader: Reader, prazo: Prazo) -> _Lida:
    """The sheet as it lies, upside down, or on its sides: whichever reads best."""
    best = _Lida(folha, _read(folha.pixels, reader, prazo))
    turns = (_UPSIDE_DOWN, 1, 3) if sum(map(_letters, best.words)) >= _MANY_LETTERS else (_UPSIDE_DOWN,)
    for quarters in turns:
        if _mean(best.words) >= _WELL_READ and _score(best.words) >= _FEW_LETTERS:
            break
        turned = folha.turned(quarters)
        again = _Lida(turned, _read(turned.pixels, reader, prazo), quarters)
        if _score(again.words) > _score(best.words):
            best = again
    return best


def _looked_at_twice(lida: _Lida, reader: Reader, prazo: Prazo) -> _Lida:
    """The same with its doubtful lines read again; as it was where time is short."""
    if not _says_something(lida.certain) or prazo.left < _LEAST_SECONDS:
        return lida
    try:
        words = read_again(lida.folha.pixels, lida.words, lambda lines: _read(lines, reader, prazo, "linhas"))
    except tesseract.LeituraFalhou:
        return lida
    return replace(lida, words=words)


def _read(pixels: Cinza, reader: Reader, prazo: Prazo, arranjo: tesseract.Arranjo = "pagina") -> tuple[tesseract.Palavra, ...]:
    if prazo.left <= 0:
        raise tesseract.LeituraFalhou(demorou=True)
    rows, columns = pixels.shape
    return reader.read(b"P5 %d %d 255\n" % (columns, rows) + pixels.tobytes(), prazo.left, arranjo)


def _letters(word: tesseract.Palavra) -> int:
    return sum(map(str.isalnum, word.texto))


def _mean(words: Sequence[tesseract.Palavra]) -> float:
    """How sure the letters are, on the whole."""
    letters = sum(map(_letters, words))
    return sum(_letters(word) * word.confianca for word in words) / letters if letters else 0.0


def _score(words: Iterable[tesseract.Palavra]) -> float:
    """How many letters were read for certain, those of single letters aside."""
    return sum(_letters(word) * word.confianca for word in words if word.confianca >= _SURE and _letters(word) > 1)


def _laid_out(words: Sequence[tesseract.Palavra]) -> str:
    """The words in their lines, an empty one between paragraphs."""
    out: list[str] = []
    before: tesseract.Palavra | None = None
    for word in words:
        if before is None:
            pass
        elif word.paragrafo != before.paragrafo:
            out.append("\n\n")
        else:
            out.append(" " if word.linha == before.linha else "\n")
        out.append(word.texto)
        before = word
    return "".join(out)


def _share(box: tuple[float, float, float, float], columns: int, rows: int) -> tuple[float, float, float, float]:
    left, top, right, bottom = box
    return _unit(left / columns), _unit(top / rows), _unit(right / columns), _unit(bottom / rows)


def _unit(value: float) -> float:
    return round(min(max(value, 0.0), 1.0), 4)
