"""The check of a text about a decision: whether it may stand, and which fault it has. Source: design, "What the model may write"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, get_args

import msgspec

from crivo.autorizacoes.redacao.codigos import check_codigos, find_codigos
from crivo.autorizacoes.redacao.condicoes import check_condicoes
from crivo.autorizacoes.redacao.datas import check_datas, find_datas
from crivo.autorizacoes.redacao.documentos import check_documentos, check_fontes, find_documentos, find_fontes
from crivo.autorizacoes.redacao.fatos import Fatos
from crivo.autorizacoes.redacao.insumos import Campo, Decidido, Falha
from crivo.autorizacoes.redacao.jargao import check_jargao
from crivo.autorizacoes.redacao.pagina import Achado, Pagina, Span, blank
from crivo.autorizacoes.redacao.quantias import check_quantias, check_valores, find_quantias, find_valores
from crivo.autorizacoes.redacao.resultado import check_resultado

FALHAS: Final[tuple[Falha, ...]] = get_args(Falha)
_DISTINCTIVE: Final = re.compile(r"(?=.*[a-z])(?=.*\d).{3,}|(?=.*\d).{5,}", re.IGNORECASE)  # a code that cannot be a plain number
_LABEL: Final = re.compile(
    r"\b(?:pedido|solicitacao|protocolo|regra|procedimento|codigos?|tuss|cbhpm|o|para|pelo|por)\s+(?:n[.º°o]*\s+|numero\s+)?$"
)
_QUOTABLE: Final = 12  # letters of the inputs' own words from which a repetition is a quotation


class Veredito(msgspec.Struct, frozen=True):
    """Whether a text may stand: `falha` is the first kind of fault in the order of the contract, None when there is none."""

    ok: bool
    falha: Falha | None
    achados: tuple[Achado, ...]

    @property
    def falhas(self) -> tuple[Falha, ...]:
        """Every kind of fault found, in the order of the contract."""
        return tuple(falha for falha in FALHAS if any(achado.falha == falha for achado in self.achados))


def conferir(texto: str, campo: Campo, decidido: Decidido) -> Veredito:
    """Hold a text for a field of the decision against the decision and its inputs; pure, the same for the same arguments."""
    fatos = Fatos(decidido)
    found = _silent(fatos, campo) if not texto.strip() else _achados(Pagina(texto), campo, fatos)
    achados = tuple(sorted(found, key=lambda achado: FALHAS.index(achado.falha)))
    return Veredito(not achados, achados[0].falha if achados else None, achados)


def _silent(fatos: Fatos, campo: Campo) -> Iterator[Achado]:
    denial = fatos.final == "NEGADO" and campo in ("para_beneficiario", "para_solicitante")
    yield Achado("sem_fonte" if denial else "resultado", "", "o texto está vazio")


def _achados(pagina: Pagina, campo: Campo, fatos: Fatos) -> Iterator[Achado]:
    """What each reader finds; what one has read is empty for the next, so that a date is no number too."""
    unsourced = blank(pagina.folded, _sources(pagina, fatos))
    ids = _ids(pagina, fatos)
    rest = blank(unsourced, (*ids, *_names(pagina, fatos), *_quoted(pagina, fatos)))
    datas = find_datas(rest)
    yield from check_datas(pagina, rest, fatos, datas)
    mencoes = find_documentos(pagina, rest, fatos)
    yield from check_documentos(pagina, rest, fatos, mencoes)
    fontes = find_fontes(pagina, rest, fatos)
    yield from check_fontes(pagina, fontes)
    rest = blank(rest, (*((data.start, data.end) for data in datas), *(span for span, _ in fontes)))
    codigos = find_codigos(pagina, rest)
    yield from check_codigos(pagina, fatos, codigos)
    rest = blank(rest, codigos)
    valores = find_valores(rest)
    yield from check_valores(pagina, fatos, valores)
    rest = blank(rest, valores)
    quantias = find_quantias(rest)
    yield from check_quantias(pagina, rest, fatos, quantias)
    yield from check_resultado(pagina, unsourced, fatos, campo, quantias)
    yield from check_condicoes(pagina, unsourced, fatos, campo, mencoes)
    yield from check_jargao(pagina, blank(unsourced, _names(pagina, fatos)), fatos, campo, codigos)


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
    alternativa = fatos.alternativa
    told = (
        fatos.decidido.pedido_id,
        fatos.insumos.codigo,
        alternativa.codigo if alternativa else None,
        fatos.fonte.regra_id if fatos.fonte else None,
    )
    return tuple(
        span
        for code in told
        if code
        for span in pagina.places(code)
        if _DISTINCTIVE.fullmatch(code) or _LABEL.search(pagina.folded[max(0, span[0] - 30) : span[0]])
    )


def _quoted(pagina: Pagina, fatos: Fatos) -> tuple[Span, ...]:
    """Where the inputs' own words are repeated whole."""
    told = (*fatos.detalhe.condicionantes, *fatos.insumos.textos)
    return tuple(span for text in told if len(text) >= _QUOTABLE for span in pagina.places(text.rstrip(".")))
