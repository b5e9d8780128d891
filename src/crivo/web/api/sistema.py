"""What the program says of itself: its agents, its audit chain, and whether it is up."""

from __future__ import annotations

import asyncio
from typing import Final

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from crivo.autorizacoes.agentes import AGENTES
from crivo.kernel.storage.errors import unavailable
from crivo.kernel.tenancy import Scope
from crivo.web.api.auditoria_schemas import VerificacaoAuditoria
from crivo.web.api.documenting import answer, failures
from crivo.web.api.schemas import Agente, ListaAgentes, Situacao, encode
from crivo.web.state import scope_of, state_of

router = APIRouter(tags=["Sistema"])
_JSON: Final = "application/json"
_READY_SECONDS: Final = 3.0


@router.get(
    "/api/agentes",
    summary="Os seis agentes",
    response_class=Response,
    responses=answer(ListaAgentes, "Os contratos, na ordem em que rodam."),
)
async def agentes() -> Response:
    """O que cada um pode ver, o que responde e quem pode escrever cada campo."""
    return Response(encode(ListaAgentes(tuple([Agente.of(contract) for contract in AGENTES]))), media_type=_JSON)


@router.get(
    "/api/auditoria/verificacao",
    summary="Confere a cadeia de auditoria",
    response_class=Response,
    responses=answer(VerificacaoAuditoria, "O resultado; `integra` diz se a cadeia inteira confere."),
)
async def verificacao(request: Request) -> Response:
    """Lê a cadeia inteira desta organização, confere com ela o que está guardado e diz o que não confere.

    São conferidas as decisões, as revisões, as políticas, as notas enviadas e as habilitações, cada uma com o registro que a selou.
    """
    found = await state_of(request).container.auditoria.conferir(scope_of(request))
    return Response(encode(VerificacaoAuditoria.of(found)), media_type=_JSON)


@router.get("/healthz", summary="O programa está no ar", response_class=Response, responses=answer(Situacao, "No ar."))
async def healthz() -> Response:
    """Não pergunta nada ao banco de dados."""
    return Response(encode(Situacao("no ar")), media_type=_JSON)


@router.get(
    "/readyz", summary="O banco de dados responde", response_class=Response, responses={**answer(Situacao, "Pronto."), **failures(503)}
)
async def readyz(request: Request) -> Response:
    """Pronto para atender: o banco de dados respondeu agora."""
    container = state_of(request).container
    try:
        async with asyncio.timeout(_READY_SECONDS), container.database.unit_of_work(Scope(container.settings.tenant, "prontidao")):
            pass  # to begin a unit of work is to have had an answer
    except TimeoutError:
        raise unavailable() from None
    return Response(encode(Situacao("pronto")), media_type=_JSON)
