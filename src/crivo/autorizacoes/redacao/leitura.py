"""A text read once: where names, dates, documents, sources, codes, sums and numbers stand. Nothing here judges."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import msgspec

from crivo.autorizacoes.redacao.codigos import find_codigos
from crivo.autorizacoes.redacao.datas import Data, find_datas
from crivo.autorizacoes.redacao.documentos import Mencao, find_documentos, find_fontes
from crivo.autorizacoes.redacao.fatos import Fatos
from crivo.autorizacoes.redacao.lexico import LEXICO
from crivo.autorizacoes.redacao.mascara import (
    Marca,
    marks_of_datas,
    marks_of_documentos,
    marks_of_quantias,
    marks_of_spans,
    mask,
)
from crivo.autorizacoes.redacao.pagina import Pagina, blank
from crivo.autorizacoes.redacao.quantias import Quantia, find_quantias, find_valores
from crivo.kernel.linguagem.dobra import fold_letters
from crivo.kernel.linguagem.frases import Span

_DISTINCTIVE: Final = re.compile(r"(?=.*[a-z])(?=.*\d).{3,}|(?=.*\d).{5,}", re.IGNORECASE)  # a code that cannot be a plain number
_QUOTABLE: Final = 12  # letters of the inputs' own words from which a repetition is a quotation


class Leitura(msgspec.Struct, frozen=True):
    """What stands where. `unsourced` is the folded text without the decision's source, `unnamed` without the procedure's name as well.

    `said` has empty whatever words of the inputs are repeated, `left` every date, source, code and sum beside.
    """

    unsourced: str
    unnamed: str
    said: str
    left: str
    datas: tuple[Data, ...]
    mencoes: tuple[Mencao, ...]
    fontes: tuple[tuple[Span, bool], ...]
    codigos: tuple[Span, ...]
    valores: tuple[Span, ...]
    quantias: tuple[Quantia, ...]
    mascarado: str


def read(pagina: Pagina, fatos: Fatos) -> Leitura:
    """Each reader in turn; what one has read is empty for the next, so that a date is no number too."""
    sources, ids, names, quoted = _sources(pagina, fatos), _ids(pagina, fatos), _names(pagina, fatos), _quoted(pagina, fatos)
    unsourced = blank(pagina.folded, sources)
    said = blank(unsourced, (*ids, *names, *quoted))
    cited = _cited(said, fatos)
    said = blank(said, cited)
    datas = find_datas(said)
    mencoes = find_documentos(pagina, said, fatos)
    fontes = find_fontes(pagina, said, fatos)
    rest = blank(said, (*((data.start, data.end) for data in datas), *(span for span, _ in fontes)))
    codigos = find_codigos(pagina, rest)
    rest = blank(rest, codigos)
    valores = find_valores(rest)
    left = blank(rest, valores)
    quantias = find_quantias(left)
    marcas: Iterator[Marca] = (
        mark
        for marks in (
            marks_of_spans(sources, "FONTE"),
            marks_of_spans(names, "PROC"),
            marks_of_spans(quoted, "CONDICAO"),
            marks_of_datas(datas, fatos),
            marks_of_documentos(pagina.folded, mencoes, fatos),
            marks_of_spans((span for span, known in fontes if known), "FONTE"),
            marks_of_spans((span for span, known in fontes if not known), "FONTEALHEIA"),
            marks_of_spans((*ids, *cited, *codigos), "CODIGO"),
            marks_of_spans(valores, "VALOR"),
            marks_of_quantias(quantias, fatos),
        )
        for mark in marks
    )
    mascarado = mask(pagina.folded, marcas, fatos)
    unnamed = blank(unsourced, names)
    return Leitura(unsourced, unnamed, said, left, datas, mencoes, fontes, codigos, valores, quantias, mascarado)


def _sources(pagina: Pagina, fatos: Fatos) -> tuple[Span, ...]:
    """Where the decision's own source is named, with its version right after."""
    fonte = fatos.fonte
    if fonte is None:
        return ()
    named = pagina.places(fonte.documento)
    versions = tuple(
        span
        for form in (f"versão {fonte.versao}", f"v. {fonte.versao}", f"v{fonte.versao}", f"edição {fonte.versao}")
        for span in pagina.places(form)
    )
    right_after = tuple(
        (span[1], other[1])
        for span in named
        for other in pagina.places(fonte.versao)
        if span[1] <= other[0] and not pagina.folded[span[1] : other[0]].strip(' ,(“”"')
    )
    return (*named, *versions, *right_after)


def _names(pagina: Pagina, fatos: Fatos) -> tuple[Span, ...]:
    """Where the procedure and what may stand in for it are named in the inputs' own words."""
    alternativa = fatos.alternativa
    told = (fatos.insumos.descricao, alternativa.descricao if alternativa else None)
    return tuple(span for name in told if name and len(name) > 2 for span in pagina.places(name))


def _ids(pagina: Pagina, fatos: Fatos) -> tuple[Span, ...]:
    """Where the inputs' own codes and ids stand; a short one counts only after the word that says what it is."""
    told = (fatos.decidido.pedido_id, *fatos.codigos_proprios, *fatos.insumos.identificadores)
    return tuple(
        span
        for code in told
        if code
        for span in pagina.places(code)
        if _DISTINCTIVE.fullmatch(code) or LEXICO.ends("rotulo_de_codigo", pagina.folded[max(0, span[0] - 30) : span[0]])
    )


def _cited(said: str, fatos: Fatos) -> tuple[Span, ...]:
    """Where the number of a norm that the regra cites stands, that could be read as a month: "Resolução 7/2024"."""
    shown = fold_letters(fatos.insumos.observacoes or "")
    spans = ((data.start, data.end) for data in find_datas(said)) if shown else ()
    return tuple(span for span in spans if "/" in said[slice(*span)] and said[slice(*span)] in shown)


def _quoted(pagina: Pagina, fatos: Fatos) -> tuple[Span, ...]:
    """Where the inputs' own words are repeated whole; few of them, as a date that no calendar has, between quotation marks alone."""
    told = (*fatos.detalhe.condicionantes, *fatos.insumos.textos, *fatos.insumos.proprios)
    return tuple(span for text in told for span in pagina.places(text.rstrip(".") if len(text) >= _QUOTABLE else f"“{text}”"))
