"""`/api/politicas/planilha` and `/documento`: políticas as spreadsheets, in and out. Source: design, RF3."""

from __future__ import annotations

from typing import Annotated, Any, Final
from uuid import UUID

from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import Response

from crivo.autorizacoes.politicas.planilha.leitura import Cabeca
from crivo.autorizacoes.politicas.planilha.mapa import read_mapa
from crivo.autorizacoes.politicas.planilha.saida import FORMATOS, Formato, file_name
from crivo.web.api.documenting import Responses, answer, body, failures
from crivo.web.api.schemas import PlanilhaConferida, PoliticaResumo, encode
from crivo.web.body import LARGEST_DOCUMENT_BYTES, content_type, read_body
from crivo.web.state import hold, scope_of, state_of

router = APIRouter(tags=["Políticas"])
_JSON: Final = "application/json"
_SHEETS: Final = frozenset({FORMATOS["xlsx"], "text/csv"})
_BINARY: Final = {"type": "string", "format": "binary"}
_MAPA: Final = 'O que é cada coluna, em JSON: {"colunas": {"Título": "campo"}}. Sem ele, o guardado da administradora, ou um palpite.'
Dito = Annotated[str | None, Query(max_length=200)]


def _files() -> Responses:
    described = answer(PlanilhaConferida, "O documento, no formato pedido.")
    described[200]["content"] = {
        FORMATOS["json"]: {"schema": {"type": "object"}},
        FORMATOS["yaml"]: {"schema": {"type": "string"}},
        "text/csv": {"schema": {"type": "string"}},
        FORMATOS["xlsx"]: {"schema": _BINARY},
    }
    return described


@router.post(
    "/api/politicas/planilha",
    summary="Confere ou importa uma planilha de regras",
    response_class=Response,
    responses={
        **answer(PlanilhaConferida, "Como a planilha é lida, com cada problema na sua célula."),
        **answer(PlanilhaConferida, "Guardada como rascunho.", status=201, headers={"Location": "Onde a política está."}),
        **failures(400, 409, 413, 415, 422),
    },
    openapi_extra=body("A planilha, em XLSX ou CSV.", _BINARY, [FORMATOS["xlsx"], "text/csv"]),
)
async def conferir(
    request: Request,
    administradora: Dito = None,
    documento: Dito = None,
    versao: Dito = None,
    vigencia_inicio: Dito = None,
    vigencia_fim: Dito = None,
    mapa: Annotated[str | None, Query(description=_MAPA)] = None,
    importar: Annotated[bool, Query(description="Guarda o rascunho, e o mapa para o próximo arquivo da administradora.")] = False,
) -> Response:
    """Uma planilha com problemas não é um erro: a resposta os lista. Com `importar`, ela é recusada (422) e nada é guardado."""
    content_type(request, _SHEETS)
    hold(request, state_of(request).politicas)
    content = await read_body(request, LARGEST_DOCUMENT_BYTES)
    cabeca = Cabeca(administradora, documento, versao, vigencia_inicio, vigencia_fim)
    given = None if mapa is None else read_mapa(mapa.encode("utf-8", "replace"))
    planilhas, scope = state_of(request).container.planilhas, scope_of(request)
    if not importar:
        return Response(encode(PlanilhaConferida.of(await planilhas.ler(scope, content, cabeca, given))), media_type=_JSON)
    feita = await planilhas.importar(scope, content, cabeca, given, guardar_mapa=True)
    resumo = PoliticaResumo.of(feita.importacao.politica)
    headers = {"location": f"/api/politicas/{resumo.id}"}
    status = 201 if feita.importacao.mudou else 200
    return Response(encode(PlanilhaConferida.of(feita.leitura, resumo)), status_code=status, media_type=_JSON, headers=headers)


@router.get(
    "/api/politicas/{politica_id}/documento",
    summary="O documento de uma política, como arquivo",
    response_class=Response,
    responses={**_files(), **failures(404, 409)},
)
async def baixar(
    request: Request,
    politica_id: UUID,
    formato: Annotated[Formato, Query(description="Qualquer um volta igual na importação.")] = "json",
) -> Response:
    """Importado de novo, é o mesmo documento, byte a byte na forma canônica."""
    return await file_of(request, politica_id, formato)


async def file_of(request: Request, politica_id: UUID, formato: Formato) -> Response:
    """A política to keep and hand on."""
    guardada, content = await state_of(request).container.planilhas.exportar(scope_of(request), politica_id, formato)
    name = file_name(guardada.documento, guardada.versao, formato)
    headers: dict[str, Any] = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(content, media_type=FORMATOS[formato], headers=headers)
