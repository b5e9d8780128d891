"""What a reading in doubt may decide: nothing by itself. Source: design, From the text of the edital to the call (Scans)."""

from __future__ import annotations

from typing import Final

from crivo.triagem.achados import Motivo, Situacao
from crivo.triagem.documentos.duvida import has_doubt
from crivo.triagem.documentos.lido import DocumentoLido
from crivo.triagem.habilitacao.tipos import find_tipos
from crivo.triagem.habilitacao.titular import line_that_names

Desfecho = tuple[Situacao, Motivo | None]

_OF_ABSENCE: Final[frozenset[Motivo | None]] = frozenset({"documento_tipo_errado", "documento_de_terceiro"})


def find_incerteza(
    lido: DocumentoLido, certo: DocumentoLido, com_tudo: Desfecho, so_com_o_certo: Desfecho, *, quase_o_nome: bool = False
) -> str | None:
    """Why a person has to look, in pt-BR, where what was read with doubt, or not at all, is what decides; None where it does not.

    `certo` is the document without its doubtful words, and each outcome what comes of it with and without them. `quase_o_nome`: what was
    read has something like the name that was looked for.
    """
    if com_tudo != so_com_o_certo:
        return f"Confira: leitura incerta ({_unclear(com_tudo[1], so_com_o_certo[1])} pouco legível)."
    motivo = com_tudo[1]
    if motivo not in _OF_ABSENCE:
        return None
    if _may_stand_there(motivo, lido, certo.texto, quase_o_nome=quase_o_nome):
        return f"Confira: leitura incerta ({_unclear(motivo, motivo)} pouco legível)."
    unread = [pagina.numero for pagina in lido.paginas if pagina.nao_lida]
    match unread:
        case []:
            return None
        case [numero]:
            return f"Confira: a página {numero} é uma imagem, e não foi lida."
        case _:
            return f"Confira: {len(unread)} páginas são imagens, e não foram lidas."


def _unclear(*motivos: Motivo | None) -> str:
    """Which words of the document are in doubt, by what comes of reading them or not."""
    if "documento_tipo_errado" in motivos:
        return "título"
    if "documento_de_terceiro" in motivos:
        return "nome"
    return "trecho sobre débitos" if "condicao_nao_atendida" in motivos else "data"


def _may_stand_there(motivo: Motivo | None, lido: DocumentoLido, texto: str, *, quase_o_nome: bool) -> bool:
    """Whether what was not found may be among the words in doubt, or, on an image that looks like no paper at all, was not seen."""
    if motivo == "documento_de_terceiro":
        return has_doubt(line_that_names(texto)) or (quase_o_nome and any(pagina.palavras for pagina in lido.paginas))
    return any(pagina.palavras for pagina in lido.paginas) and not find_tipos(texto)
