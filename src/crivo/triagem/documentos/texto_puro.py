"""Plain text and CSV: decoded, and read as one page."""

from __future__ import annotations

from typing import Final

from crivo.triagem.documentos.conteudo import Conteudo
from crivo.triagem.documentos.largura_zero import split_unseen
from crivo.triagem.documentos.lido import Pagina, TrechoOculto
from crivo.triagem.documentos.limites import Limites
from crivo.triagem.documentos.texto import clean

_ENCODINGS: Final = ("utf-8-sig", "cp1252", "latin-1")
_BOMS: Final = (b"\xff\xfe", b"\xfe\xff")


def read_texto_puro(content: bytes, limites: Limites) -> Conteudo:
    """A text in UTF-8, UTF-16 with its mark, or Windows-1252."""
    text = clean(_decode(content)[: limites.max_letras])
    seen, unseen = split_unseen(text)
    return Conteudo((Pagina(1, seen),), tuple(TrechoOculto(said, "largura_zero", 1) for said in unseen), 1)


def _decode(content: bytes) -> str:
    if content.startswith(_BOMS):
        return content.decode("utf-16", "ignore")
    for encoding in _ENCODINGS:
        try:
            return content.decode(encoding)
        except UnicodeDecodeError:
            continue
    return ""
