"""What of a page was read from an image with doubt, and what stands on it beside print, as it is drawn over the image."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from crivo.triagem.documentos.aspecto import Caixa
from crivo.triagem.documentos.duvida import is_doubtful
from crivo.triagem.documentos.lido import DocumentoLido, TipoDeRegiao
from crivo.triagem.palavras import count, number, shown

_MOST: Final = 150  # words of a page: one with more is doubtful as a whole
_MARGIN: Final = 0.25  # percent of the page, around what is doubted
_REGIOES: Final[Mapping[TipoDeRegiao, tuple[str, str]]] = {
    "carimbo": ("carimbo", "o que está sob ele se confere no papel"),
    "manuscrito": ("manuscrito", "um traço feito à mão, que não se lê"),
    "sem_leitura": ("trecho sem leitura segura", "pode ser letra de mão ou cópia ruim"),
}


@dataclass(frozen=True, slots=True)
class PalavraIncerta:
    """A word that was read with doubt, and how sure its reading is, in words."""

    texto: str
    certeza: str
    caixa: Caixa


@dataclass(frozen=True, slots=True)
class RegiaoVista:
    """A part of a page that is no print, and what is to be said of it."""

    nome: str
    dito: str
    caixa: Caixa


@dataclass(frozen=True, slots=True)
class DaImagem:
    """What is drawn over a page that was read from an image; `dito` sums it up, and is empty where there is nothing."""

    palavras: tuple[PalavraIncerta, ...] = ()
    regioes: tuple[RegiaoVista, ...] = ()
    dito: str = ""

    @property
    def quantas(self) -> int:
        """How many things are drawn."""
        return len(self.palavras) + len(self.regioes)


def da_imagem(lido: DocumentoLido | None, pagina: int) -> DaImagem:
    """The doubtful words and the regions of page `pagina`, from 1; nothing where it was not read from an image."""
    read = next((one for one in lido.paginas if one.numero == pagina), None) if lido else None
    if read is None:
        return DaImagem()
    palavras = tuple(
        [
            PalavraIncerta(shown(one.texto), f"certeza de {number(round(100 * one.confianca))}%", _around(one.caixa))
            for one in read.palavras
            if is_doubtful(one)
        ][:_MOST]
    )
    regioes = tuple([RegiaoVista(*_REGIOES[one.tipo], _around(one.caixa)) for one in read.regioes])
    return DaImagem(palavras, regioes, _said(palavras, regioes))


def _said(palavras: tuple[PalavraIncerta, ...], regioes: tuple[RegiaoVista, ...]) -> str:
    told = [count(len(palavras), "palavra de leitura incerta", "palavras de leitura incerta")] if palavras else []
    names = [one.nome for one in regioes]
    plural = {"carimbo": "carimbos", "manuscrito": "manuscritos", "trecho sem leitura segura": "trechos sem leitura segura"}
    told += [count(names.count(nome), nome, plural[nome]) for nome in dict.fromkeys(names)]
    if not told:
        return ""
    return f"Nesta página: {', '.join(told[:-1])} e {told[-1]}" if len(told) > 1 else f"Nesta página: {told[0]}"


def _around(caixa: tuple[float, float, float, float]) -> Caixa:
    left, top, right, bottom = (100 * edge for edge in caixa)
    x, y = max(0.0, left - _MARGIN), max(0.0, top - _MARGIN)
    return Caixa(round(x, 2), round(y, 2), round(min(100.0, right + _MARGIN) - x, 2), round(min(100.0, bottom + _MARGIN) - y, 2))
