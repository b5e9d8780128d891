"""`/politicas`: the versions of each document, a version with its regras, and two versions side by side. Source: interfaces, Pages."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated, Final
from uuid import UUID

import msgspec
from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import Response

from crivo.autorizacoes.contracts import Politica, Regra
from crivo.autorizacoes.guardadas import PoliticaGuardada
from crivo.autorizacoes.palavras import count, listing
from crivo.autorizacoes.politicas.comparacao import Comparacao, compare_politicas
from crivo.autorizacoes.politicas.importacao import read_politica
from crivo.autorizacoes.politicas.planos import planos_da
from crivo.autorizacoes.politicas.service import PoliticaNotFound
from crivo.kernel.clock import today
from crivo.kernel.errors import CrivoError, Problem
from crivo.kernel.linguagem.dobra import fold
from crivo.web.pages.autorizacoes.pessoas import names_of
from crivo.web.pages.autorizacoes.politicas.casos import panel
from crivo.web.pages.autorizacoes.politicas.palavras import COBERTURAS, condicoes
from crivo.web.pages.autorizacoes.politicas.palavras import situacao as situacao_de
from crivo.web.pages.autorizacoes.politicas.vista import MudancaVista, RegraVista, VersaoVista, side_by_side
from crivo.web.pages.listas import Coluna, Titulo, cut, heads, matches, order
from crivo.web.pages.problemas import quoted
from crivo.web.pages.rendering import page
from crivo.web.problems import status_of
from crivo.web.state import pode, scope_of, state_of

router = APIRouter(include_in_schema=False)
_VERSIONS_PER_PAGE: Final = 50
_REGRAS_PER_PAGE: Final = 40
_CHANGES_PER_PAGE: Final = 30
# What the conferência shows with an example is not told a second time.
_IN_THE_PANEL: Final = frozenset(
    {"documento_desconhecido", "observacao_nao_lida", "regras_contrarias", "plano_nao_declarado", "limite_abaixo_de_um"}
)
_OF_REGRA: Final = re.compile(r"regras\[(\d+)\]")
_decode = msgspec.json.Decoder(Politica).decode
Numero = Annotated[int, Query(ge=1, le=100_000)]
Texto = Annotated[str, Query(max_length=200)]


_COLUMNS: Final[tuple[Coluna[PoliticaGuardada], ...]] = (
    Coluna("documento", "Documento", lambda one: (fold(one.administradora_id), fold(one.documento))),
    Coluna("versao", "Versão", lambda one: [(len(part), part) for part in one.versao.split(".")], desce=True),
    Coluna("situacao", "Situação", lambda one: one.status),
    Coluna("vigencia", "Vigência", lambda one: one.vigencia_inicio, desce=True),
    Coluna("regras", "Regras", lambda one: one.regras_total, numero=True, desce=True),
)


@dataclass(frozen=True, slots=True)
class Lida:
    """A stored política with its document, and what looks odd in each regra, by position."""

    guardada: PoliticaGuardada
    politica: Politica
    avisos: tuple[Problem, ...]

    def avisos_de(self, posicao: int) -> list[str]:
        """What looks odd in the regra at that position."""
        return [quoted(one.mensagem) for one in self.avisos if (found := _OF_REGRA.match(one.caminho)) and int(found[1]) == posicao]


@router.get("/politicas", response_class=Response)
async def listar(request: Request, q: Texto = "", situacao: Texto = "", ordem: Texto = "", pagina: Numero = 1) -> Response:
    """Every version of every document, the latest of each first."""
    container = state_of(request).container
    names, hoje = await names_of(request), today(container.clock)
    todas = await container.politicas.listar(scope_of(request))
    palavras = {one.id: situacao_de(one, hoje).palavra for one in todas}
    found = [
        one
        for one in reversed(todas)
        if matches(q, one.administradora_id, one.documento, one.versao) and situacao in ("", palavras[one.id])
    ]
    query = {"q": q, "situacao": situacao, "ordem": ordem}
    ordered = order(found, _COLUMNS, ordem or "documento")
    fatia = cut(ordered, lambda one: VersaoVista.of(one, hoje, names), pagina, _VERSIONS_PER_PAGE, query)
    return page(
        request,
        "autorizacoes/politicas/versoes.html",
        fatia=fatia,
        titulos=(*heads(_COLUMNS, ordem or "documento", query), Titulo("Comparar")),
        comparar=_latest_two(todas),
        situacoes=[(palavra, palavra) for palavra in sorted(set(palavras.values()))],
        situacao=situacao,
        ordem=ordem,
        q=q,
        alguma=bool(todas),
        gere=may_manage(request),
        simula=pode(request, "politicas.simular"),
    )


def _latest_two(todas: Sequence[PoliticaGuardada]) -> dict[str, str]:
    """Where the latest two versions of a document stand side by side, by the id of the latest."""
    found = {}
    for before, latest in pairwise(todas):
        if (before.administradora_id, before.documento) == (latest.administradora_id, latest.documento):
            found[before.administradora_id, before.documento] = (str(latest.id), f"/politicas/comparar?de={before.id}&para={latest.id}")
    return dict(found.values())


@router.get("/politicas/comparar", response_class=Response)
async def comparar(request: Request, de: Texto = "", para: Texto = "", pagina: Numero = 1) -> Response:
    """What one version says otherwise than another; without two that are there, the form to choose them."""
    container, scope = state_of(request).container, scope_of(request)
    todas = await container.politicas.listar(scope)
    known = {str(one.id): one for one in todas}
    opcoes = [(str(one.id), f"{one.versao}, {one.documento} ({one.administradora_id})") for one in todas]
    if de not in known or para not in known:
        return page(
            request,
            "autorizacoes/politicas/comparar.html",
            200 if not (de or para) else 404,
            comparacao=None,
            opcoes=opcoes,
            de=de,
            para=para,
        )
    antes, depois = [_decode((await container.politicas.obter(scope, known[one].id))[1]) for one in (de, para)]
    comparacao = await asyncio.to_thread(compare_politicas, antes, depois)
    names, hoje = await names_of(request), today(container.clock)
    return page(
        request,
        "autorizacoes/politicas/comparar.html",
        comparacao=comparacao,
        antes=VersaoVista.of(known[de], hoje, names),
        depois=VersaoVista.of(known[para], hoje, names),
        cabecalho=[side_by_side(campo) for campo in comparacao.cabecalho],
        contagem=_counted(comparacao),
        fatia=cut(comparacao.regras, MudancaVista.of, pagina, _CHANGES_PER_PAGE, {"de": de, "para": para}),
        opcoes=opcoes,
        de=de,
        para=para,
    )


@router.get("/politicas/{politica_id}", response_class=Response)
async def ver(
    request: Request, politica_id: UUID, q: Texto = "", pagina: Numero = 1, regra: Annotated[str, Query(max_length=100)] = ""
) -> Response:
    """A version: what it is, what looks odd in it, and its regras in words; `regra` is the one to show first and mark."""
    return await version_page(request, politica_id, q, pagina, regra)


async def version_page(
    request: Request, politica_id: UUID, q: str = "", pagina: int = 1, regra: str = "", recusa: CrivoError | None = None
) -> Response:
    """The page of a version; `recusa` is why it could not be changed."""
    container, scope = state_of(request).container, scope_of(request)
    lida = await read_stored(request, politica_id)
    names, hoje = await names_of(request), today(container.clock)
    numbered = list(enumerate(lida.politica.regras))
    at = next((posicao for posicao, one in numbered if one.regra_id == regra), None)
    if at is not None:
        q, pagina = "", at // _REGRAS_PER_PAGE + 1
    found = [(posicao, one) for posicao, one in numbered if not q or matches(q, *_said(one))]
    outras = [
        one
        for one in await container.politicas.listar(scope)
        if (one.administradora_id, one.documento) == (lida.guardada.administradora_id, lida.guardada.documento) and one.id != politica_id
    ]
    return page(
        request,
        "autorizacoes/politicas/versao.html",
        200 if recusa is None else status_of(recusa),
        versao=VersaoVista.of(lida.guardada, hoje, names),
        fatia=cut(found, lambda one: RegraVista.of(one[1], lida.avisos_de(one[0])), pagina, _REGRAS_PER_PAGE, {"q": q}),
        avisos=[(_regra_of(lida, one), quoted(one.mensagem)) for one in lida.avisos if one.codigo not in _IN_THE_PANEL],
        conferencia=await panel(request, politica_id, rascunho=lida.guardada.status == "rascunho"),
        ressalva=await _ressalva(request, politica_id),
        outras=[VersaoVista.of(one, hoje, names) for one in outras],
        q=q,
        marcada=regra if at is not None else "",
        sumiu=regra if regra and at is None else "",
        gere=may_manage(request),
        simula=pode(request, "politicas.simular"),
        recusa=recusa,
    )


@dataclass(frozen=True, slots=True)
class RessalvaVista:
    """Why a version was published, and in spite of what."""

    motivo: str
    apesar: str


async def _ressalva(request: Request, politica_id: UUID) -> RessalvaVista | None:
    found = await state_of(request).container.casos_de_politica.ressalva(scope_of(request), politica_id)
    if found is None:
        return None
    erros = count(found.erros, "erro", "erros")
    falhos = count(found.casos_falhos, "caso de teste que falha", "casos de teste que falham")
    return RessalvaVista(found.motivo, listing([um for um, quantos in ((erros, found.erros), (falhos, found.casos_falhos)) if quantos]))


async def read_stored(request: Request, politica_id: UUID) -> Lida:
    """A stored política, its document read again for what looks odd. Raises PoliticaNotFound."""
    try:
        guardada, documento = await state_of(request).container.politicas.obter(scope_of(request), politica_id)
    except PoliticaNotFound:
        raise PoliticaNotFound("Esta política não existe, ou não é daqui. Volte à lista e escolha outra.") from None
    # A large document takes seconds to read; the loop that serves everybody else must not wait for it.
    importada = await asyncio.to_thread(read_politica, documento, "json")
    return Lida(guardada, importada.politica, importada.relatorio.avisos)


def may_manage(request: Request) -> bool:
    """Whether whoever is acting may import, publish and revoke."""
    return pode(request, "politicas.escrever")


def _said(regra: Regra) -> Sequence[str]:
    return (regra.regra_id, regra.codigo, *planos_da(regra), COBERTURAS[regra.cobertura].palavra, *[texto for _, texto in condicoes(regra)])


def _regra_of(lida: Lida, problema: Problem) -> str:
    found = _OF_REGRA.match(problema.caminho)
    return lida.politica.regras[int(found[1])].regra_id if found else ""


def _counted(comparacao: Comparacao) -> list[tuple[str, int, str]]:
    kinds = [one.mudanca for one in comparacao.regras]
    return [
        ("Mudaram", kinds.count("mudada"), ""),
        ("Entraram", kinds.count("acrescentada"), ""),
        ("Saíram", kinds.count("retirada"), ""),
        ("Iguais", comparacao.iguais, ""),
    ]
