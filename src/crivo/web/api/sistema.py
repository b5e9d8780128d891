"""What the program says of itself: its agents, its audit chain, and whether it is up."""

from __future__ import annotations

from typing import Final

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from crivo.autorizacoes.agentes import AGENTES
from crivo.kernel.storage.errors import disk_full
from crivo.kernel.storage.patience import AT_ONCE
from crivo.kernel.tenancy import Scope
from crivo.web.api.auditoria_schemas import VerificacaoAuditoria
from crivo.web.api.documenting import answer, failures
from crivo.web.api.schemas import Agente, ListaAgentes, Situacao, encode
from crivo.web.state import scope_of, state_of

router = APIRouter(tags=["Sistema"])
_JSON: Final = "application/json"
_LEAST_FREE_BYTES: Final = 256 * 1024**2  # PostgreSQL stops where it can write no more, and needs room to start again


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

    São conferidas as decisões, as revisões, as políticas, as notas enviadas e as habilitações, cada uma com o registro que a selou; e a
    cadeia, com as âncoras desta instalação, que acham um fim cortado.
    """
    found = await state_of(request).container.auditoria.conferir(scope_of(request))
    return Response(encode(VerificacaoAuditoria.of(found)), media_type=_JSON)


@router.get("/healthz", summary="O programa está no ar", response_class=Response, responses=answer(Situacao, "No ar."))
async def healthz() -> Response:
    """Não pergunta nada ao banco de dados."""
    return Response(encode(Situacao("no ar")), media_type=_JSON)


@router.get(
    "/readyz",
    summary="O banco de dados responde e há espaço em disco",
    response_class=Response,
    responses={**answer(Situacao, "Pronto."), **failures(503)},
)
async def readyz(request: Request) -> Response:
    """Pronto para atender: o banco de dados respondeu agora, e há espaço em disco para gravar."""
    state = state_of(request)
    settings = state.container.settings
    if state.free_bytes(settings.data_dir) < _LEAST_FREE_BYTES:
        raise disk_full()
    async with state.container.database.within(AT_ONCE).unit_of_work(Scope(settings.tenant, "prontidao")):
        pass  # to begin a unit of work is to have had an answer
    return Response(encode(Situacao("pronto")), media_type=_JSON)
