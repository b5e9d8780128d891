"""The link by which a beneficiary reads a decision: made on the decision's page; `/d/{segredo}` opens to whoever has its code."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Final
from uuid import UUID

from fastapi import APIRouter, Path
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from crivo.autorizacoes.contracts import DecisaoFinal
from crivo.autorizacoes.etapas.mensagens.beneficiario import Falta
from crivo.autorizacoes.links.contracts import Leitura, LinkVisto, PedidoDito, SituacaoDoLink
from crivo.autorizacoes.links.erros import CodigoErrado, CodigoIncompleto, LinkFechado, LinkJaFeito, LinkNotFound
from crivo.autorizacoes.palavras import day, number
from crivo.kernel.access import TentativasDemais
from crivo.kernel.errors import CrivoError
from crivo.kernel.sigilo import DadosApagados
from crivo.web.pages import csrf
from crivo.web.pages.conta.navegadores import address_of
from crivo.web.pages.formulario import read_form
from crivo.web.pages.rendering import page
from crivo.web.problems import headers_of, status_of
from crivo.web.state import scope_of, state_of

router = APIRouter(include_in_schema=False)
_PUBLIC: Final = "/d/{segredo}"
_ONE: Final = "/autorizacoes/{autorizacao_id}/link"
# That nothing keeps a page, and that no other site is told its address, is said of all of them.
_HIDDEN: Final = {"x-robots-tag": "noindex, nofollow, noarchive"}
Segredo = Annotated[str, Path(max_length=100)]

_PALAVRAS: Final[Mapping[DecisaoFinal, tuple[str, str, str]]] = {
    "APROVADO": ("Aprovado", "aprovado", "certo"),
    "APROVADO_PARCIAL": ("Aprovado em parte", "pendente", "parcial"),
    "PENDENTE_AJUSTES": ("Ainda não aprovado", "pendente", "espera"),
    "NEGADO": ("Não aprovado", "negado", "recusado"),
}
_OUTRA: Final = "Um pedido enviado de novo tem outra resposta, e outro link. Se uma pessoa rever esta, o mesmo link mostra a nova."
_AGORA: Final[Mapping[DecisaoFinal, tuple[str, ...]]] = {
    "APROVADO": ("Marque o atendimento com a clínica ou o hospital.", "Leve um documento seu e a carteirinha do plano."),
    "APROVADO_PARCIAL": (
        "O que foi aprovado já pode ser marcado com a clínica ou o hospital.",
        "Sobre o que não foi, fale com quem fez o pedido por você.",
    ),
    "NEGADO": (
        "Fale com quem fez o pedido por você: pode haver outro caminho.",
        "Você pode pedir ao seu plano que analise de novo e que explique o motivo por escrito.",
        "Se ainda não concordar, a Agência Nacional de Saúde Suplementar (ANS) atende de graça no 0800 701 9656.",
    ),
}
_SUBSTITUIDA: Final = ("Substituída por outra resposta", "neutro", "relogio")
_AGORA_SUBSTITUIDA: Final = ("Peça o link da resposta mais nova a quem mandou este.", "Até lá, não marque nada só por esta página.")
# What is still to come says more than how it was decided.
_FALTA: Final[Mapping[Falta, tuple[str, ...]]] = {
    "nada": (),
    "documentos": (
        "Entregue primeiro os documentos que a resposta pede, a quem fez o pedido por você: a autorização só vale com eles.",
        "Depois, marque o atendimento com a clínica ou o hospital.",
    ),
    "envio": ("Fale com quem fez o pedido por você: é essa pessoa que envia o que falta.", _OUTRA),
    "mudanca": ("A resposta acima diz o que pode ser feito: fale com quem fez o pedido por você.", _OUTRA),
    "pessoa": (
        "Você não precisa fazer nada agora: uma pessoa da equipe vai analisar.",
        "Quando ela decidir, este mesmo link mostra a resposta.",
    ),
}
_FALTA_EM_PALAVRAS: Final[Mapping[Falta, str]] = {"envio": "Falta algo para decidir", "pessoa": "Em análise por uma pessoa"}
_SITUACOES: Final[Mapping[SituacaoDoLink, tuple[str, str, str]]] = {
    "em_uso": ("Em uso", "aprovado", "feito"),
    "vencido": ("Vencido", "neutro", "relogio"),
    "bloqueado": ("Fechado por códigos errados", "negado", "cadeado"),
    "revogado": ("Revogado", "neutro", "recusado"),
}


@dataclass(frozen=True, slots=True)
class LinkVista:
    """How a decision's link fares, as its page shows it; `situacao` is a word, its style and its icon."""

    situacao: tuple[str, str, str]
    em_uso: bool
    um: LinkVisto

    @classmethod
    def of(cls, visto: LinkVisto | None) -> LinkVista | None:
        """The view of a link; None where none was made."""
        return None if visto is None else cls(_SITUACOES[visto.situacao], visto.situacao == "em_uso", visto)


@dataclass(frozen=True, slots=True)
class LeituraVista:
    """What a beneficiary reads; `resultado` is a word, its style and its icon, `aprovado` how much where that was less than asked for."""

    resultado: tuple[str, str, str]
    agora: tuple[str, ...]
    pedido: tuple[tuple[str, str], ...]
    aprovado: str
    um: Leitura

    @classmethod
    def of(cls, leitura: Leitura) -> LeituraVista:
        """The view of what was decided."""
        if leitura.substituida:
            return cls(_SUBSTITUIDA, _AGORA_SUBSTITUIDA, _asked_for(leitura.pedido), "", leitura)
        word, style, icon = _PALAVRAS[leitura.decisao_final]
        resultado = (_FALTA_EM_PALAVRAS.get(leitura.falta, word), style, icon)
        agora = _FALTA[leitura.falta] or _AGORA[leitura.decisao_final]
        return cls(resultado, agora, _asked_for(leitura.pedido), _approved(leitura), leitura)


def _asked_for(pedido: PedidoDito) -> tuple[tuple[str, str], ...]:
    said = (
        ("Procedimento", pedido.procedimento),
        ("Número do pedido", pedido.numero),
        ("Quantidade pedida", "" if pedido.quantidade is None else number(pedido.quantidade)),
        ("Plano", pedido.plano),
        ("Pedido feito em", day(pedido.feito_em) if pedido.feito_em else ""),
    )
    return tuple([(nome, valor) for nome, valor in said if valor])


def _approved(leitura: Leitura) -> str:
    if leitura.decisao_final != "APROVADO_PARCIAL" or leitura.quantidade_aprovada is None:
        return ""
    asked = leitura.pedido.quantidade
    return number(leitura.quantidade_aprovada) + (f" de {number(asked)}" if asked is not None else "")


@router.post(_ONE, response_class=Response)
async def criar(request: Request, autorizacao_id: UUID) -> Response:
    """Make a link and show it with its code, once; the one before it opens no more. The same form again makes no other."""
    form = await read_form(request)
    try:
        novo = await state_of(request).container.links.criar(scope_of(request), autorizacao_id, form.get("visto", ""))
    except LinkJaFeito:
        return RedirectResponse(f"/autorizacoes/{autorizacao_id}?ok=link_ja_feito#titulo-link", status_code=303)
    return page(request, "autorizacoes/link.html", id=str(autorizacao_id), novo=novo)


@router.post(f"{_ONE}/revogar", response_class=Response)
async def revogar(request: Request, autorizacao_id: UUID) -> Response:
    """Have a decision's link open no more."""
    await read_form(request)
    await state_of(request).container.links.revogar(scope_of(request), autorizacao_id)
    return RedirectResponse(f"/autorizacoes/{autorizacao_id}?ok=link_revogado#titulo-link", status_code=303)


@router.get(_PUBLIC, response_class=Response)
async def pedir(request: Request, segredo: Segredo) -> Response:
    """Ask for the code; of what is decided it says nothing yet."""
    state = state_of(request)
    try:
        await state.visitas.hit("d", address_of(request))
        async with state.entradas.secret(address_of(request)):
            organizacao = await state.container.links.conferir(segredo)
    except (LinkNotFound, LinkFechado, DadosApagados, TentativasDemais) as error:
        return _closed(request, error)
    return _asking(request, segredo, organizacao)


@router.post(_PUBLIC, response_class=Response)
async def ler(request: Request, segredo: Segredo) -> Response:
    """Show what was decided to whoever has the code."""
    state = state_of(request)
    form = await read_form(request)
    try:
        await state.conferencias.hit("d", address_of(request))
        async with state.entradas.secret(address_of(request)):
            leitura = await state.container.links.ler(segredo, form.get("codigo", ""))
    except (CodigoErrado, CodigoIncompleto) as error:
        return _asking(request, segredo, await state.container.links.conferir(segredo), error)
    except (LinkNotFound, LinkFechado, DadosApagados, TentativasDemais) as error:
        return _closed(request, error)
    return page(request, "autorizacoes/para_beneficiario.html", headers=_HIDDEN, vista=LeituraVista.of(leitura))


def _asking(request: Request, segredo: str, organizacao: str, recusa: CrivoError | None = None) -> Response:
    status = 200 if recusa is None else status_of(recusa)
    return page(
        request,
        "autorizacoes/codigo_do_beneficiario.html",
        status,
        _HIDDEN,
        endereco=f"/d/{segredo}",
        organizacao=organizacao,
        csrf_daqui=csrf.token_of(request),
        recusa=recusa,
    )


def _closed(request: Request, error: CrivoError) -> Response:
    return page(request, "autorizacoes/link_fechado.html", status_of(error), _HIDDEN | headers_of(error), recusa=error)
