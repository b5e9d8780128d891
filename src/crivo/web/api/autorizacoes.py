"""`/api/autorizacoes`: decide and store, read, list. Source: interfaces, HTTP."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Final
from uuid import UUID

from fastapi import APIRouter, Header, Query
from starlette.requests import Request
from starlette.responses import Response

from crivo.autorizacoes.contracts import Decisao, DecisaoFinal
from crivo.autorizacoes.erros import ChaveInvalida
from crivo.autorizacoes.pedido import esquema_do_pedido
from crivo.autorizacoes.service import LARGEST_PAGE
from crivo.autorizacoes.trilha import Trilha
from crivo.kernel.clock import BRASILIA
from crivo.web.api.documenting import answer, answer_either, body, failures
from crivo.web.api.schemas import Decisoes, PaginaAutorizacoes, encode
from crivo.web.body import CSV, JSON, XML, content_type, read_body
from crivo.web.parametros import refuse_unknown
from crivo.web.state import scope_of, state_of

router = APIRouter(tags=["Autorizações"])
_JSON: Final = "application/json"
_SCHEMA_JSON: Final = "application/schema+json"

PEDIDO_SCHEMA: Final = {
    "type": "object",
    "description": "O pedido como a administradora o manda. Campos com outros nomes são reconhecidos; o que não é conhecido segue com ele. "
    "O JSON Schema está em `GET /api/autorizacoes/esquema`.",
    "additionalProperties": True,
}
PEDIDO_EXAMPLE: Final = {
    "pedido_id": "EX-01",
    "administradora_id": "ADM-001",
    "plano_id": "PRATA",
    "data_pedido": "2026-10-05",
    "beneficiario": {"id": "B-1", "idade": 50, "carencia_cumprida_dias": 400},
    "procedimento": {"codigo": "41101014", "tabela": "TUSS", "quantidade": 1},
    "prestador": {"tipo": "CREDENCIADO"},
    "solicitante": {"tipo": "MEDICO"},
    "documentos_anexos": [{"tipo": "PEDIDO_MEDICO"}, {"tipo": "LAUDO_MEDICO"}],
}


@router.post(
    "/api/autorizacoes",
    summary="Decide um pedido e guarda a decisão",
    response_class=Response,
    responses={
        **answer_either(
            (Decisao, Decisoes),
            "A decisão, nos mesmos bytes em que foi guardada; ou as de cada pedido, onde um mapeamento achou vários.",
            headers={
                "Location": "Onde a decisão está guardada.",
                "Crivo-Aviso": "`administradora_desconhecida`, onde nenhuma política publicada é da administradora que o pedido diz.",
                "Idempotency-Replayed": "`true` quando a chave trouxe uma decisão anterior.",
            },
        ),
        **failures(400, 409, 410, 413, 415, 422),
    },
    openapi_extra=body(
        "Um pedido em JSON, até 1 MB; XML e CSV onde um mapeamento publicado os lê.", PEDIDO_SCHEMA, [_JSON], PEDIDO_EXAMPLE
    ),
)
async def decidir(
    request: Request,
    idempotency_key: Annotated[
        str | None, Header(description="Com a mesma chave e o mesmo pedido, a resposta é a mesma; com outro pedido, é recusado.")
    ] = None,
) -> Response:
    """Decide e guarda numa só transação: o que foi respondido está guardado, com a trilha.

    O que um mapeamento publicado reconhece é lido por ele, também em XML e CSV. Onde ele acha vários pedidos, todos são guardados ou
    nenhum, e a resposta é `{"decisoes": [{"id", "decisao", "links"}]}`, na ordem em que vieram.
    """
    content_type(request, JSON | XML | CSV)
    if idempotency_key is not None and not idempotency_key.isprintable():
        raise ChaveInvalida("A chave de idempotência deve ter só caracteres visíveis.")
    state = state_of(request)
    raw = await read_body(request, state.container.settings.limite_corpo_bytes)
    decididas = await state.container.autorizacoes.receber(scope_of(request), raw, idempotency_key)
    headers = {"idempotency-replayed": "true"} if decididas[0].repetida else {}
    if avisos := dict.fromkeys([aviso for decidida in decididas for aviso in decidida.avisos]):
        headers["crivo-aviso"] = ", ".join(avisos)
    for decidida in decididas:
        if not decidida.repetida:
            state.metrics.decided(decidida.autorizacao.decisao_final)
    if len(decididas) > 1:
        return Response(encode(Decisoes.of([one.autorizacao for one in decididas])), media_type=_JSON, headers=headers)
    autorizacao = decididas[0].autorizacao
    headers["location"] = f"/api/autorizacoes/{autorizacao.id}"
    return Response(autorizacao.decisao, media_type=_JSON, headers=headers)


@router.get(
    "/api/autorizacoes",
    summary="Lista as decisões guardadas, da mais nova para a mais antiga",
    response_class=Response,
    responses={**answer(PaginaAutorizacoes, "Uma página de decisões."), **failures(422)},
)
async def listar(
    request: Request,
    status: Annotated[DecisaoFinal | None, Query(description="Só as decisões com este resultado.")] = None,
    desde: Annotated[datetime | None, Query(description="Só o que foi recebido a partir daqui; sem fuso, vale o de Brasília.")] = None,
    pedido_id: Annotated[str | None, Query(max_length=500, description="Só as do pedido com este número, como veio.")] = None,
    cursor: Annotated[UUID | None, Query(description="O `cursor` da página anterior.")] = None,
    limite: Annotated[int, Query(ge=1, le=LARGEST_PAGE, description="Quantas por página.")] = 50,
) -> Response:
    """Cada página traz o `cursor` da seguinte. Um filtro que não existe é recusado, para que ninguém o tome por atendido."""
    refuse_unknown(request, "status", "desde", "pedido_id", "cursor", "limite")
    if desde is not None and desde.tzinfo is None:
        desde = desde.replace(tzinfo=BRASILIA)
    pagina = await state_of(request).container.autorizacoes.listar(
        scope_of(request), status=status, desde=desde, pedido_id=pedido_id, cursor=cursor, limite=limite
    )
    return Response(encode(PaginaAutorizacoes.of(pagina)), media_type=_JSON)


@router.get(
    "/api/autorizacoes/esquema",
    summary="O JSON Schema de um pedido",
    response_class=Response,
    responses={200: {"description": "O esquema (draft 2020-12).", "content": {_SCHEMA_JSON: {"schema": {"type": "object"}}}}},
)
async def esquema() -> Response:
    """Os campos de um pedido, o que cada um aceita e exemplos. Nenhum é exigido pelo esquema: cada um pode vir por outro nome."""
    return Response(encode(esquema_do_pedido()), media_type=_SCHEMA_JSON)


@router.get(
    "/api/autorizacoes/{autorizacao_id}",
    summary="Uma decisão guardada",
    response_class=Response,
    responses={**answer(Decisao, "A decisão, nos mesmos bytes em que foi respondida."), **failures(404, 410)},
)
async def obter(request: Request, autorizacao_id: UUID) -> Response:
    """O documento do RF6."""
    autorizacao = await state_of(request).container.autorizacoes.ler(scope_of(request), autorizacao_id, "decisao")
    return Response(autorizacao.decisao, media_type=_JSON)


@router.get(
    "/api/autorizacoes/{autorizacao_id}/trilha",
    summary="A trilha de uma decisão",
    response_class=Response,
    responses={**answer(Trilha, "O que cada agente respondeu, quem escreveu cada campo e em quanto tempo."), **failures(404, 410)},
)
async def trilha(request: Request, autorizacao_id: UUID) -> Response:
    """A resposta de cada um dos seis agentes; `ajustes` é nulo quando não foi preciso."""
    autorizacao = await state_of(request).container.autorizacoes.ler(scope_of(request), autorizacao_id, "trilha")
    return Response(autorizacao.trilha, media_type=_JSON)
