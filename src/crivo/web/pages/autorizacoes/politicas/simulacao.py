"""`/politicas/simular`: what a draft would have decided, over stored decisions or a file. Source: design, "The workbench"."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from itertools import chain
from typing import Annotated, Any, Final, get_args
from uuid import UUID

from fastapi import APIRouter, Query
from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import Response

from crivo.autorizacoes.contracts import DecisaoFinal
from crivo.autorizacoes.guardadas import PoliticaGuardada
from crivo.autorizacoes.lote import Line, LineReader
from crivo.autorizacoes.palavras import DECISOES, count, number
from crivo.autorizacoes.politicas.service import PoliticaNotFound, TransicaoRecusada
from crivo.autorizacoes.simulacao.ditos import ILEGIVEL, PALAVRAS, VAZIO, say_how_many, say_same
from crivo.autorizacoes.simulacao.resultado import Recorte
from crivo.autorizacoes.simulacao.service import DIAS, Periodo, PeriodoInvalido, Simulada
from crivo.autorizacoes.simulacao.termos import ASPECTOS
from crivo.kernel.clock import today
from crivo.kernel.errors import CrivoError
from crivo.kernel.linguagem.datas_escritas import read_date
from crivo.web.body import LARGEST_DOCUMENT_BYTES, limited
from crivo.web.pages import csrf
from crivo.web.pages.autorizacoes.politicas.fluxo_vista import LARGURA, Fluxo
from crivo.web.pages.autorizacoes.politicas.mudancas import ArquivoAusente
from crivo.web.pages.autorizacoes.politicas.simulacao_vista import SEM_REGRA, TUDO, CasoVisto, Matriz, aspectos, lembretes, regras_vistas
from crivo.web.pages.autorizacoes.politicas.versoes import may_manage
from crivo.web.pages.listas import link, slice_of
from crivo.web.pages.rendering import page
from crivo.web.problems import CorpoGrandeDemais, status_of
from crivo.web.state import hold, scope_of, state_of

router = APIRouter(include_in_schema=False)
_CASES_PER_PAGE: Final = 30
_FORM_OVERHEAD_BYTES: Final = 64_000
Texto = Annotated[str, Query(max_length=200)]
Numero = Annotated[int, Query(ge=1, le=100_000)]


@router.get("/politicas/simular", response_class=Response)
async def simular(
    request: Request,
    rascunho: Texto = "",
    desde: Texto = "",
    ate: Texto = "",
    antes: Texto = "",
    depois: Texto = "",
    regra: Texto = "",
    so: Texto = "",
    pagina: Numero = 1,
) -> Response:
    """What a draft would have decided of the pedidos of a time; without a draft, the form to choose one."""
    drafts = await _drafts(request)
    query = {"rascunho": rascunho, "desde": desde, "ate": ate, "antes": _outcome(antes), "depois": _outcome(depois), "regra": regra}
    query["so"] = so if so in (TUDO, *ASPECTOS) else ""
    if not rascunho:
        return _shown(request, drafts, query)
    hold(request, state_of(request).politicas)
    try:
        simulada = await state_of(request).container.simulacoes.simular(
            scope_of(request), _id(rascunho), _day(desde), _day(ate), recorte=_asked(query, pagina)
        )
    except (PoliticaNotFound, TransicaoRecusada, PeriodoInvalido) as error:
        return _shown(request, drafts, query, recusa=error)
    return _shown(request, drafts, query, simulada, pagina)


@router.post("/politicas/simular", response_class=Response)
async def simular_arquivo(request: Request) -> Response:
    """The same of the pedidos of a file: JSON, one a line, or a table that a published mapping reads. Nothing of it is kept."""
    csrf.check_origin(request)
    hold(request, state_of(request).politicas)
    limit = LARGEST_DOCUMENT_BYTES + _FORM_OVERHEAD_BYTES
    drafts, query = await _drafts(request), {"rascunho": ""}
    try:
        async with limited(request, limit).form(max_files=1, max_fields=4, max_part_size=limit) as form:
            csrf.check_token(request, form.get(csrf.FIELD))
            query["rascunho"] = str(form.get("rascunho") or "")[:200]
            lines = await _lines(form.get("arquivo"))
        simulada = await state_of(request).container.simulacoes.simular(
            scope_of(request), _id(query["rascunho"]), entrada=lines, recorte=Recorte(quantos=_CASES_PER_PAGE * 10)
        )
    except (ArquivoAusente, CorpoGrandeDemais, PoliticaNotFound, TransicaoRecusada) as error:
        return _shown(request, drafts, query, recusa=error)
    return _shown(request, drafts, query, simulada)


def _shown(
    request: Request,
    drafts: Sequence[PoliticaGuardada],
    query: dict[str, str],
    simulada: Simulada | None = None,
    pagina: int = 1,
    recusa: CrivoError | None = None,
) -> Response:
    periodo = Periodo.of(None, None, today(state_of(request).container.clock))
    named = {**query, "desde": query.get("desde") or periodo.desde.isoformat(), "ate": query.get("ate") or periodo.ate.isoformat()}
    chosen = next((one for one in drafts if str(one.id) == query["rascunho"]), None)
    return page(
        request,
        "autorizacoes/politicas/simular.html",
        200 if recusa is None else status_of(recusa),
        opcoes=[(str(one.id), f"{one.versao}, {one.documento} ({one.administradora_id})") for one in drafts],
        query=named,
        rascunho=chosen,
        gere=may_manage(request) and chosen is not None and chosen.status == "rascunho",
        recusa=recusa,
        dias=DIAS,
        largura=LARGURA,
        vista=_view(simulada, {name: value for name, value in named.items() if value}, pagina) if simulada else None,
    )


def _view(simulada: Simulada, query: dict[str, str], pagina: int) -> dict[str, Any]:
    simulacao, de_arquivo = simulada.simulacao, simulada.periodo is None
    # The cases of a file are shown as they are: an address that leads to others would have to send it again.
    base = {} if de_arquivo else query
    mesma = simulacao.mesma
    if not de_arquivo and not simulacao.mudam and mesma.total and "so" not in base:
        base = {**base, "so": TUDO}  # with no outcome that changes, what else does is what there is to see
    so = "so" in base
    casos = [CasoVisto.of(one) for one in (mesma.casos if so else simulacao.casos)]
    casos_total = mesma.casos_total if so else simulacao.casos_total
    return {
        "documento": simulada.rascunho.documento,
        "versao": simulada.rascunho.versao,
        "total": number(simulacao.total),
        "mudam": number(simulacao.mudam),
        "alguma": bool(simulacao.total),
        "frase": f"{number(simulacao.mudam)} de {count(simulacao.total, 'decisão', 'decisões')}",
        "mudariam": "mudaria" if simulacao.mudam == 1 else "mudariam",
        "parte": f"{100 * simulacao.mudam / max(1, simulacao.total):.1f}%".replace(".", ","),
        "melhoram": simulacao.melhoram,
        "pioram": simulacao.pioram,
        "segundos": f"{simulacao.segundos:.1f}".replace(".", ","),
        "fluxo": Fluxo.of(simulacao.pares),
        "matriz": Matriz.of(simulacao.pares, base),
        "regras": regras_vistas(simulacao, base),
        "iguais": simulacao.regras_iguais,
        "fatia": slice_of(casos, casos_total, pagina, _CASES_PER_PAGE if not de_arquivo else max(1, len(casos)), base),
        "so": so,
        "mesma": say_same(mesma) if de_arquivo else f"{say_how_many(mesma)}:" if mesma.total else "",
        "aspectos": aspectos(mesma, base, de_arquivo=de_arquivo),
        "iguais_do_arquivo": [CasoVisto.of(one) for one in mesma.casos] if de_arquivo else [],
        "iguais_restam": mesma.casos_total - len(mesma.casos) if de_arquivo else 0,
        "nada": _nothing(simulada),
        "fichas": _filters(base),
        "lembretes": lembretes(simulada),
        "de_arquivo": de_arquivo,
        "restam": simulacao.casos_total - len(casos) if de_arquivo else 0,
    }


def _nothing(simulada: Simulada) -> tuple[str, str]:
    """Why there was nothing to simulate: what it is called, and what to do."""
    contagem = simulada.simulacao.contagem
    if simulada.periodo is not None:
        return "Nenhum pedido neste período", "Escolha outras datas, ou simule sobre um arquivo de pedidos."
    if contagem.ilegiveis:
        return ILEGIVEL, f"Na linha {contagem.linhas_com_erro[0]}: {contagem.erro}"
    return VAZIO, "Envie um pedido em JSON por linha, ou um CSV que um formato publicado lê."


def _filters(query: dict[str, str]) -> list[tuple[str, str]]:
    """What the cases are narrowed to: words, and the address without it."""
    found = []
    if "antes" in query and "depois" in query:
        antes, depois = (DECISOES[_outcome(query[one])].palavra for one in ("antes", "depois"))  # type: ignore[index]
        found.append((f"{antes} → {depois}", link(query, antes="", depois="", pagina="") + "#casos"))
    if "so" in query and query["so"] != TUDO:
        found.append((f"Muda: {PALAVRAS[query['so']]}", link(query, so=TUDO, pagina="") + "#casos"))  # type: ignore[index]
    if "regra" in query:
        nome = "Sem regra no rascunho" if query["regra"] == SEM_REGRA else f"Regra {query['regra']}"
        found.append((nome, link(query, regra="", pagina="") + "#casos"))
    return found


async def _drafts(request: Request) -> list[PoliticaGuardada]:
    """What may be simulated: drafts first, then what is published."""
    todas = await state_of(request).container.politicas.listar(scope_of(request))
    return sorted([one for one in todas if one.status != "revogada"], key=lambda one: one.status != "rascunho")


def _asked(query: dict[str, str], pagina: int) -> Recorte:
    known = {str(one): one for one in get_args(DecisaoFinal)}
    regra = query["regra"]
    return Recorte(
        known.get(query["antes"]),
        known.get(query["depois"]),
        None if not regra else "" if regra == SEM_REGRA else regra,
        next((one for one in ASPECTOS if one == query["so"]), None),
        (pagina - 1) * _CASES_PER_PAGE,
        _CASES_PER_PAGE,
    )


def _outcome(dito: str) -> str:
    return dito if dito in get_args(DecisaoFinal) else ""


def _id(dito: str) -> UUID:
    try:
        return UUID(dito)
    except ValueError:
        raise PoliticaNotFound("Esta política não existe, ou não é daqui. Escolha outra na lista.") from None


def _day(dito: str) -> date | None:
    if not dito.strip():
        return None
    found = read_date(dito)
    if found is None:
        raise PeriodoInvalido("Escreva as datas do período como 20/11/2026.")
    return date.fromisoformat(found)


async def _lines(arquivo: UploadFile | str | None) -> chain[Line]:
    """The lines of a file. Raises ArquivoAusente."""
    raw = await arquivo.read() if isinstance(arquivo, UploadFile) else b""
    if not raw:
        raise ArquivoAusente("Escolha um arquivo de pedidos que não esteja vazio: um em JSON por linha, ou um CSV.")
    reader = LineReader()
    return chain(list(reader.feed(raw)), reader.finish())
